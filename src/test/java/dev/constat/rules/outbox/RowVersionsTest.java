package dev.constat.rules.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Revision;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of a row, and rows, deliveries and acknowledgements as bytes. */
class RowVersionsTest {

  private static OutboxRow row(String version, String event, int n) {
    return new OutboxRow(
        "o1",
        "S",
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
