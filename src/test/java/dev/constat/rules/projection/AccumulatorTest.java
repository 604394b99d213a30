package dev.constat.rules.projection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.spec.Aggregate.Function;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AccumulatorTest {

  /** A contribution. */
  private record Added(String value, EventOrder order) {}

  private static EventOrder at(int second) {
    return EventOrder.at(Instant.ofEpochSecond(second));
  }

  /** Contributions as "value", one second apart; - is no value. */
  private static List<Added> values(String texts) {
    List<Added> added = new ArrayList<>();
    for (String text : texts.split(" ", -1)) {
      added.add(new Added(text.equals("-") ? null : text, at(added.size())));
    }
    return added;
  }

  private static Accumulator of(Function function, List<Added> added) {
    Accumulator accumulator = Accumulator.of(function);
    added.forEach(one -> accumulator.add(one.value, one.order));
    return accumulator;
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      nullValues = "none",
      value = {
        "COUNT, - 1 null \"x\", 4",
        "SUM, 1 25e-1 \"2.50\" - null, 6",
        "SUM, 1e-1 2e-1, 0.3",
        "SUM, 1 -1, 0",
        "SUM, - null, none",
        "SUM, 12e2 1, 1201",
        "SUM, 5 \"x\" true, 5",
        "MIN, 3 \"-2\" 1, -2",
        "MIN, - \"x\", none",
        "MAX, 3 \"2e1\" 1, 20",
        "MAX, 25e-1 \"2.50\", 2.5",
        "FIRST, \"a\" \"b\", \"a\"",
        "LAST, \"a\" \"b\", \"b\"",
        "LAST, \"a\" -, none",
        "LAST, 1 125e-1, 12.5",
        "DISTINCT, 1 \"1\" 1 - null 2, 3",
        "DISTINCT, -, 0",
      })
  void aColumnIsComputed(Function function, String values, String result) {
    Accumulator accumulator = of(function, values(values));
    assertThat(accumulator.result()).isEqualTo(result);
    assertThat(accumulator.candidates()).hasSizeLessThan(2);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      value = {
        "SUM, \"x\", false",
        "SUM, true, false",
        "SUM, 1e999999999, false",
        "SUM, null, true",
        "SUM, \"1\", true",
        "MAX, \"NaN\", false",
        "MIN, {}, false",
        "COUNT, {}, true",
        "LAST, {}, true",
        "DISTINCT, {}, true",
      })
  void whatCannotBeUsedIsSaid(Function function, String value, boolean used) {
    assertThat(Accumulator.of(function).add(value, at(0))).isEqualTo(used);
  }

  @Test
  void aSequenceOutranksTheClock() {
    // The second update overtook the first in time, but not by number.
    List<Added> added =
        List.of(
            new Added("\"new\"", new EventOrder("s", 0, 2, Instant.ofEpochSecond(1))),
            new Added("\"old\"", new EventOrder("s", 0, 1, Instant.ofEpochSecond(9))));
    assertThat(of(Function.LAST, added).result()).isEqualTo("\"new\"");
    assertThat(of(Function.FIRST, added).result()).isEqualTo("\"old\"");
  }

  @Test
  void acrossSequencesTheClockDecides() {
    List<Added> added =
        List.of(
            new Added("1", new EventOrder("s", 1, 1, Instant.ofEpochSecond(5))),
            new Added("2", new EventOrder("s", 0, 9, Instant.ofEpochSecond(8))),
            new Added("3", new EventOrder("t", 0, 1, Instant.ofEpochSecond(6))),
            new Added("4", at(4)));
    assertThat(of(Function.LAST, added).result()).isEqualTo("3");
    assertThat(of(Function.FIRST, added).result()).isEqualTo("4");
  }

  @Test
  void numbersOfASequenceAreUnsigned() {
    List<Added> added =
        List.of(
            new Added("1", new EventOrder("s", 0, -1, Instant.EPOCH)),
            new Added("2", new EventOrder("s", 0, 1, Instant.EPOCH)));
    assertThat(of(Function.LAST, added).result()).isEqualTo("1");
  }

  @Test
  void headsThatTieAreCandidates() {
    Accumulator last =
        of(Function.LAST, List.of(new Added("\"b\"", at(1)), new Added("\"a\"", at(1))));
    assertThat(last.result()).isNull();
    assertThat(last.candidates()).containsExactly("\"a\"", "\"b\"");
    // equal values are no question
    assertThat(of(Function.LAST, List.of(new Added("1", at(1)), new Added("1", at(1)))).result())
        .isEqualTo("1");
    // nothing is a value too
    assertThat(
            of(Function.LAST, List.of(new Added("1", at(1)), new Added(null, at(1)))).candidates())
        .containsExactly("1", "null");
  }

  @Test
  void theSmallestCandidatesAreListed() {
    List<Added> added = new ArrayList<>();
    for (int i = 99; i >= 10; i--) {
      added.add(new Added("\"" + i + "\"", at(1)));
    }
    assertThat(of(Function.LAST, added).candidates()).hasSize(10).contains("\"10\"", "\"19\"");
  }

  @ParameterizedTest
  @EnumSource(Function.class)
  void neitherOrderNorGroupingMatters(Function function) {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      List<Added> added = new ArrayList<>();
      for (int i = random.nextInt(12); i >= 0; i--) {
        added.add(new Added(value(random), order(random)));
      }
      byte[] expected = bytes(of(function, added));
      Collections.shuffle(added, random);
      assertThat(bytes(tree(function, added, random))).isEqualTo(expected);
    }
  }

  /** Split anywhere, any part by way of its bytes. */
  private static Accumulator tree(Function function, List<Added> added, Random random) {
    if (added.size() < 2) {
      return of(function, added);
    }
    int middle = 1 + random.nextInt(added.size() - 1);
    Accumulator left = tree(function, added.subList(0, middle), random);
    Accumulator right = tree(function, added.subList(middle, added.size()), random);
    Accumulator copy = Accumulator.of(function);
    copy.read(new KeyReader(bytes(right)));
    left.merge(copy);
    return left;
  }

  private static byte[] bytes(Accumulator accumulator) {
    KeyWriter out = new KeyWriter();
    accumulator.write(out);
    return out.toBytes();
  }

  static String value(Random random) {
    String[] values = {
      null,
      "null",
      "0",
      "1",
      "25e-1",
      "\"2.50\"",
      "-1e3",
      "\"1E3\"",
      "\"x\"",
      "true",
      "{}",
      "1e-30",
      "1e30",
      "1e99999",
      "\"a\"",
      "\"\uD83D\uDE00\"",
      "\"\uFFFF\""
    };
    return values[random.nextInt(values.length)];
  }

  static EventOrder order(Random random) {
    Instant time = Instant.ofEpochSecond(random.nextInt(4));
    int sequence = random.nextInt(3);
    return sequence == 0
        ? EventOrder.at(time)
        : new EventOrder("s" + sequence, random.nextInt(2), random.nextInt(3), time);
  }
}
