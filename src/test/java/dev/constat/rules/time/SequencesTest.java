package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SequencesTest {

  /** The n-th reception to arrive; occurred_at in seconds. */
  private static Numbered reception(int arrival, long number, long occurredAt) {
    return new Numbered(
        number,
        Instant.ofEpochSecond(occurredAt),
        // two at a time, so that ids decide
        Instant.ofEpochSecond(arrival / 2),
        "i" + arrival % 2 + arrival,
        new Place(0, 0, 0, arrival, 0),
        true);
  }

  /** Receptions as "number" (one second later than the one before) or "number@second". */
  private static Sequences read(String receptions) {
    Sequences sequences = new Sequences(true);
    long second = 0;
    int arrival = 0;
    for (String text : receptions.split(" ", -1)) {
      List<String> parts = List.of(text.split("@", -1));
      second = parts.size() > 1 ? Long.parseLong(parts.get(1)) : second + 1;
      sequences.next(reception(arrival++, Long.parseUnsignedLong(parts.get(0)), second));
    }
    return sequences;
  }

  private static List<Gap> gaps(Sequences sequences) {
    List<Gap> gaps = new ArrayList<>();
    sequences.gaps(gaps::add);
    return gaps;
  }

  private static String text(Gap gap) {
    return gap.epoch()
        + ":"
        + Long.toUnsignedString(gap.firstMissing())
        + "-"
        + Long.toUnsignedString(gap.lastMissing());
  }

  @ParameterizedTest
  @CsvSource({
    // C31
    "41 42 45, 0, 0:43-44",
    "1, 0, ''",
    "1 1 1, 0, ''",
    "13 12 11, 0, ''",
    "11 13 12, 0, ''",
    "15 13 11, 0, 0:12-12 0:14-14",
    "15 13 11 12, 0, 0:14-14",
    "15 13 11 14, 0, 0:12-12",
    // below half of the largest
    "100 50, 0, 0:51-99",
    "100 49, 1, ''",
    "101 50, 1, ''",
    "1 0, 1, ''",
    "0 0, 0, ''",
    "18446744073709551615 9223372036854775808, 0, 0:9223372036854775809-18446744073709551614",
    "18446744073709551615 9223372036854775807, 1, ''",
    "0@5 18446744073709551615@6 0@5, 0, 0:1-18446744073709551614",
    "18446744073709551614 18446744073709551615, 0, ''",
    "18446744073709551615 18446744073709551613, 0,"
        + " 0:18446744073709551614-18446744073709551614",
    // what happened before the largest is only late
    "100@10 2@9, 0, 0:3-99",
    "100@10 2@10, 1, ''",
    // a late one of an epoch before belongs to it
    "98@8 100@10 1@11 99@9, 1, ''",
    "98@8 100@10 1@11 3@12 99@9, 1, 1:2-2",
    "98@8 100@10 1@11 3@12 2@12 99@13, 1, 0:99-99 1:4-98",
    // before all epochs: the first one
    "98@8 100@10 1@11 97@1, 1, 0:99-99",
    // a repeat of the largest does not move it
    "100@10 100@20 2@15, 1, ''",
    // the first epoch may begin after its largest happened
    "5@10 100@9 3@9, 1, 0:6-99",
    "5@10 100@9 3@9 4@10, 1, 0:6-99",
    "100 1 100 1 100, 2, 1:2-99 2:2-99",
  })
  void numbersBeginAnewAndAreMissing(String receptions, int resets, String gaps) {
    Sequences sequences = read(receptions);
    assertThat(sequences.resets()).hasSize(resets);
    assertThat(String.join(" ", gaps(sequences).stream().map(SequencesTest::text).toList()))
        .isEqualTo(gaps);
  }

  @Test
  void aGapLiesBetweenItsNeighbours() {
    // C31
    Sequences sequences = read("41@0 42@5 42@6 45@40 45@41");
    Gap gap = gaps(sequences).get(0);
    assertThat(gap.count()).isEqualTo(2);
    assertThat(gap.lower()).isEqualTo(reception(1, 42, 5));
    assertThat(gap.upper()).isEqualTo(reception(3, 45, 40));
    assertThat(sequences.seen()).isEqualTo(3);
    assertThat(sequences.missing(Long.MAX_VALUE)).isEqualTo(2);
    assertThat(sequences.missing(2)).isEqualTo(2);
    assertThat(sequences.missing(1)).isEqualTo(1);
  }

  @Test
  void aResetNamesWhatItFollows() {
    Reset reset = read("98@8 100@10 99@10 1@11").resets().get(0);
    assertThat(reset).isEqualTo(new Reset(1, reception(3, 1, 11), reception(1, 100, 10)));
  }

  @Test
  void holesOfAnySizeAreCounted() {
    Sequences sequences = read("0@1 18446744073709551615@2");
    assertThat(Long.toUnsignedString(gaps(sequences).get(0).count()))
        .isEqualTo("18446744073709551614");
    assertThat(sequences.missing(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void neighboursAreKeptOnRequestOnly() {
    Sequences sequences = new Sequences(false);
    sequences.next(reception(0, 11, 1));
    sequences.next(reception(1, 15, 2));
    sequences.next(reception(2, 12, 3));
    assertThat(sequences.holes()).isEqualTo(1);
    assertThat(sequences.missing(Long.MAX_VALUE)).isEqualTo(2);
    assertThatThrownBy(() -> sequences.gaps(gap -> {})).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatIsKeptGrowsWithTheHolesOnly() {
    Sequences sequences = new Sequences(true);
    for (int i = 0; i < 300_000; i++) {
      // three at a time, the other way round
      sequences.next(reception(i, 10 + i / 3 * 3 + 2 - i % 3, i));
    }
    assertThat(sequences.holes()).isZero();
    assertThat(sequences.seen()).isEqualTo(300_000);
  }

  @Test
  void namesTellSequencesApart() {
    assertThat(Sequences.name("S", List.of())).isEqualTo("[\"S\"]");
    assertThat(Sequences.name("S", Arrays.asList(null, "", "a\"b")))
        .isEqualTo("[\"S\",null,\"\",\"a\\\"b\"]");
    assertThat(Sequences.name("S", List.of("null")))
        .isNotEqualTo(Sequences.name("S", Arrays.asList((String) null)));
  }

  @Test
  void anyHistoryIsReadAsTheRuleSaysIt() {
    Random random = new Random(31);
    for (int run = 0; run < 3_000; run++) {
      List<Numbered> history = history(random);
      Sequences sequences = new Sequences(true);
      Sequences counted = new Sequences(false);
      Naive naive = new Naive();
      List<Integer> belongs = new ArrayList<>();
      for (Numbered reception : history) {
        sequences.next(reception);
        counted.next(reception);
        belongs.add(naive.next(reception));
      }
      assertThat(gaps(sequences)).isEqualTo(naive.gaps());
      assertThat(sequences.resets()).isEqualTo(naive.resets);
      assertThat(sequences.seen()).isEqualTo(naive.seen());
      assertThat(counted.epochs()).isEqualTo(sequences.epochs());
      assertThat(counted.holes()).isEqualTo(naive.gaps().size());
      long limit = 1L + random.nextInt(500);
      assertThat(BigInteger.valueOf(counted.missing(limit)))
          .isEqualTo(naive.missing().min(BigInteger.valueOf(limit)));

      Epochs epochs = sequences.epochs();
      KeyWriter out = new KeyWriter();
      epochs.write(out);
      KeyReader in = new KeyReader(out.toBytes());
      assertThat(Epochs.read(in)).isEqualTo(epochs);
      assertThat(in.isAtEnd()).isTrue();
      assertThat(epochs.single()).isEqualTo(naive.resets.isEmpty());
      for (int i = 0; i < history.size(); i++) {
        Numbered reception = history.get(i);
        assertThat(
                epochs.of(reception.receivedAt(), reception.ingestionId(), reception.occurredAt()))
            .isEqualTo(belongs.get(i).longValue());
      }
    }
  }

  private static List<Numbered> history(Random random) {
    int size = 1 + random.nextInt(60);
    int disorder = 1 + random.nextInt(8);
    long base =
        switch (random.nextInt(3)) {
          case 0 -> 0;
          case 1 -> -1L - random.nextInt(40);
          default -> random.nextLong();
        };
    List<Numbered> history = new ArrayList<>();
    long number = base;
    for (int i = 0; i < size; i++) {
      number = random.nextInt(15) == 0 ? random.nextInt(5) : number + random.nextInt(3);
      long jump = random.nextInt(6) == 0 ? random.nextInt(9) - 4 : 0;
      history.add(reception(i, number + jump, i + random.nextInt(disorder)));
    }
    return history;
  }

  /** The rule, word by word. */
  private static final class Naive {

    private final List<Numbered> firsts = new ArrayList<>();
    private final List<Map<BigInteger, Numbered>> numbers = new ArrayList<>();
    private final List<Reset> resets = new ArrayList<>();

    int next(Numbered reception) {
      BigInteger number = big(reception.number());
      if (firsts.isEmpty()) {
        open(reception);
      } else {
        Map.Entry<BigInteger, Numbered> largest =
            numbers.get(numbers.size() - 1).entrySet().stream()
                .max(Comparator.comparing(entry -> entry.getKey()))
                .orElseThrow();
        if (number.multiply(BigInteger.TWO).compareTo(largest.getKey()) < 0
            && !reception.occurredAt().isBefore(largest.getValue().occurredAt())) {
          resets.add(new Reset(firsts.size(), reception, largest.getValue()));
          open(reception);
        }
      }
      int epoch = 0;
      for (int i = 0; i < firsts.size(); i++) {
        if (!firsts.get(i).occurredAt().isAfter(reception.occurredAt())) {
          epoch = i;
        }
      }
      numbers.get(epoch).putIfAbsent(number, reception);
      return epoch;
    }

    private void open(Numbered reception) {
      firsts.add(reception);
      numbers.add(new TreeMap<>());
    }

    List<Gap> gaps() {
      List<Gap> gaps = new ArrayList<>();
      for (int epoch = 0; epoch < numbers.size(); epoch++) {
        BigInteger below = null;
        for (BigInteger number : numbers.get(epoch).keySet()) {
          if (below != null && !below.add(BigInteger.ONE).equals(number)) {
            gaps.add(
                new Gap(
                    epoch,
                    below.add(BigInteger.ONE).longValue(),
                    number.subtract(BigInteger.ONE).longValue(),
                    numbers.get(epoch).get(below),
                    numbers.get(epoch).get(number)));
          }
          below = number;
        }
      }
      return gaps;
    }

    long seen() {
      return numbers.stream().mapToLong(Map::size).sum();
    }

    BigInteger missing() {
      return gaps().stream()
          .map(gap -> big(gap.lastMissing()).subtract(big(gap.firstMissing())).add(BigInteger.ONE))
          .reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static BigInteger big(long unsigned) {
      return new BigInteger(Long.toUnsignedString(unsigned));
    }
  }
}
