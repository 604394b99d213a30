package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.primitives.Bytes;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.spec.RunSpec.Format;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetTest {

  private static final String ACK = "message ack { required binary ack_id (STRING); %s }";

  @TempDir private Path folder;

  /** Has DuckDB write the result of a query as {@code name}. */
  private void duckdb(String name, String query, String options) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      statement.execute(
          "COPY (%s) TO '%s' (FORMAT parquet%s)".formatted(query, folder.resolve(name), options));
    }
  }

  /** Has parquet-java write rows as {@code name}. */
  @SafeVarargs
  private void write(String name, MessageType schema, Consumer<Group>... rows) throws IOException {
    write(name, schema, WriterVersion.PARQUET_1_0, CompressionCodecName.UNCOMPRESSED, true, rows);
  }

  @SafeVarargs
  private void write(
      String name,
      MessageType schema,
      WriterVersion version,
      CompressionCodecName codec,
      boolean dictionary,
      Consumer<Group>... rows)
      throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(folder.resolve(name)))
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withType(schema)
            .withWriterVersion(version)
            .withCompressionCodec(codec)
            .withDictionaryEncoding(dictionary)
            .withPageSize(1024)
            .build()) {
      for (Consumer<Group> row : rows) {
        Group group = new SimpleGroup(schema);
        row.accept(group);
        writer.write(group);
      }
    }
  }

  private static MessageType acks(String column) {
    return MessageTypeParser.parseMessageType(
        ACK.formatted(column.endsWith("}") ? column : column + ";"));
  }

  private static Consumer<Group> ack(Consumer<Group> more) {
    return group -> {
      group.add("ack_id", "a");
      more.accept(group);
    };
  }

  private Reading readAcks(Consumer<Reading> given) throws IOException {
    Reading reading = Reading.of(Input.ACKNOWLEDGEMENTS);
    given.accept(reading);
    return reading.read(folder, "*.parquet");
  }

  private static final String EVENTS =
      """
      SELECT 'i' || i AS ingestion_id, 'S' AS source, 'e' || (i %% 7) AS source_event_id,
        CASE WHEN i %% 5 = 0 THEN NULL ELSE (18446744073709546000::HUGEINT + i)::UBIGINT END
          AS source_sequence,
        make_timestamptz(2026, 1, 5, 10, 0, i / 1000.0) AS occurred_at,
        '2026-01-05T10:00:00.' || lpad(i::TEXT, 6, '0') || 'Z' AS received_at,
        '{"n":' || i || '}' AS payload, i AS extra
      FROM range(%s) t(i)\
      """;

  @Test
  void readsWhatDuckdbWrites() throws Exception {
    duckdb("events.parquet", EVENTS.formatted(5000), ", ROW_GROUP_SIZE 2048");
    Reading reading = Reading.events().read(folder, "events.parquet");

    assertThat(reading.unreadable).isEmpty();
    assertThat(reading.splits)
        .extracting(Split::kind, Split::part, Split::firstRow)
        .containsExactly(
            tuple(Split.Kind.ROW_GROUP, 0, 0L),
            tuple(Split.Kind.ROW_GROUP, 1, 2048L),
            tuple(Split.Kind.ROW_GROUP, 2, 4096L));
    assertThat(reading.unknownColumns).containsExactly("extra");
    assertThat(reading.rows).hasSize(5000);
    for (int i = 0; i < 5000; i++) {
      assertThat(reading.rows.get(i).place().position()).isEqualTo(i);
      assertThat(reading.rows.get(i).place().part()).isEqualTo(i / 2048);
    }
    int i = 4321;
    assertThat(reading.column("ingestion_id").get(i)).isEqualTo("i4321");
    assertThat(reading.column("source_event_id").get(i)).isEqualTo("e2");
    assertThat(reading.column("source_sequence").subList(4320, 4322))
        .containsExactly(null, Long.parseUnsignedLong("18446744073709550321"));
    assertThat(reading.column("occurred_at").get(i))
        .isEqualTo(Instant.parse("2026-01-05T10:00:04.321Z"));
    assertThat(reading.column("received_at").get(i))
        .isEqualTo(Instant.parse("2026-01-05T10:00:00.004321Z"));
    assertThat(reading.payloads().get(i)).isEqualTo("{\"n\":4321}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"snappy", "zstd", "gzip", "lz4_raw", "uncompressed"})
  void theCodecDoesNotMatter(String codec) throws Exception {
    duckdb("plain.parquet", EVENTS.formatted(3000), ", CODEC 'uncompressed'");
    duckdb("events.parquet", EVENTS.formatted(3000), ", CODEC '" + codec + "'");

    assertThat(Reading.events().read(folder, "events.parquet").content())
        .hasSize(3000)
        .isEqualTo(Reading.events().read(folder, "plain.parquet").content());
  }

  @Test
  void sameRowsAsJsonLinesGiveTheSameValues() throws Exception {
    duckdb("events.parquet", EVENTS.formatted(300), "");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      statement.execute(
          "COPY (%s) TO '%s' (FORMAT json)"
              .formatted(EVENTS.formatted(300), folder.resolve("events.jsonl")));
    }
    Reading parquet = Reading.events().read(folder, "events.parquet");
    Reading lines = Reading.events().read(folder, "events.jsonl");

    assertThat(lines.problems()).isEmpty();
    for (String column : List.of("ingestion_id", "source_sequence", "occurred_at", "received_at")) {
      assertThat(lines.column(column)).isEqualTo(parquet.column(column));
    }
    assertThat(lines.payloads()).isEqualTo(parquet.payloads());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          TIMESTAMP(MILLIS,true); -1                 ; 1969-12-31T23:59:59.999Z
          TIMESTAMP(MICROS,true); -1                 ; 1969-12-31T23:59:59.999999Z
          TIMESTAMP(NANOS,true) ; 1767607200000000001; 2026-01-05T10:00:00.000000001Z
          """)
  void timestampsAreExact(String type, long value, Instant expected) throws IOException {
    // Case C61.
    write(
        "acks.parquet",
        acks("required int64 acked_at (%s)".formatted(type)),
        ack(row -> row.add("acked_at", value)));

    assertThat(readAcks(r -> r.timeUnit(TimeUnit.S)).column("acked_at")).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          TIMESTAMP(MILLIS,false); 1767607200000
          TIMESTAMP(MICROS,false); 1767607200000000
          TIMESTAMP(NANOS,false) ; 1767607200000000000
          """)
  void timestampsThatAreNotAdjustedHaveNoZone(String type, long value) throws IOException {
    write(
        "acks.parquet",
        acks("required int64 acked_at (%s)".formatted(type)),
        ack(row -> row.add("acked_at", value)));
    Reading unzoned = readAcks(r -> {});

    assertThat(unzoned.rows).isEmpty();
    assertThat(unzoned.undecided).hasSize(1);
    assertThat(unzoned.unzoned).containsExactly("acked_at at 0 required");
    assertThat(readAcks(r -> r.zone("Europe/Paris")).column("acked_at"))
        .containsExactly(Instant.parse("2026-01-05T09:00:00Z"));
  }

  @Test
  void int96IsReadAsUtcAndNoted() throws IOException {
    // Case C60.
    byte[] noon = HexFormat.ofDelimiter(" ").parseHex("00 40 36 e7 bd 20 00 00 76 8d 25 00");
    byte[] before =
        ByteBuffer.allocate(12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(86_399_999_999_999L)
            .putInt(2_440_587)
            .array();
    write(
        "acks.parquet",
        acks("required int96 acked_at"),
        ack(row -> row.add("acked_at", Binary.fromConstantByteArray(noon))),
        ack(row -> row.add("acked_at", Binary.fromConstantByteArray(before))));
    Reading reading = readAcks(r -> {});

    assertThat(reading.column("acked_at"))
        .containsExactly(
            Instant.parse("2026-01-05T10:00:00Z"), Instant.parse("1969-12-31T23:59:59.999999999Z"));
    assertThat(reading.notes)
        .containsExactly("acked_at is INT96, a legacy type: read as UTC times");
  }

  @Test
  void integerTimesTakeTheDeclaredUnit() throws IOException {
    write(
        "acks.parquet",
        acks("required int64 acked_at"),
        ack(row -> row.add("acked_at", 1767607200000L)));

    assertThat(readAcks(r -> r.timeUnit(TimeUnit.MS)).column("acked_at"))
        .containsExactly(Instant.parse("2026-01-05T10:00:00Z"));
    Unreadable refused = readAcks(r -> {}).unreadable.get(0);
    assertThat(refused.record()).isFalse();
    assertThat(refused.problem()).isEqualTo("acked_at is an integer without a unit");
    assertThat(refused.remedy())
        .isEqualTo("declare time_unit of acknowledgements: s, ms, us or ns");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          required int32 n                     ; -1                 ; -1
          required int32 n (INTEGER(8,true))   ; -1                 ; -1
          required int32 n (INTEGER(32,false)) ; -1                 ; 4294967295
          required int64 n (INTEGER(64,true))  ; -1                 ; -1
          required int64 n (INTEGER(64,false)) ; -1                 ; 18446744073709551615
          """)
  void integersKeepTheirSign(String column, long value, String expected) throws IOException {
    write(
        "acks.parquet",
        MessageTypeParser.parseMessageType("message m { %s; }".formatted(column)),
        row -> {
          if (column.contains("int32")) {
            row.add("n", (int) value);
          } else {
            row.add("n", value);
          }
        });
    Reading reading =
        readAcks(
            r ->
                r.columns(Map.of("effect_key", "n"))
                    .constants(Map.of("acked_at", "2026-01-05T10:00:00Z")));

    assertThat(reading.column("effect_key")).containsExactly(expected);
    assertThat(reading.notes)
        .containsExactly("effect_key holds numbers, read as the text of their literal");
  }

  @ParameterizedTest
  @EnumSource(WriterVersion.class)
  void textDoesNotDependOnItsEncoding(WriterVersion version) throws IOException {
    MessageType schema =
        acks(
            "required int64 acked_at (TIMESTAMP(MICROS,true)); optional binary consumer;"
                + " optional binary effect_key (STRING); optional boolean applied");
    @SuppressWarnings({"unchecked", "rawtypes"})
    Consumer<Group>[] rows = new Consumer[3000];
    for (int i = 0; i < rows.length; i++) {
      int n = i;
      rows[i] =
          ack(
              row -> {
                row.add("acked_at", 1_000_000L * (n % 10));
                row.add("consumer", "c" + n % 3);
                if (n % 4 != 0) {
                  // Past the dictionary's size in the end: pages of both kinds.
                  row.add("effect_key", "key-é-" + n + "-" + "x".repeat(n % 50));
                  row.add("applied", n % 2 == 0);
                }
              });
    }
    for (boolean dictionary : new boolean[] {true, false}) {
      write("acks.parquet", schema, version, CompressionCodecName.SNAPPY, dictionary, rows);
      Reading reading = readAcks(r -> {});

      assertThat(reading.unreadable).isEmpty();
      for (int i = 0; i < rows.length; i++) {
        Object[] values = reading.rows.get(i).values();
        assertThat(values[2]).isEqualTo("c" + i % 3);
        assertThat(values[3]).isEqualTo(Instant.ofEpochSecond(i % 10));
        boolean given = i % 4 != 0;
        assertThat(values[4]).isEqualTo(given ? "key-é-" + i + "-" + "x".repeat(i % 50) : null);
        assertThat(values[5]).isEqualTo(given ? i % 2 == 0 : null);
      }
    }
  }

  @Test
  void uuidsAreText() throws Exception {
    duckdb(
        "acks.parquet",
        "SELECT '6F9619FF-8B86-D011-B42D-00C04FC964FF'::UUID AS ack_id,"
            + " TIMESTAMPTZ '2026-01-05 10:00:00Z' AS acked_at",
        "");

    assertThat(readAcks(r -> {}).column("ack_id"))
        .containsExactly("6f9619ff-8b86-d011-b42d-00c04fc964ff");
  }

  @Test
  void textMustBeUtf8AndAPayloadNeedNot() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            """
            message event {
              required binary ingestion_id (STRING);
              required binary source;
              required binary occurred_at (STRING);
              required binary received_at (STRING);
              optional binary topic;
              optional binary payload;
            }\
            """);
    byte[] opaque = {(byte) 0xFF, 0, (byte) 0xC3};
    Consumer<Group> plain =
        row -> {
          row.add("ingestion_id", "i1");
          row.add("source", "S");
          row.add("occurred_at", "+472976-06-15T20:09:57.269Z");
          row.add("received_at", "2026-01-05T10:00:00Z");
        };
    write(
        "events.parquet",
        schema,
        plain.andThen(row -> row.add("payload", Binary.fromConstantByteArray(opaque))),
        plain.andThen(row -> row.add("topic", Binary.fromConstantByteArray(opaque))),
        plain);
    Reading reading = Reading.events().read(folder, "events.parquet");

    assertThat(reading.rows).hasSize(2);
    assertThat(reading.rows.get(0).payload(8).bytes()).isEqualTo(opaque);
    assertThat(reading.rows.get(0).payload(8).nested()).isFalse();
    assertThat(reading.rows)
        .extracting(row -> row.occurredAsReceived())
        .containsOnly("+472976-06-15T20:09:57.269Z");
    Unreadable refused = reading.unreadable.get(0);
    assertThat(refused.record()).isTrue();
    assertThat(refused.place().position()).isEqualTo(1);
    assertThat(refused.problem()).isEqualTo("topic is no UTF-8");
    assertThat(refused.value()).isEqualTo("0xff00c3");
    assertThat(refused.raw()).isEqualTo(opaque);
  }

  @Test
  void filesOfOneInputMayDiffer() throws Exception {
    duckdb(
        "a.parquet",
        "SELECT 'a1' AS ack_id, 'o1' AS outbox_id, TIMESTAMPTZ '2026-01-05 10:00:00Z' AS acked_at",
        "");
    duckdb(
        "b.parquet",
        "SELECT 7 AS ack_id, '2026-01-05T10:00:00Z' AS acked_at, 'c9' AS consumer, true AS applied",
        "");
    Reading reading = readAcks(r -> r.constants(Map.of("consumer", "c1")));

    assertThat(reading.column("ack_id")).containsExactly("a1", "7");
    assertThat(reading.column("outbox_id")).containsExactly("o1", null);
    assertThat(reading.column("consumer")).containsExactly("c1", "c9");
    assertThat(reading.column("applied")).containsExactly(null, true);
    assertThat(reading.column("acked_at"))
        .containsOnly(Instant.parse("2026-01-05T10:00:00Z"))
        .hasSize(2);
    assertThat(reading.rows).extracting(row -> row.place().file()).containsExactly(0, 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          required double acked_at                ; acked_at is of a type that cannot be read into it
          required int32 acked_at (DATE)          ; acked_at is of a type that cannot be read into it
          required int64 acked_at (TIME(MICROS,true)); acked_at is of a type that cannot be read into it
          required boolean acked_at               ; acked_at is of a type that cannot be read into it
          'required group acked_at { required int64 t; }'; acked_at is of a type that cannot be read into it
          repeated int64 acked_at                 ; acked_at is of a type that cannot be read into it
          required int64 acked (TIMESTAMP(MILLIS,true)); acked_at is required and the file lacks it
          """)
  void aColumnThatDoesNotFitCostsTheFile(String column, String problem) throws IOException {
    write("acks.parquet", acks(column));
    Reading reading = readAcks(r -> {});

    assertThat(reading.problems()).containsExactly(problem);
    assertThat(reading.unreadable.get(0).record()).isFalse();
    assertThat(reading.unreadable.get(0).column()).isEqualTo("acked_at");
    assertThat(reading.splits).isEmpty();
  }

  @Test
  void columnsThatDifferByCaseCostTheFileIfOneIsUsed() throws IOException {
    String time = "required int64 acked_at (TIMESTAMP(MILLIS,true)); ";
    write("acks.parquet", acks(time + "optional int32 Worker; optional int32 WORKER"));
    assertThat(readAcks(r -> {}).problems()).isEmpty();

    write("acks.parquet", acks(time + "optional binary worker; optional int32 WORKER"));
    assertThat(readAcks(r -> {}).problems()).containsExactly("the file has both worker and WORKER");
  }

  @Test
  void brokenFilesCostThemselvesAlone() throws Exception {
    // Case C65.
    duckdb(
        "part-4.parquet",
        "SELECT 'a1' AS ack_id, TIMESTAMPTZ '2026-01-05 10:00:00Z' AS acked_at",
        "");
    write("part-0.parquet", acks("required int64 acked_at (TIMESTAMP(MILLIS,true))"));
    byte[] good = Files.readAllBytes(folder.resolve("part-4.parquet"));
    Files.createFile(folder.resolve("part-1.parquet"));
    Files.write(folder.resolve("part-2.parquet"), Arrays.copyOf(good, good.length / 2));
    Files.createFile(folder.resolve("_SUCCESS"));
    Files.writeString(folder.resolve(".part-3.parquet.crc"), "x");
    Reading reading = Reading.of(Input.ACKNOWLEDGEMENTS).read(folder, "*");

    assertThat(reading.column("ack_id")).containsExactly("a1");
    assertThat(reading.rows.get(0).place().file()).isEqualTo(3);
    assertThat(reading.unreadable).extracting(u -> u.place().file()).containsExactly(1, 2);
    assertThat(reading.unreadable).noneMatch(Unreadable::record);
    assertThat(reading.problems().get(0)).isEqualTo("the file is empty");
    assertThat(reading.problems().get(1)).startsWith("the footer cannot be read: ");
  }

  @Test
  void aCutFileIsNeverReadAsAShortOne() throws Exception {
    duckdb("events.parquet", EVENTS.formatted(50), "");
    byte[] good = Files.readAllBytes(folder.resolve("events.parquet"));
    for (int length = 0; length < good.length; length += 37) {
      Files.write(folder.resolve("events.parquet"), Arrays.copyOf(good, length));
      Reading reading = Reading.events().format(Format.PARQUET).read(folder, "events.parquet");

      assertThat(reading.rows).as("cut at %s", length).isEmpty();
      assertThat(reading.unreadable).hasSize(1);
    }
  }

  @Test
  void aDamagedRowGroupLeavesTheOthers() throws Exception {
    duckdb("events.parquet", EVENTS.formatted(5500), ", ROW_GROUP_SIZE 2048");
    Path file = folder.resolve("events.parquet");
    Reading whole = Reading.events().read(folder, "events.parquet");
    int second = (int) whole.splits.get(1).from();
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, second, second + 64, (byte) 0xA5);
    Files.write(file, bytes);
    Reading damaged = Reading.events().read(folder, "events.parquet");

    assertThat(damaged.unreadable).hasSize(1);
    Unreadable problem = damaged.unreadable.get(0);
    assertThat(problem.record()).isFalse();
    assertThat(problem.place().part()).isEqualTo(1);
    assertThat(problem.place().position()).isEqualTo(2048);
    assertThat(problem.problem()).startsWith("row group 1 cannot be decoded from row 2048 on: ");
    List<String> others = new ArrayList<>(whole.content());
    others.subList(2048, 4096).clear();
    assertThat(damaged.content()).isEqualTo(others);
  }

  @Test
  void rowsBeforeADamagedPageCount() throws IOException {
    MessageType schema = acks("required int64 acked_at (TIMESTAMP(MILLIS,true))");
    Path file = folder.resolve("acks.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withDictionaryEncoding(false)
            .withPageWriteChecksumEnabled(false)
            .withPageSize(512)
            .withMinRowCountForPageSizeCheck(1)
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .build()) {
      for (int i = 0; i < 1000; i++) {
        Group group = new SimpleGroup(schema);
        group.add("ack_id", "ack-" + i);
        group.add("acked_at", 1000L * i);
        writer.write(group);
      }
    }
    byte[] good = Files.readAllBytes(file);
    List<String> whole = readAcks(r -> {}).content();
    int inMidGroup = 0;
    for (int at = 4; at < good.length; at += 101) {
      byte[] damaged = good.clone();
      damaged[at] ^= 0x55;
      Files.write(file, damaged);
      Reading reading = readAcks(r -> {});

      assertThat(reading.rows.size()).as("byte %s", at).isLessThanOrEqualTo(1000);
      for (Unreadable problem : reading.unreadable) {
        if (problem.problem().startsWith("row group 0 cannot be decoded")) {
          long records = reading.unreadable.stream().filter(Unreadable::record).count();
          assertThat(problem.place().position()).isEqualTo(reading.rows.size() + records);
          inMidGroup += reading.rows.isEmpty() ? 0 : 1;
        }
      }
    }
    assertThat(whole).hasSize(1000);
    assertThat(inMidGroup).isPositive();
  }

  @Test
  void aChecksumThatDoesNotFitIsNotReadOver() throws IOException {
    MessageType schema = acks("required int64 acked_at (TIMESTAMP(MILLIS,true))");
    write("acks.parquet", schema, ack(row -> row.add("acked_at", 1_234_567L)));
    Path file = folder.resolve("acks.parquet");
    byte[] bytes = Files.readAllBytes(file);
    int value =
        Bytes.indexOf(
            bytes,
            ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(1_234_567L).array());
    bytes[value] ^= 1;
    Files.write(file, bytes);

    assertThat(readAcks(r -> {}).problems())
        .containsExactly(
            "row group 0 cannot be decoded from row 0 on: could not verify page integrity, CRC"
                + " checksum verification failed");
  }

  @Test
  void noDamageIsFatal() throws Exception {
    duckdb("events.parquet", EVENTS.formatted(200), "");
    Path file = folder.resolve("events.parquet");
    byte[] good = Files.readAllBytes(file);
    for (int at = 4; at < good.length; at += 19) {
      byte[] damaged = good.clone();
      damaged[at] ^= 0x55;
      Files.write(file, damaged);
      Reading reading = Reading.events().read(folder, "events.parquet");

      assertThat(reading.rows.size()).as("byte %s", at).isLessThanOrEqualTo(200);
    }
  }

  @Test
  void rowGroupsAboveTheLimitAreRefusedByName() throws Exception {
    duckdb("events.parquet", EVENTS.formatted(3000), ", ROW_GROUP_SIZE 2048");
    Reading reading =
        Reading.events().limits("row_group_bytes: 10000").read(folder, "events.parquet");

    assertThat(reading.problems()).hasSize(2);
    assertThat(reading.problems().get(0))
        .matches(
            "row group 0 is over limits.row_group_bytes: it has \\d+ bytes in the columns used,"
                + " more than 10000");
    assertThat(reading.unreadable.get(1).place().position()).isEqualTo(2048);
  }

  @Test
  void filesWithTooManyColumnsAreRefusedByName() throws Exception {
    duckdb("events.parquet", EVENTS.formatted(3), "");
    Reading reading = Reading.events().limits("columns: 7").read(folder, "events.parquet");

    assertThat(Reading.events().limits("columns: 8").read(folder, "events.parquet").rows)
        .hasSize(3);
    assertThat(reading.rows).isEmpty();
    assertThat(reading.problems())
        .containsExactly("the file is over limits.columns: it has 8 columns, more than 7");
    assertThat(reading.unreadable.get(0).remedy())
        .startsWith("raise it with limits: {columns: ...} in the run spec");
  }

  @Test
  void pointersAreRefusedByName() throws IOException {
    write("acks.parquet", acks("required int64 acked_at (TIMESTAMP(MILLIS,true))"));

    assertThat(readAcks(r -> r.columns(Map.of("worker", "/w/id"))).problems())
        .containsExactly(
            "worker is mapped into a nested record, which Parquet files are not read for");
  }

  @Test
  void formatIsDecidedByContentAndCheckedAgainstTheSpec() throws Exception {
    duckdb(
        "acks.jsonl", "SELECT 'a1' AS ack_id, TIMESTAMPTZ '2026-01-05 10:00:00Z' AS acked_at", "");
    Files.writeString(
        folder.resolve("acks.parquet"),
        "{\"ack_id\":\"a2\",\"acked_at\":\"2026-01-05T10:00:00Z\"}",
        StandardCharsets.UTF_8);

    assertThat(Reading.of(Input.ACKNOWLEDGEMENTS).read(folder, "acks.*").column("ack_id"))
        .containsExactly("a1", "a2");
    assertThat(
            Reading.of(Input.ACKNOWLEDGEMENTS)
                .format(Format.JSONL)
                .read(folder, "acks.*")
                .problems())
        .containsExactly("the file is Parquet, declared as jsonl");
    assertThat(
            Reading.of(Input.ACKNOWLEDGEMENTS)
                .format(Format.PARQUET)
                .read(folder, "acks.*")
                .problems())
        .containsExactly("the file is text, declared as parquet");
  }
}
