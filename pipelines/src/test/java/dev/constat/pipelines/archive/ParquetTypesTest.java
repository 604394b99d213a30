package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the types of Parquet columns. */
class ParquetTypesTest {

  private static final Map<String, String> EVENT =
      Map.of(
          "ingestion_id", "i",
          "source", "S",
          "occurred_at", "2026-01-05T10:00:00Z",
          "received_at", "2026-01-05T10:00:01Z");

  @TempDir private Path folder;

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private Reading read(Reading reading, String fields, Consumer<Group>... rows) throws IOException {
    ParquetFiles.PLAIN.write(
        folder.resolve("a.parquet"), ParquetFiles.schema(fields), Arrays.asList(rows));
    return reading.read(folder, "a.parquet");
  }

  private static Reading event() {
    return Reading.events().constants(EVENT);
  }

  private static Reading ack() {
    return Reading.of(Input.ACKNOWLEDGEMENTS).constants(Map.of("acked_at", "2026-01-05T10:00:00Z"));
  }

  private static Consumer<Group> nothing() {
    return row -> {};
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          int32 effect_key (DECIMAL(9,2))                     ; -150                 ; -1.50
          int32 effect_key (DECIMAL(9,0))                     ; 7                    ; 7
          int64 effect_key (DECIMAL(18,18))                   ; 1                    ; 0.000000000000000001
          int64 effect_key (DECIMAL(18,2))                    ; -9223372036854775808 ; -92233720368547758.08
          fixed_len_byte_array(16) effect_key (DECIMAL(38,10)); -1                   ; -0.0000000001
          fixed_len_byte_array(16) effect_key (DECIMAL(38,0)) ; 99999999999999999999999999999999999999; 99999999999999999999999999999999999999
          fixed_len_byte_array(11) effect_key (DECIMAL(25,2)) ; 1230                 ; 12.30
          binary effect_key (DECIMAL(40,3))                   ; -128                 ; -0.128
          binary effect_key (DECIMAL(40,3))                   ; 0                    ; 0.000
          """)
  void decimalsAreExact(String field, BigInteger unscaled, String expected) throws IOException {
    Consumer<Group> row =
        group -> {
          if (field.startsWith("int32")) {
            group.add("effect_key", unscaled.intValueExact());
          } else if (field.startsWith("int64")) {
            group.add("effect_key", unscaled.longValueExact());
          } else {
            group.add("effect_key", Binary.fromConstantByteArray(twosComplement(field, unscaled)));
          }
        };
    Reading reading = read(ack(), "required " + field + ";", row, row);

    assertThat(reading.column("effect_key")).containsExactly(expected, expected);
    assertThat(reading.notes)
        .containsExactly("effect_key holds numbers, read as the text of their literal");
  }

  private static byte[] twosComplement(String field, BigInteger value) {
    byte[] shortest = value.toByteArray();
    if (field.startsWith("binary")) {
      return shortest;
    }
    int length = Integer.parseInt(field.replaceAll("\\D*(\\d+).*", "$1"));
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(shortest, 0, bytes, length - shortest.length, shortest.length);
    return bytes;
  }

  @Test
  void decimalsFillIntegerColumnsIfTheyAreIntegers() throws IOException {
    Reading reading =
        read(
            event(),
            "required fixed_len_byte_array(9) source_sequence (DECIMAL(20,0));",
            row ->
                row.add(
                    "source_sequence",
                    Binary.fromConstantByteArray(
                        twosComplement("(9)", new BigInteger("18446744073709551615")))));
    assertThat(reading.column("source_sequence")).containsExactly(-1L);

    Reading fraction =
        read(
            event(),
            "required int32 source_sequence (DECIMAL(9,1));",
            row -> row.add("source_sequence", 15));
    assertThat(fraction.problems())
        .containsExactly("source_sequence is a number with a fraction or an exponent");
    assertThat(fraction.unreadable.get(0).record()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 417})
  void decimalsOfNoSizeAreUnreadable(int length) throws IOException {
    Reading reading =
        read(
            ack(),
            "required binary effect_key (DECIMAL(9,2));",
            row -> row.add("effect_key", Binary.fromConstantByteArray(new byte[length])),
            row -> row.add("effect_key", Binary.fromConstantByteArray(new byte[] {1})));

    assertThat(reading.problems())
        .containsExactly("effect_key is a decimal number of " + length + " bytes");
    assertThat(reading.unreadable.get(0).record()).isTrue();
    assertThat(reading.column("effect_key")).containsExactly("0.01");
  }

  @ParameterizedTest
  @CsvSource({
    "3.0, 3",
    "-0.0, 0",
    "0.1, 0.1",
    "3.1099999999999997E-4, 0.00031099999999999997",
    "1.0E23, 100000000000000000000000",
    "2.0E-3, 0.002",
    "9007199254740993, 9007199254740992",
    "NaN, NaN",
    "Infinity, Infinity",
    "-Infinity, -Infinity",
  })
  void doublesAreTheirShortestDecimal(double value, String expected) throws IOException {
    Reading reading =
        read(ack(), "required double effect_key;", row -> row.add("effect_key", value));

    assertThat(reading.column("effect_key")).containsExactly(expected);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.MIN_VALUE, Double.MAX_VALUE, 2E23, 1.1E-321, 4.35})
  void doublesComeBackFromTheirText(double value) throws IOException {
    Reading reading =
        read(ack(), "required double effect_key;", row -> row.add("effect_key", value));

    String text = (String) reading.column("effect_key").get(0);
    assertThat(text).matches("[0-9.]+").hasSizeLessThan(400);
    assertThat(Double.parseDouble(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.1", "16777216, 16777216", "3.4E38, 340000000000000000000000000000000000000"})
  void floatsAreTheirOwnShortestDecimal(float value, String expected) throws IOException {
    Reading reading =
        read(ack(), "required float effect_key;", row -> row.add("effect_key", value));

    assertThat(reading.column("effect_key")).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          MILLIS; 9223372036854775807 ; +292278994-08-17T07:12:55.807Z
          MILLIS; -9223372036854775808; -292275055-05-16T16:47:04.192Z
          MICROS; 9223372036854775807 ; +294247-01-10T04:00:54.775807Z
          MICROS; -9223372036854775808; -290308-12-21T19:59:05.224192Z
          NANOS ; 9223372036854775807 ; 2262-04-11T23:47:16.854775807Z
          NANOS ; -9223372036854775808; 1677-09-21T00:12:43.145224192Z
          """)
  void noTimestampIsOutOfRange(String unit, long value, Instant expected) throws IOException {
    Reading reading =
        read(
            Reading.of(Input.ACKNOWLEDGEMENTS),
            "required int64 acked_at (TIMESTAMP(" + unit + ",true));",
            row -> row.add("acked_at", value));

    assertThat(reading.column("acked_at")).containsExactly(expected);
  }

  @Test
  void integerTimesOutOfRangeCostTheirRecord() throws IOException {
    Reading reading =
        read(
            Reading.of(Input.ACKNOWLEDGEMENTS).timeUnit(TimeUnit.S),
            "required int64 acked_at;",
            row -> row.add("acked_at", Long.MAX_VALUE),
            row -> row.add("acked_at", Long.MIN_VALUE),
            row -> row.add("acked_at", 1767607200L));

    assertThat(reading.unreadable).hasSize(2).allMatch(Unreadable::record);
    assertThat(reading.unreadable)
        .extracting(Unreadable::value)
        .containsExactly("9223372036854775807", "-9223372036854775808");
    assertThat(reading.column("acked_at")).containsExactly(Instant.parse("2026-01-05T10:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, -2147483648, -5884323-05-15T00:00:00Z",
    "86399999999999, 2147483647, +5874898-06-03T23:59:59.999999999Z",
    "86400000000000, 2440588, ",
    "-1, 2440588, ",
  })
  void int96EndsWithItsDay(long nanos, int day, Instant expected) throws IOException {
    byte[] bytes =
        ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN).putLong(nanos).putInt(day).array();
    Reading reading =
        read(
            Reading.of(Input.ACKNOWLEDGEMENTS),
            "required int96 acked_at;",
            row -> row.add("acked_at", Binary.fromConstantByteArray(bytes)));

    if (expected == null) {
      assertThat(reading.problems())
          .containsExactly("acked_at is an INT96 beyond the end of its day");
      assertThat(reading.unreadable.get(0).record()).isTrue();
    } else {
      assertThat(reading.column("acked_at")).containsExactly(expected);
    }
  }

  @Test
  void nullEmptyAndZeroStayThreeValues() throws IOException {
    Reading reading =
        read(
            event(),
            "optional int64 source_sequence; optional binary supersedes (STRING);"
                + " optional int32 topic;",
            nothing(),
            row -> {
              row.add("source_sequence", 0L);
              row.add("supersedes", "");
              row.add("topic", 0);
            });

    assertThat(reading.column("source_sequence")).containsExactly(null, 0L);
    assertThat(reading.column("supersedes")).containsExactly(null, "");
    assertThat(reading.column("topic")).containsExactly(null, "0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          optional int32 topic (DATE)
          optional int32 topic (TIME(MILLIS,true))
          optional int64 topic (TIME(MICROS,true))
          optional fixed_len_byte_array(12) topic (INTERVAL)
          optional fixed_len_byte_array(2) topic (FLOAT16)
          optional binary topic (BSON)
          optional int64 topic (TIMESTAMP(MILLIS,true))
          """)
  void otherTypesAreRefusedWhereTheyAreUsed(String field) throws IOException {
    Reading used = read(event(), field + ";", nothing());

    assertThat(used.problems()).containsExactly("topic is of a type that cannot be read into it");
    assertThat(used.unreadable.get(0).value()).isEqualTo(field);
    assertThat(used.unreadable.get(0).remedy()).isEqualTo("write it as text or as an integer");

    Reading unused = read(event(), field.replace("topic", "other") + ";", nothing());
    assertThat(unused.problems()).isEmpty();
    assertThat(unused.rows).hasSize(1);
    assertThat(unused.unknownColumns).containsExactly("other");
  }

  @Test
  void aGroupIsANestedPayload() throws IOException {
    Reading reading =
        read(
            event(),
            """
            optional group payload {
              required int64 id (INTEGER(64,false));
              optional double px;
              optional boolean open;
              optional binary name (STRING);
              required group at { optional int64 t (TIMESTAMP(MICROS,true)); }
              optional int32 qty (DECIMAL(9,2));
            }
            """,
            row -> {
              Group payload = row.addGroup("payload");
              payload.add("id", -1L);
              payload.add("px", 2.50);
              payload.add("open", true);
              payload.add("name", "é\"\n");
              payload.addGroup("at").add("t", 1_767_607_200_000_001L);
              payload.add("qty", -150);
            },
            row -> {
              Group payload = row.addGroup("payload");
              payload.add("id", 7L);
              payload.addGroup("at");
            },
            nothing());

    assertThat(reading.payloads())
        .containsExactly(
            "{\"id\":18446744073709551615,\"px\":2.5,\"open\":true,\"name\":\"é\\\"\\n\","
                + "\"at\":{\"t\":\"2026-01-05T10:00:00.000001Z\"},\"qty\":-1.50}",
            "{\"id\":7,\"at\":{}}",
            null);
    List<Payload> payloads =
        reading.rows.subList(0, 2).stream().map(row -> row.payload(8)).toList();
    assertThat(payloads).extracting(Payload::nested).containsExactly(true, true);
    assertThat(payloads).extracting(Payload::ambiguous).containsExactly(false, true);
    assertThat(payloads).extracting(Payload::nonFinite).containsExactly(false, false);
  }

  @Test
  void whatIsNoNumberIsNamedInsideAPayload() throws IOException {
    Consumer<Group> three = row -> row.addGroup("payload").add("px", 3.0);
    Reading reading =
        read(
            event(),
            "required group payload { required double px; }",
            three,
            row -> row.addGroup("payload").add("px", Double.NaN),
            three);

    assertThat(reading.payloads()).containsExactly("{\"px\":3}", "{\"px\":\"NaN\"}", "{\"px\":3}");
    assertThat(reading.rows)
        .extracting(row -> row.payload(8).nonFinite())
        .containsExactly(false, true, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "optional group tags (LIST) { repeated group list { optional binary element (STRING); } }",
        "optional group tags (LIST) { repeated group bag { optional binary x (STRING); } }",
      })
  void nullListEmptyListAndListOfNullDiffer(String list) throws IOException {
    Reading reading =
        read(
            event(),
            "required group payload { " + list + " }",
            row -> row.addGroup("payload"),
            row -> row.addGroup("payload").addGroup("tags"),
            row -> row.addGroup("payload").addGroup("tags").addGroup(0),
            row -> {
              Group tags = row.addGroup("payload").addGroup("tags");
              tags.addGroup(0).add(0, "a");
              tags.addGroup(0);
              tags.addGroup(0).add(0, "");
            });

    assertThat(reading.payloads())
        .containsExactly(
            "{}", "{\"tags\":[]}", "{\"tags\":[null]}", "{\"tags\":[\"a\",null,\"\"]}");
    assertThat(reading.rows)
        .extracting(row -> row.payload(8).ambiguous())
        .containsExactly(true, false, false, false);
  }

  @Test
  void listsOfOlderWritersAreLists() throws IOException {
    Reading reading =
        read(
            event(),
            """
            required group payload {
              required group two (LIST) { repeated int32 element; }
              repeated int32 bare;
              required group pairs (LIST) {
                repeated group element { required int32 a; required int32 b; }
              }
              required group single (LIST) { repeated group array { required int32 a; } }
              required group named (LIST) { repeated group named_tuple { required int32 a; } }
              required group nested (LIST) { repeated group array (LIST) { repeated int32 array; } }
            }
            """,
            row -> {
              Group payload = row.addGroup("payload");
              Group two = payload.addGroup("two");
              two.add(0, 1);
              two.add(0, 2);
              payload.add("bare", 3);
              payload.add("bare", 4);
              Group pair = payload.addGroup("pairs").addGroup(0);
              pair.add("a", 5);
              pair.add("b", 6);
              payload.addGroup("single").addGroup(0).add("a", 7);
              payload.addGroup("named").addGroup(0).add("a", 8);
              Group nested = payload.addGroup("nested");
              Group first = nested.addGroup(0);
              first.add(0, 1);
              first.add(0, 2);
              nested.addGroup(0);
            },
            row -> {
              Group payload = row.addGroup("payload");
              for (String list : List.of("two", "pairs", "single", "named", "nested")) {
                payload.addGroup(list);
              }
            });

    assertThat(reading.payloads())
        .containsExactly(
            "{\"two\":[1,2],\"bare\":[3,4],\"pairs\":[{\"a\":5,\"b\":6}],\"single\":[{\"a\":7}],"
                + "\"named\":[{\"a\":8}],\"nested\":[[1,2],[]]}",
            "{\"two\":[],\"bare\":[],\"pairs\":[],\"single\":[],\"named\":[],\"nested\":[]}");
  }

  private static final String MAP =
      "required group payload (MAP) { repeated group key_value {"
          + " optional binary key (STRING); optional int32 value; } }";

  @Test
  void mapsWithKeysOfTextAreObjects() throws IOException {
    Reading reading =
        read(
            event(),
            MAP,
            row -> row.addGroup("payload"),
            row -> {
              Group map = row.addGroup("payload");
              Group entry = map.addGroup(0);
              entry.add("key", "b\"");
              entry.add("value", 1);
              map.addGroup(0).add("key", "a");
            });

    assertThat(reading.payloads()).containsExactly("{}", "{\"b\\\"\":1,\"a\":null}");
    assertThat(reading.rows).noneMatch(row -> row.payload(8).ambiguous());
  }

  @Test
  void keysThatAreNoneCostTheirRecord() throws IOException {
    Reading reading =
        read(
            event(),
            MAP,
            row -> {
              Group map = row.addGroup("payload");
              map.addGroup(0).add("key", "a");
              map.addGroup(0).add("key", "a");
            },
            row -> row.addGroup("payload").addGroup(0).add("value", 1),
            row -> row.addGroup("payload").addGroup(0).add("key", "c"));

    assertThat(reading.problems())
        .containsExactly(
            "the map of /payload/key_value/key has one key twice",
            "the map of /payload/key_value/key has an entry without a key");
    assertThat(reading.unreadable).allMatch(Unreadable::record);
    assertThat(reading.payloads()).containsExactly("{\"c\":null}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          required group payload { optional int32 d (DATE); } | /payload/d is of a type that cannot be read
          required group payload (MAP) { repeated group kv { required int32 key; required int32 value; } } | /payload is a map whose keys are no text
          required group payload (MAP) { repeated group kv { required binary key (STRING); } } | /payload is a map without keys and values
          required group payload (LIST) { required group l { required int32 e; } } | /payload is a list without one repeated field
          required group payload { required group x { required binary b (BSON); } } | /payload/x/b is of a type that cannot be read
          """)
  void nestedTypesAreRefusedByName(String field, String problem) throws IOException {
    Reading reading = read(event(), field);

    assertThat(reading.problems()).containsExactly("payload cannot be read: " + problem);
    assertThat(reading.unreadable.get(0).column()).isEqualTo("payload");
    assertThat(reading.unreadable.get(0).remedy()).startsWith("leave that member out");
  }

  @Test
  void textInsideAPayloadMustBeUtf8() throws IOException {
    Reading reading =
        read(
            event(),
            "required group payload { required binary b; }",
            row ->
                row.addGroup("payload")
                    .add("b", Binary.fromConstantByteArray(new byte[] {(byte) 0xFF})),
            row -> row.addGroup("payload").add("b", "ok"));

    assertThat(reading.problems()).containsExactly("/payload/b is no UTF-8");
    assertThat(reading.payloads()).containsExactly("{\"b\":\"ok\"}");
  }

  private static final String BODY =
      """
      optional group body {
        optional group who { optional binary id (STRING); }
        required double px;
        optional int64 t (TIMESTAMP(MILLIS,true));
        required group list (LIST) { repeated group list { required int32 element; } }
      }
      """;

  @Test
  void pointersLeadIntoGroups() throws IOException {
    Map<String, String> mapped =
        Map.of(
            "business_key", "/body/px",
            "topic", "/body/who/id",
            "partition", "/body/none",
            "supersedes_occurred_at", "/body/t",
            "aggregate_id", "/body/who/id");
    Consumer<Group> full =
        row -> {
          Group body = row.addGroup("body");
          body.addGroup("who").add("id", "w");
          body.add("px", 1.5);
          body.add("t", 1_767_607_200_000L);
          body.addGroup("list").addGroup(0).add(0, 1);
        };
    Consumer<Group> sparse =
        row -> {
          Group body = row.addGroup("body");
          body.addGroup("who");
          body.add("px", 2.0);
          body.addGroup("list");
        };
    for (boolean whole : new boolean[] {false, true}) {
      Map<String, String> columns = new HashMap<>(mapped);
      if (whole) {
        columns.put("payload", "body");
      }
      Reading reading = read(event().columns(columns), BODY, full, sparse, nothing());
      assertThat(reading.problems()).isEmpty();
      assertThat(reading.column("business_key")).containsExactly("1.5", "2", null);
      assertThat(reading.column("topic")).containsExactly("w", null, null);
      assertThat(reading.column("aggregate_id")).containsExactly("w", null, null);
      assertThat(reading.column("partition")).containsExactly(null, null, null);
      assertThat(reading.column("supersedes_occurred_at"))
          .containsExactly(Instant.parse("2026-01-05T10:00:00Z"), null, null);
      assertThat(reading.payloads())
          .containsExactly(
              whole
                  ? "{\"who\":{\"id\":\"w\"},\"px\":1.5,\"t\":\"2026-01-05T10:00:00Z\",\"list\":[1]}"
                  : null,
              whole ? "{\"who\":{},\"px\":2,\"list\":[]}" : null,
              null);
      assertThat(reading.unknownColumns).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"/body/list/0, list", "/body/px/x, px"})
  void pointersIntoOtherThingsAreRefused(String pointer, String field) throws IOException {
    Reading reading = read(event().columns(Map.of("topic", pointer)), BODY);

    assertThat(reading.problems())
        .containsExactly("topic is mapped into " + field + ", which is no group of single members");
  }

  @Test
  void aRequiredPointerMustLeadSomewhere() throws IOException {
    Reading reading =
        read(Reading.of(Input.ACKNOWLEDGEMENTS).columns(Map.of("acked_at", "/body/when")), BODY);

    assertThat(reading.problems()).containsExactly("acked_at is required and the file lacks it");
  }

  @Test
  void recordsAreReadAgainByTheirPositions() throws IOException {
    Reading reading =
        read(
            event(),
            "required group payload { repeated int32 n; }",
            row -> row.addGroup("payload"),
            row -> {
              Group payload = row.addGroup("payload");
              payload.add("n", 1);
              payload.add("n", 2);
            },
            row -> row.addGroup("payload").add("n", 3));
    List<String> again = new ArrayList<>();
    PayloadReader.read(
        reading.splits.get(0),
        event().archive("a.parquet"),
        Limits.DEFAULT,
        List.of(reading.rows.get(2).place()),
        (place, payload) -> again.add(Reading.text(payload)));

    assertThat(again).containsExactly("{\"n\":[3]}");
  }
}
