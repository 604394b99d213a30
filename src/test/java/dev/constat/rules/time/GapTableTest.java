package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GapTableTest {

  private static Gap gap(Instant lower, Instant upper) {
    return new Gap(0, 2, 2, neighbour(1, lower), neighbour(3, upper));
  }

  private static Numbered neighbour(long number, Instant occurredAt) {
    return new Numbered(
        number, occurredAt, occurredAt, "i" + number, new Place(0, 0, 0, number, 0), true);
  }

  @ParameterizedTest
  @CsvSource({
    "10:00:00, 10:10:00, true",
    "09:50:00, 10:00:05, false",
    "09:50:00, 10:00:05.000000001, true",
    "10:00:40, 10:10:00, true",
    "10:00:40.000000001, 10:10:00, false",
    "10:00:10, 10:00:11, true",
    "MIN, MAX, true",
  })
  void aWindowMeetsAGap(String start, String end, boolean meets) {
    // C31, and its neighbours the other way round
    for (Gap gap :
        List.of(
            gap(Times.at("10:00:05"), Times.at("10:00:40")),
            gap(Times.at("10:00:40"), Times.at("10:00:05")))) {
      GapTable table = GapTable.builder().add("s", gap).build();
      assertThat(table.meets("s", Times.at(start), Times.at(end))).isEqualTo(meets);
      assertThat(table.meets("t", Times.at(start), Times.at(end))).isFalse();
    }
  }

  @Test
  void stretchesWithACommonInstantAreOne() {
    GapTable table =
        GapTable.builder()
            .add("s", gap(Times.at("10:00:00"), Times.at("10:00:05")))
            .add("s", gap(Times.at("10:00:05.000000001"), Times.at("10:00:07")))
            .add("s", gap(Times.at("10:00:07"), Times.at("10:00:09")))
            .add("s", gap(Times.at("10:00:08"), Times.at("10:00:08")))
            .build();
    assertThat(table.bySequence().get("s"))
        .containsExactly(
            new GapTable.Stretch(Times.at("10:00:00"), Times.at("10:00:05")),
            new GapTable.Stretch(Times.at("10:00:05.000000001"), Times.at("10:00:09")));
  }

  @Test
  void anyWindowIsAnsweredAsIfEachGapWereAsked() {
    Random random = new Random(7);
    for (int run = 0; run < 500; run++) {
      List<Gap> gaps = new ArrayList<>();
      GapTable.Builder left = GapTable.builder();
      GapTable.Builder right = GapTable.builder();
      for (int i = random.nextInt(12); i > 0; i--) {
        Instant lower = Instant.ofEpochSecond(random.nextInt(60));
        Gap gap = gap(lower, lower.plusSeconds(random.nextInt(9) - 4));
        gaps.add(gap);
        (random.nextBoolean() ? left : right).add("s", gap);
      }
      right.add("t", gap(Instant.EPOCH, Instant.MAX));
      GapTable table = right.addAll(left.build()).build();

      KeyWriter out = new KeyWriter();
      table.write(out);
      KeyReader in = new KeyReader(out.toBytes());
      assertThat(GapTable.read(in)).isEqualTo(table);
      assertThat(in.isAtEnd()).isTrue();

      for (int i = 0; i < 50; i++) {
        Instant start = Instant.ofEpochSecond(random.nextInt(70) - 5);
        Instant end = start.plusSeconds(1 + random.nextInt(4));
        assertThat(table.meets("s", start, end))
            .isEqualTo(gaps.stream().anyMatch(gap -> meets(gap, start, end)));
      }
    }
  }

  private static boolean meets(Gap gap, Instant start, Instant end) {
    Instant a = gap.lower().occurredAt();
    Instant b = gap.upper().occurredAt();
    Instant from = a.isBefore(b) ? a : b;
    Instant to = a.isBefore(b) ? b : a;
    return from.isBefore(end) && !to.isBefore(start);
  }

  @Test
  void anEmptyTableMeetsNothing() {
    assertThat(GapTable.builder().build().bySequence()).isEmpty();
    assertThat(GapTable.builder().build().meets("s", Instant.MIN, Instant.MAX)).isFalse();
  }
}
