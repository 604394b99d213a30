package dev.constat.rules.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of a row, and rows, deliveries and acknowledgements as bytes. */
class RowVersionsTest {

  private static OutboxRow row(String version, String event, int n) {
    return row(version, "S", event, n);
  }

  private static OutboxRow row(String version, String source, String event, int n) {
    return new OutboxRow(
        "o1",
        source,
        event,
        "notify",
        null,
        null,
        null,
        null,
        Status.PENDING,
        (long) n,
        Instant.EPOCH,
        OptionalTime.ABSENT,
        OptionalTime.ABSENT,
        null,
        OptionalTime.ABSENT,
        OptionalTime.ABSENT,
        OptionalTime.ABSENT,
        Revision.of(version),
        null,
        List.of(),
        new Place(1, 0, 0, n, 0));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // versions and events in order, conflict, joins none
        "1, false, false",
        "-, false, false",
        "1 2, false, false",
        "1 2 10, false, false",
        "1 x, false, false",
        "1 1.0, true, false",
        "1 1 2, true, false",
        "- 1, true, false",
        "- -, true, false",
        "1 2/e2, false, false",
        "1 1/e2, true, true",
        "-/- 1, true, true",
        "1 1/e1/T, true, true",
      })
  void theGreatestVersionIsTheRow(String versions, boolean conflict, boolean joinsNone) {
    RowVersions found = new RowVersions();
    found.next(row("9", "zz", 99));
    found.clear();
    assertThat(found.row()).isNull();
    String[] contents = versions == null ? new String[] {"-"} : versions.split(" ", -1);
    for (int n = 0; n < contents.length; n++) {
      String[] parts = contents[n].split("/", -1);
      found.next(
          row(
              parts[0].equals("-") ? null : parts[0],
              parts.length < 3 ? "S" : parts[2],
              parts.length == 1 ? "e1" : parts[1].equals("-") ? null : parts[1],
              n));
    }
    int last = contents.length - 1;
    assertThat(found.row().attempts()).isEqualTo(last);
    assertThat(found.older()).isEqualTo(last);
    assertThat(found.conflict()).isEqualTo(conflict);
    assertThat(found.joinsNone()).isEqualTo(joinsNone);
    assertThat(found.other()).isEqualTo(conflict ? new Place(1, 0, 0, last - 1, 0) : null);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everythingComesBack(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      OutboxRow row = row(random);
      KeyWriter out = new KeyWriter();
      row.writeContent(out);
      assertThat(OutboxRow.read(row.outboxId(), new KeyReader(out.toBytes()), row.named().size()))
          .isEqualTo(row);
      Delivery delivery =
          new Delivery(
              row,
              random.nextBoolean(),
              random.nextBoolean(),
              place(random),
              instant(random),
              instant(random),
              place(random),
              text(random));
      delivery.write(out.clear());
      assertThat(Delivery.read(new KeyReader(out.toBytes()), row.named().size()))
          .isEqualTo(delivery);
      Acknowledgement ack =
          new Acknowledgement(
              text(random),
              "o1",
              text(random),
              Instant.ofEpochSecond(random.nextInt()),
              text(random),
              bool(random),
              text(random),
              text(random),
              text(random),
              text(random),
              new Place(2, 0, 1, 2, 3));
      KeyWriter content = new KeyWriter();
      ack.writeContent(content);
      ack.writeOrder(out.clear());
      assertThat(
              Acknowledgement.read(
                  "o1", new KeyReader(out.toBytes()), new KeyReader(content.toBytes())))
          .isEqualTo(ack);
      AckFold fold = AckFold.of(ack, row, random.nextBoolean());
      fold.write(out.clear());
      assertThat(AckFold.read(new KeyReader(out.toBytes()))).isEqualTo(fold);
    }
  }

  private static final RunSpec SPEC =
      RunSpecParser.parse(
          """
          constat: 1
          archives: {events: {files: e}, outbox: {files: o}, acknowledgements: {files: a}}
          sources: [{source: '*', identity: {scope: [venue, topic]}}]
          """,
          "constat.yaml",
          "x");

  /** A row of an archive, of names and values. */
  private static Row archived(Input input, Map<String, Object> values) {
    Layout layout = SPEC.layout(input);
    Object[] row = new Object[layout.columns().size()];
    values.forEach((column, value) -> row[layout.indexOf(column)] = value);
    return new Row(row, new Place(input.ordinal(), 0, 0, 7, 0), null);
  }

  @Test
  void everyColumnOfAnOutboxRowIsRead() {
    Layout layout = SPEC.layout(Input.OUTBOX);
    List<String> named = SPEC.namedColumns(Input.OUTBOX).asList();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("outbox_id", "o1");
    values.put("created_at", Instant.EPOCH);
    OutboxRow bare = OutboxRow.of(archived(Input.OUTBOX, values), layout, named);
    assertThat(bare.outboxId()).isEqualTo("o1");
    assertThat(bare.status()).isNull();
    assertThat(bare.value("venue", named)).isNull();
    assertThat(bare.namesEvent()).isFalse();
    for (String column :
        List.of("source", "effect_type", "topic", "aggregate_type", "aggregate_id", "venue")) {
      values.put(column, "the " + column);
    }
    values.put("lease_owner", "w1");
    values.put("replay_id", "R");
    values.put("row_version", "2.0");
    values.put("status", "DISPATCHED");
    values.put("priority", 3L);
    values.put("attempts", 4L);
    List<String> times =
        List.of("visible_at", "claimed_at", "lease_until", "dispatched_at", "dlq_at");
    times.forEach(column -> values.put(column, Instant.ofEpochSecond(1 + times.indexOf(column))));
    assertThat(OutboxRow.of(archived(Input.OUTBOX, values), layout, named).namesEvent()).isFalse();
    values.put("source_event_id", "e1");
    OutboxRow row = OutboxRow.of(archived(Input.OUTBOX, values), layout, named);
    assertThat(row)
        .isEqualTo(
            new OutboxRow(
                "o1",
                "the source",
                "e1",
                "the effect_type",
                "the topic",
                "the aggregate_type",
                "the aggregate_id",
                3L,
                Status.DISPATCHED,
                4L,
                Instant.EPOCH,
                new OptionalTime(Instant.ofEpochSecond(1), true),
                new OptionalTime(Instant.ofEpochSecond(2), true),
                "w1",
                new OptionalTime(Instant.ofEpochSecond(3), true),
                new OptionalTime(Instant.ofEpochSecond(4), true),
                new OptionalTime(Instant.ofEpochSecond(5), true),
                Revision.of("2"),
                "R",
                List.of("the venue"),
                new Place(Input.OUTBOX.ordinal(), 0, 0, 7, 0)));
    assertThat(row.namesEvent()).isTrue();
    for (String column : List.of("topic", "aggregate_type", "aggregate_id", "venue")) {
      assertThat(row.value(column, named)).isEqualTo("the " + column);
    }
    assertThat(row.value("elsewhere", named)).isNull();
    values.remove("source");
    assertThat(OutboxRow.of(archived(Input.OUTBOX, values), layout, named).namesEvent()).isFalse();
  }

  @Test
  void everyColumnOfAnAcknowledgementIsRead() {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String column :
        List.of("ack_id", "outbox_id", "consumer", "effect_key", "worker", "replay_id", "source")) {
      values.put(column, "the " + column);
    }
    values.put("acked_at", Instant.EPOCH);
    values.put("applied", false);
    assertThat(Acknowledgement.of(archived(Input.ACKNOWLEDGEMENTS, values)).namesEvent()).isFalse();
    values.put("source_event_id", "e1");
    Acknowledgement ack = Acknowledgement.of(archived(Input.ACKNOWLEDGEMENTS, values));
    assertThat(ack)
        .isEqualTo(
            new Acknowledgement(
                "the ack_id",
                "the outbox_id",
                "the consumer",
                Instant.EPOCH,
                "the effect_key",
                false,
                "the worker",
                "the replay_id",
                "the source",
                "e1",
                new Place(Input.ACKNOWLEDGEMENTS.ordinal(), 0, 0, 7, 0)));
    assertThat(ack.namesEvent()).isTrue();
    values.remove("source");
    assertThat(Acknowledgement.of(archived(Input.ACKNOWLEDGEMENTS, values)).namesEvent()).isFalse();
  }

  @Test
  void rowsOfEqualContentDifferInTheirPlaceAlone() {
    KeyWriter a = new KeyWriter();
    row("1", "e1", 3).writeContent(a);
    KeyWriter b = new KeyWriter();
    OutboxRow row = row("1.0", "e1", 3);
    row.writeContent(b);
    assertThat(a.toBytes()).isEqualTo(b.toBytes());
    byte[] place = Arrays.copyOfRange(a.toBytes(), a.size() - Place.BYTES, a.size());
    assertThat(Place.fromBytes(place, 0)).isEqualTo(row.place());
  }

  private static OutboxRow row(Random random) {
    return new OutboxRow(
        "o\0" + random.nextInt(),
        text(random),
        text(random),
        text(random),
        text(random),
        text(random),
        text(random),
        number(random),
        random.nextInt(5) == 0 ? null : Status.values()[random.nextInt(4)],
        number(random),
        Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
        time(random),
        time(random),
        text(random),
        time(random),
        time(random),
        time(random),
        Revision.of(random.nextBoolean() ? text(random) : Integer.toString(random.nextInt())),
        text(random),
        IntStream.range(0, random.nextInt(3)).mapToObj(n -> "n" + n).toList(),
        new Place(1, 2, 3, random.nextInt(99), 5));
  }

  private static String text(Random random) {
    String[] texts = {null, "", "a", "a\0b", "\0", "\uD83D\uDE00"};
    return texts[random.nextInt(texts.length)];
  }

  private static Long number(Random random) {
    return random.nextInt(4) == 0 ? null : Long.valueOf(random.nextLong());
  }

  private static Boolean bool(Random random) {
    return random.nextInt(3) == 0 ? null : Boolean.valueOf(random.nextBoolean());
  }

  private static Instant instant(Random random) {
    return random.nextInt(3) == 0 ? null : Instant.ofEpochSecond(random.nextInt(), 1);
  }

  private static OptionalTime time(Random random) {
    Instant instant = instant(random);
    return instant == null ? OptionalTime.ABSENT : new OptionalTime(instant, random.nextBoolean());
  }

  private static Place place(Random random) {
    return random.nextBoolean() ? null : new Place(1, 2, 3, random.nextInt(99), 5);
  }

  @ParameterizedTest
  @CsvSource({
    // C25
    "0, 9, 0, 10, false, 1",
    "0, 9, 0, 10, true, -1",
    "0, a, 0, B, false, 1",
    "0, 2, 1, 1, false, -1",
    "0, 2, 1, 1, true, -1",
    "0, 7, 0, 007, true, 0",
    "0, 010, 0, 11, true, -1",
    "0, 0, 0, 000, true, 0",
    "0, 10, 0, x, true, -1",
    "0, 1e99999999999999999999, 0, 10, true, 1",
    "0, '', 0, 0, true, 1",
    "0, x, 0, y, true, -1",
    "0, 000, 0, 1, true, -1",
  })
  void rowsStandInContractOrder(
      long createdA, String a, long createdB, String b, boolean integers, int order) {
    KeyWriter first = new KeyWriter();
    OutboxPosition.write(first, Instant.ofEpochSecond(createdA), a, integers);
    KeyWriter second = new KeyWriter();
    OutboxPosition.write(second, Instant.ofEpochSecond(createdB), b, integers);
    assertThat(Integer.signum(Arrays.compareUnsigned(first.toBytes(), second.toBytes())))
        .isEqualTo(order);
  }
}
