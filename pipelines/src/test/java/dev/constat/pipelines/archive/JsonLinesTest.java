package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Strings;
import com.google.common.primitives.Bytes;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLinesTest {

  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  @TempDir private Path folder;

  /** An event with the required columns, and {@code more} of them: {@code "payload": 1}. */
  private static String event(String id, String more) {
    return """
    {"ingestion_id":"%s","source":"S","occurred_at":"2026-01-05T10:00:00Z",\
    "received_at":"2026-01-05T10:00:01Z"%s}\
    """
        .formatted(id, more.isEmpty() ? "" : "," + more);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Reading read(Reading reading, String... lines) throws IOException {
    return read(reading, bytes(String.join("\n", lines)));
  }

  private Reading read(Reading reading, byte[] content) throws IOException {
    Files.write(folder.resolve("events.jsonl"), content);
    return reading.read(folder, "events.jsonl");
  }

  private static List<Object> ids(Reading reading) {
    return reading.column("ingestion_id");
  }

  @Test
  void placesAreOffsetsAndLines() throws IOException {
    String first = event("é", "");
    Reading reading = read(Reading.events(), first, "", " \t", event("i2", ""), "");

    assertThat(ids(reading)).containsExactly("é", "i2");
    assertThat(reading.rows).extracting(row -> row.place().line()).containsExactly(0, 3);
    assertThat(reading.rows)
        .extracting(row -> row.place().position())
        .containsExactly(0L, bytes(first).length + 1L + 1 + 3);
    assertThat(reading.lines).containsExactly(Map.entry(0, 4));
  }

  @Test
  void everyRowIsReadOnceWhateverTheSplits() throws IOException {
    byte[] content =
        Bytes.concat(
            MARK,
            bytes(event("i1", "\"payload\":\"a\u2028b\",\"x\":1") + "\r\n\r\n"),
            bytes("torn {\r\n"),
            bytes(event("i3", "\"y\":1,\"x\":2") + "\n" + event("i4", "")));
    Reading whole = read(Reading.events(), content);
    assertThat(ids(whole)).containsExactly("i1", "i3", "i4");

    for (int size = 1; size <= content.length + 1; size++) {
      Reading split = read(Reading.events().splitEvery(size), content);

      assertThat(split.content()).as("splits of %s bytes", size).isEqualTo(whole.content());
      assertThat(split.problems()).isEqualTo(whole.problems());
      assertThat(split.unknownColumns).isEqualTo(whole.unknownColumns);
      assertThat(split.lines.values().stream().mapToInt(n -> n).sum()).isEqualTo(5);
    }
  }

  @Test
  void crlfAtTheEdgeOfABufferSplitsNothing() throws IOException {
    // Case C48: the CR is the last byte of the first 8 KiB.
    String first = event("i1", "\"topic\":\"\"");
    String padded = event("i1", "\"topic\":\"" + "x".repeat(8191 - first.length()) + "\"");
    byte[] content = bytes(padded + "\r\n" + event("i2", "") + "\r\n");
    assertThat(content[8191]).isEqualTo((byte) '\r');

    String topic = padded.substring(padded.indexOf("xx"), padded.lastIndexOf("x") + 1);
    for (int size = 8180; size <= 8205; size++) {
      Reading reading = read(Reading.events().splitEvery(size), content);

      assertThat(ids(reading)).as("splits of %s bytes", size).containsExactly("i1", "i2");
      assertThat(reading.column("topic")).containsExactly(topic, null);
      assertThat(reading.problems()).isEmpty();
    }
  }

  @Test
  void aByteOrderMarkIsDroppedAtTheStartAlone() throws IOException {
    byte[] second = Bytes.concat(MARK, bytes(event("i2", "")));
    Reading reading =
        read(
            Reading.events(),
            Bytes.concat(MARK, bytes(event("i1", "\"topic\":\"\uFEFFt\"") + "\n"), second));

    assertThat(ids(reading)).containsExactly("i1");
    assertThat(reading.column("topic")).containsExactly("\uFEFFt");
    assertThat(reading.problems()).containsExactly("the line is no JSON object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32"})
  void otherEncodingsAreNoText(String charset) throws IOException {
    Reading reading =
        read(Reading.events(), ("\uFEFF" + event("i1", "")).getBytes(Charset.forName(charset)));

    assertThat(reading.rows).isEmpty();
    assertThat(reading.unreadable).hasSize(1);
    assertThat(reading.unreadable.get(0).record()).isFalse();
    assertThat(reading.problems().get(0)).endsWith("neither Parquet nor JSON lines");
  }

  @Test
  void aTornLineCostsItselfAlone() throws IOException {
    // Case C50, and a line that is cut inside a character.
    String torn = "{\"ingestion_id\":\"i2\",\"occ" + event("i3", "");
    byte[] cut = bytes("{\"ingestion_id\":\"é");
    Reading reading =
        read(
            Reading.events(),
            Bytes.concat(
                bytes(event("i1", "") + "\n" + torn + "\n"),
                Arrays.copyOf(cut, cut.length - 1),
                bytes("\n" + event("i4", ""))));

    assertThat(ids(reading)).containsExactly("i1", "i4");
    Unreadable line = reading.unreadable.get(0);
    assertThat(line.problem()).startsWith("the line is no JSON: Unexpected character ('i'");
    assertThat(line.place().position()).isEqualTo(event("i1", "").length() + 1);
    assertThat(line.place().line()).isEqualTo(1);
    assertThat(line.raw()).isEqualTo(bytes(torn));
    assertThat(line.length()).isEqualTo(torn.length());
    assertThat(reading.unreadable.get(1).problem()).isEqualTo("the line is no UTF-8");
    assertThat(reading.unreadable.get(1).raw()).hasSize(cut.length - 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          []                            ; the line is no JSON object
          "text"                        ; the line is no JSON object
          {"a":1} {"b":2}               ; more stands behind the object
          {"a":1}}                      ; the line is no JSON: Unexpected close marker '}'
          {"payload":{"px":NaN}}        ; the line is no JSON: Non-standard token 'NaN'
          {"payload":{"px":Infinity}}   ; the line is no JSON: Non-standard token 'Infinity'
          {"payload":{"a":1,"a":2}}     ; the line is no JSON: Duplicate field 'a'
          {"source":"S","source":"S"}   ; the line is no JSON: Duplicate field 'source'
          {"x":{"a":1,"\\u0061":2}}     ; the line is no JSON: Duplicate field 'a'
          {"a":01}                      ; the line is no JSON: Invalid numeric value
          {"a":1,}                      ; the line is no JSON: Unexpected character ('}'
          {'a':1}                       ; the line is no JSON: Unexpected character
          {"a":1 /* c */}               ; the line is no JSON: Unexpected character
          {"a":"\\x"}                   ; the line is no JSON: Unrecognized character escape
          {"a":                         ; the line is no JSON: Unexpected end-of-input
          """)
  void refusesWhatIsNoJson(String line, String problem) throws IOException {
    Reading reading = read(Reading.events(), line, event("i2", ""));

    assertThat(ids(reading)).containsExactly("i2");
    assertThat(reading.problems()).hasSize(1);
    assertThat(reading.problems().get(0)).startsWith(problem).doesNotContain("enable", "Source");
  }

  @Test
  void refusesBytesThatAreNoUtf8AnywhereInALine() throws IOException {
    byte[][] illFormed = {
      {(byte) 0xC0, (byte) 0x80}, // overlong
      {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, // a surrogate
      {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80}, // above U+10FFFF
      {(byte) 0xE9}
    };
    for (byte[] bytes : illFormed) {
      Reading reading =
          read(Reading.events(), Bytes.concat(bytes("{\"unused\":\""), bytes, bytes("\"}")));

      assertThat(reading.problems()).containsExactly("the line is no UTF-8");
    }
  }

  @Test
  void aRecordThatBreaksOffInItsPayloadHasNothingToDoWithLaterOnes() throws IOException {
    Reading reading =
        read(
            Reading.events(),
            event("i1", "\"payload\":{\"px\":NaN}"),
            event("i2", "\"payload\":{\"n\":\"\\uD800X\"}"),
            event("i3", "\"payload\":{\"n\":\"X\"}"));

    assertThat(ids(reading)).containsExactly("i3");
    assertThat(reading.problems())
        .containsExactly(
            "the line is no JSON: Non-standard token 'NaN'",
            "payload holds ill-formed Unicode (a lone surrogate)");
  }

  @Test
  void loneSurrogatesAreRefusedWhereTheyAreUsed() throws IOException {
    // Case C56.
    Reading reading =
        read(
            Reading.events(),
            event("i1", "\"payload\":{\"n\":\"\\uD800X\"}"),
            event("i2", "\"payload\":{\"n\":\"?X\"}"),
            event("i3", "\"payload\":\"\\ud800\""),
            event("i4", "\"payload\":{\"\\uDC00\":[1]}"),
            event("i5", "\"payload\":[[\"\\uD83D\\uDE00\"]],\"unused\":\"\\uD800\""),
            event("i6", "\"source_event_id\":\"\\uD83D\\uDE00\""),
            event("\\uD83D", ""));

    assertThat(ids(reading)).containsExactly("i2", "i5", "i6");
    assertThat(reading.column("source_event_id").get(2)).isEqualTo("😀");
    assertThat(reading.problems())
        .containsExactly(
            "payload holds ill-formed Unicode (a lone surrogate)",
            "payload is ill-formed Unicode (a lone surrogate)",
            "the line is no JSON: Unexpected low surrogate in field name: 0xdc00",
            "ingestion_id is ill-formed Unicode (a lone surrogate)");
    assertThat(new String(reading.unreadable.get(0).raw(), StandardCharsets.UTF_8))
        .contains("\\uD800X");
  }

  @Test
  void limitsAreNamed() throws IOException {
    // Case C59; what no limit forbids is read.
    String digits = "9".repeat(1001);
    String deep = "[".repeat(1001) + "]".repeat(1001);
    String longText = "x".repeat(20_000_001);
    Reading reading =
        read(
            Reading.events(),
            event("i1", "\"payload\":{\"n\":" + digits + "}"),
            event("i2", "\"payload\":" + deep),
            event("i3", "\"payload\":{\"n\":\"" + longText + "\"}"),
            event("i4", "\"unused\":\"" + longText + "\""),
            event("i5", "\"payload\":\"" + longText.substring(1) + "\""),
            event("i6", "\"payload\":" + digits.substring(1)));

    assertThat(ids(reading)).containsExactly("i5", "i6");
    assertThat(reading.problems())
        .containsExactly(
            "the line is over limits.number_characters: a number has 1001 characters, more than 1000",
            "the line is over limits.nesting: arrays and objects nest deeper than 1000",
            "the line is over limits.string_characters: a string has more than 20000000 characters",
            "the line is over limits.string_characters: a string has more than 20000000 characters");
    assertThat(reading.unreadable)
        .extracting(Unreadable::remedy)
        .startsWith(
            "raise it with limits: {number_characters: ...} in the run spec, or shorten the record",
            "raise it with limits: {nesting: ...} in the run spec, or shorten the record");
    assertThat(reading.unreadable).allMatch(u -> u.raw().length == Unreadable.RAW_LIMIT);
  }

  @Test
  void limitsAreThoseOfTheRunSpec() throws IOException {
    String[] lines = {
      event("i1", "\"payload\":{\"n\":" + "9".repeat(21) + "}"),
      event("i2", "\"payload\":[[[0]]]"),
      event("i3", "\"unused\":[[[0]]]"),
      event("i4", "\"payload\":\"" + "x".repeat(1025) + "\""),
      event("i5", "\"a\":1,\"b\":2,\"payload\":{\"a\":1,\"b\":2}"),
      event("i6", "\"payload\":[[" + "9".repeat(20) + "]]")
    };

    assertThat(ids(read(Reading.events(), lines)))
        .containsExactly("i1", "i2", "i3", "i4", "i5", "i6");
    String limits = "number_characters: 20, nesting: 3, string_characters: 1024, columns: 6";
    Reading reading = read(Reading.events().limits(limits), lines);

    assertThat(ids(reading)).containsExactly("i6");
    assertThat(reading.problems())
        .containsExactly(
            "the line is over limits.number_characters: a number has 21 characters, more than 20",
            "the line is over limits.nesting: arrays and objects nest deeper than 3",
            "the line is over limits.nesting: arrays and objects nest deeper than 3",
            "the line is over limits.string_characters: a string has more than 1024 characters",
            "the line is over limits.columns: it has more than 6 fields");
  }

  @Test
  void aLineThatIsTooLongIsPassedOver() throws IOException {
    String tooLong = event("i1", "\"payload\":\"" + "x".repeat(5000) + "\"");
    Reading reading =
        read(
            Reading.events().limits("line_bytes: 2000").splitEvery(1000), tooLong, event("i2", ""));

    assertThat(ids(reading)).containsExactly("i2");
    assertThat(reading.problems())
        .containsExactly("the line is over limits.line_bytes: it is longer than 2000 bytes");
    assertThat(reading.unreadable.get(0).length()).isEqualTo(tooLong.length());
    assertThat(reading.unreadable.get(0).raw()).hasSize(Unreadable.RAW_LIMIT);
  }

  @Test
  void payloadsKeepTheTextTheyHad() throws IOException {
    Reading reading =
        read(
            Reading.events(),
            event("i1", "\"payload\": { \"b\" : 1.0, \"é\":[ ] } "),
            event("i2", "\"payload\":\"{\\\"b\\\": 1.0}\""),
            event("i3", "\"payload\":[1, 2]"),
            event("i4", "\"payload\":-0.0"),
            event("i5", "\"payload\":true"),
            event("i6", "\"payload\":null"),
            event("i7", ""));

    assertThat(reading.payloads())
        .containsExactly(
            "{ \"b\" : 1.0, \"é\":[ ] }", "{\"b\": 1.0}", "[1, 2]", "-0.0", "true", null, null);
    assertThat(reading.rows.stream().map(row -> row.payload(8)).limit(5))
        .extracting(payload -> payload.nested())
        .containsExactly(true, false, true, true, true);
  }

  @Test
  void pointersReachIntoNestedRecords() throws IOException {
    Reading reading =
        read(
            Reading.events("instrument")
                .columns(
                    Map.of(
                        "payload", "/data",
                        "business_key", "/data/order/ids/1",
                        "instrument", "/data/a~1b~0",
                        "source_event_id", "trade")),
            event(
                "i1",
                "\"trade\":7,\"source_event_id\":\"unused\","
                    + "\"data\":{\"order\":{\"ids\":[{},\"k\",\"\"]},\"a/b~\":\"x\"}"),
            event("i2", "\"data\":[]"),
            event("i3", "\"data\":{\"order\":{\"ids\":[0,{}]}}"));

    assertThat(reading.column("business_key")).containsExactly("k", null);
    assertThat(reading.column("instrument")).containsExactly("x", null);
    assertThat(reading.column("source_event_id")).containsExactly("7", null);
    assertThat(reading.payloads())
        .containsExactly("{\"order\":{\"ids\":[{},\"k\",\"\"]},\"a/b~\":\"x\"}", "[]");
    assertThat(reading.problems()).containsExactly("business_key is an object");
    assertThat(reading.unknownColumns).containsExactly("source_event_id");
    assertThat(reading.notes)
        .containsExactly("source_event_id holds numbers, read as the text of their literal");
  }

  @Test
  void oneFieldMayFillSeveralColumns() throws IOException {
    Reading reading =
        read(
            Reading.events().columns(Map.of("business_key", "id", "topic", "id")),
            event("i1", "\"id\":\"x\""));

    assertThat(reading.column("business_key")).containsExactly("x");
    assertThat(reading.column("topic")).containsExactly("x");
  }

  @Test
  void nullEmptyAndZeroAreThreeValues() throws IOException {
    // Case C68.
    Reading reading =
        read(
            Reading.events(),
            event("i1", "\"source_sequence\":null,\"supersedes\":null"),
            event("i2", "\"source_sequence\":0,\"supersedes\":\"\""),
            event("i3", ""));

    assertThat(reading.column("source_sequence")).containsExactly(null, 0L, null);
    assertThat(reading.column("supersedes")).containsExactly(null, "", null);
  }

  @Test
  void unsignedIntegersAreWhole() throws IOException {
    // Case C63.
    Reading reading =
        read(
            Reading.events(),
            event("i1", "\"source_sequence\":9223372036854775807"),
            event("i2", "\"source_sequence\":9223372036854775808"),
            event("i3", "\"source_sequence\":18446744073709551615"),
            event("i4", "\"source_sequence\":18446744073709551616"),
            event("i5", "\"source_sequence\":5.0"));

    assertThat(reading.column("source_sequence"))
        .extracting(value -> Long.toUnsignedString((Long) value))
        .containsExactly("9223372036854775807", "9223372036854775808", "18446744073709551615");
    assertThat(reading.problems())
        .containsExactly(
            "source_sequence is out of range",
            "source_sequence is a number with a fraction or an exponent");
    assertThat(reading.unreadable.get(0).value()).isEqualTo("18446744073709551616");
    assertThat(reading.unreadable.get(0).column()).isEqualTo("source_sequence");
  }

  @Test
  void timesBeyondEveryRangeAreKeptOrRefused() throws IOException {
    // Case C71.
    String record =
        """
        {"ingestion_id":"i","source":"S","occurred_at":%s,"received_at":"2026-01-05T10:00:01Z"}\
        """;
    Reading reading =
        read(
            Reading.events().timeUnit(TimeUnit.S),
            record.formatted("\"+472976-06-15T20:09:57.269Z\""),
            record.formatted("9223372036854775807"),
            record.formatted("\"0000-00-00T00:00:00Z\""),
            record.formatted("1767607200"));

    assertThat(reading.rows.get(0).occurredAsReceived()).isEqualTo("+472976-06-15T20:09:57.269Z");
    assertThat(reading.column("occurred_at"))
        .containsExactly(
            Instant.parse("+472976-06-15T20:09:57.269Z"), Instant.parse("2026-01-05T10:00:00Z"));
    assertThat(reading.problems())
        .containsExactly(
            "occurred_at lies outside the range of times", "occurred_at has no such month");
  }

  @Test
  void timesWithoutZoneAreUndecidedOrPlaced() throws IOException {
    String line =
        """
        {"outbox_id":"o1","created_at":"2026-01-05T10:00:00","lease_until":"2026-01-05 10:01"}\
        """;
    Reading unzoned = read(Reading.of(Input.OUTBOX), line);
    Reading zoned = read(Reading.of(Input.OUTBOX).zone("Europe/Paris"), line);

    assertThat(unzoned.rows).isEmpty();
    assertThat(unzoned.unzoned)
        .containsExactly("created_at at 0 required", "lease_until at 0 optional");
    assertThat(unzoned.undecided).hasSize(1);
    assertThat(zoned.column("created_at")).containsExactly(Instant.parse("2026-01-05T09:00:00Z"));
  }

  @Test
  void namesThatDifferByCaseAreAmbiguousInsideARecord() throws IOException {
    Reading reading =
        read(
            Reading.events(),
            event("i1", "\"Source\":\"T\""),
            event("i2", "\"Topic\":\"T\",\"TOPIC\":\"U\",\"other\":1,\"Other\":2"));

    assertThat(reading.problems()).containsExactly("the record has both source and Source");
    assertThat(ids(reading)).containsExactly("i2");
    assertThat(reading.unknownColumns)
        .containsExactly("Other", "Source", "TOPIC", "Topic", "other");
  }

  @Test
  void unknownColumnsAreBoundedAndDoNotDependOnSplits() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      lines
          .append(event("i" + i, String.format(Locale.ROOT, "\"u%04d\":1", (i * 7919) % 3000)))
          .append('\n');
    }
    for (int size : new int[] {1 << 30, 5000, 777}) {
      Reading reading = read(Reading.events().splitEvery(size), bytes(lines.toString()));

      assertThat(reading.unknownColumns.stream().limit(UnknownColumns.LIMIT + 1))
          .hasSize(101)
          .startsWith("u0000", "u0001")
          .endsWith("u0100");
    }
  }

  @Test
  void readsGzipOfSeveralMembers() throws IOException {
    // Cases C51 and C49: a mark may stand where a member begins.
    byte[] first = Bytes.concat(MARK, bytes(event("i1", "") + "\n"));
    byte[] second = Bytes.concat(MARK, bytes(event("i2", "") + "\n"));
    byte[] members =
        Bytes.concat(
            GzipMembersTest.gzip(new String(first, StandardCharsets.UTF_8)),
            GzipMembersTest.gzip(new String(second, StandardCharsets.UTF_8)));
    Reading reading = read(Reading.events().splitEvery(10), members);

    assertThat(ids(reading)).containsExactly("i1", "i2");
    assertThat(reading.rows.get(1).place().position()).isEqualTo(first.length);
    assertThat(reading.rows.get(1).place().line()).isEqualTo(1);
    assertThat(reading.splits).hasSize(1);
    assertThat(reading.unreadable).isEmpty();
  }

  @Test
  void aCutMemberIsToldBehindTheLinesBeforeIt() throws IOException {
    byte[] first = GzipMembersTest.gzip(event("i1", "") + "\n");
    byte[] second = GzipMembersTest.gzip(event("i2", ""));
    for (int left = 1; left < second.length; left++) {
      Reading reading = read(Reading.events(), Bytes.concat(first, Arrays.copyOf(second, left)));

      assertThat(ids(reading)).containsExactly("i1");
      assertThat(reading.problems().get(0)).startsWith("the file ends inside");
      assertThat(reading.unreadable.get(0).record()).isFalse();
      assertThat(reading.unreadable.get(0).place().line()).isEqualTo(1);
    }
    Reading padded = read(Reading.events(), Bytes.concat(first, new byte[16]));
    assertThat(ids(padded)).containsExactly("i1");
    assertThat(padded.unreadable).isEmpty();
    assertThat(padded.notes).containsExactly("zeros stand behind the last gzip member");
  }

  @Test
  void gzipOfSomethingElseIsRefusedAsAWhole() throws IOException {
    Reading reading = read(Reading.events(), GzipMembersTest.gzip("PAR1\nand\nmore"));

    assertThat(reading.problems()).containsExactly("the gzip file holds Parquet, not JSON lines");
  }

  @Test
  void constantsFillWhatARecordLacks() throws IOException {
    Reading reading =
        read(
            Reading.events().constants(Map.of("partition", "p0")),
            event("i1", ""),
            event("i2", "\"partition\":null"),
            event("i3", "\"partition\":\"p1\""));

    assertThat(reading.column("partition")).containsExactly("p0", null, "p1");
    assertThat(reading.notes)
        .containsExactly("the constant of partition is not used where the file has the column");
  }

  @Test
  void namesWithoutEndOrSenseAreShown() throws IOException {
    Reading reading =
        read(Reading.events(), event("i1", "\"" + Strings.repeat("n", 200) + "\\u0007\":1"));

    assertThat(reading.unknownColumns).containsExactly("n".repeat(80) + "…");
  }
}
