package dev.constat.transforms.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlabsTest {

  private static final Samples ALL = new Samples("clock", 1);

  private static KeyWriter text(String text) {
    return new KeyWriter().text(text);
  }

  private static KeyWriter number(int number) {
    return new KeyWriter().octet(number);
  }

  private static void count(Samples samples, Tally tally, String scope, int position, int times) {
    for (int i = 0; i < times; i++) {
      samples.count(tally, number(i), text(scope), number(position));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // records at positions 1, 2, ... | size | slab of each of the positions from 0 to one beyond
    "1 1 1 1, 4, 0 0 0 0 0 0",
    "1 1 1 1, 3, 0 0 0 0 1 1",
    "1 1 1 1, 2, 0 0 0 1 1 1",
    "1 1 1 1, 1, 0 0 1 2 3 3",
    // one position is never cut, and stands alone where it is large
    "9, 3, 0 0 0",
    "1 9 1, 3, 0 0 1 2 2",
    "2 2 2, 3, 0 0 1 2 2",
    "9 1 1 1, 3, 0 0 1 1 1 1",
  })
  void scopesAreCutBetweenPositions(String counts, int size, String expected) {
    Tally tally = new Tally();
    String[] each = counts.split(" ", -1);
    for (int i = 0; i < each.length; i++) {
      count(ALL, tally, "scope", i + 1, Integer.parseInt(each[i]));
      count(new Samples("order", 1), tally, "scope", i + 1, 50);
    }
    count(ALL, tally, "small", 1, 1);
    Slabs slabs = Slabs.of(tally, ALL, size);
    List<String> found = new ArrayList<>();
    for (int position = 0; position <= each.length + 1; position++) {
      found.add(Integer.toString(slabs.slabOf(text("scope"), number(position))));
    }
    assertThat(String.join(" ", found)).isEqualTo(expected);
    assertThat(slabs.cutScopes()).isEqualTo(expected.contains("1") ? 1 : 0);
    assertThat(slabs.slabOf(text("small"), number(99))).isZero();
    assertThat(slabs.slabOf(text("scopf"), number(99))).isZero();
  }

  @Test
  void samplesStandForManyRecords() {
    Samples samples = new Samples("clock", 16);
    Tally tally = new Tally();
    for (int i = 0; i < 32_000; i++) {
      samples.count(tally, text("id" + i), text("hot"), new KeyWriter().unsigned(i));
      samples.count(tally, text("id" + i), text("s" + i % 1000), new KeyWriter().unsigned(i));
    }
    Slabs slabs = Slabs.of(tally, samples, 1_600);
    assertThat(slabs.cutScopes()).isEqualTo(1);
    int last = slabs.slabOf(text("hot"), new KeyWriter().unsigned(32_000));
    assertThat(last).isBetween(15, 25);
  }

  @Test
  void aSampleDependsOnItsIdAlone() {
    Samples samples = new Samples("clock", Samples.DEFAULT_RATE);
    Tally one = new Tally();
    Tally other = new Tally();
    for (int i = 0; i < 50_000; i++) {
      samples.count(one, text("id" + i), text("a"), number(0));
      samples.count(other, text("id" + (49_999 - i)), text("a"), number(0));
    }
    assertThat(one.toBytes()).isEqualTo(other.toBytes());
    long taken = one.sumsUnder(Samples.PATH).values().iterator().next();
    // About 50000 / 1024; another fingerprint would take others.
    assertThat(taken).isEqualTo(35);
  }

  @Test
  void anyBytesAreStepsOfAPathAndKeepTheirOrder() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Tally tally = new Tally();
    tally.add(1, Steps.of(bytes));
    Tally read = Tally.fromBytes(tally.toBytes());
    assertThat(Steps.bytes(read.sumsUnder().firstKey().get(0))).isEqualTo(bytes);
    assertThat(Steps.of(new byte[] {(byte) 0x80})).isGreaterThan(Steps.of(new byte[] {0x7F}));
  }

  @Test
  void aGroupIsAScopeAndASlab() {
    Tally tally = new Tally();
    for (int position = 0; position < 200; position++) {
      count(ALL, tally, "scope", position, 2);
    }
    Slabs slabs = Slabs.of(tally, ALL, 2);
    KeyWriter group = new KeyWriter();
    slabs.writeGroup(group, text("scope"), number(150));
    KeyReader in = new KeyReader(group.buffer(), 0, Slabs.scopeTo(group.size()));
    assertThat(in.text()).isEqualTo("scope");
    assertThat(in.isAtEnd()).isTrue();
    assertThat(group.toBytes()[group.size() - 1]).isEqualTo((byte) 150);
  }

  @Test
  void numbersAreWithinBounds() {
    assertThatThrownBy(() -> new Samples("clock", 3))
        .hasMessage("Invalid rate: 3, must be a power of two from 1");
    assertThatThrownBy(() -> Slabs.of(new Tally(), ALL, 0))
        .hasMessage("Invalid size of a slab: 0, must be at least 1");
  }
}
