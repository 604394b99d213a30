package dev.constat.transforms.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordSorterTest {

  private final HeapSpillSpace space = new HeapSpillSpace();

  static Stream<Arguments> shapesAndBudgets() {
    return Stream.of(RecordShape.values())
        .flatMap(
            shape ->
                Stream.of(4L << 10, 16L << 10, 64L << 10, 1L << 20, 64L << 20)
                    .map(budget -> Arguments.of(shape, budget)));
  }

  @ParameterizedTest
  @MethodSource("shapesAndBudgets")
  void sortsAsTheOracleDoes(RecordShape shape, long budget) throws IOException {
    try (RecordSorter sorter = new RecordSorter(space, budget)) {
      int[] counts = {0, 1, 2, 3, 8, 9, 40, 41, 300, 6_000};
      for (int i = 0; i < counts.length; i++) {
        List<TestRecord> records = shape.records(i, counts[i]);
        for (TestRecord record : records) {
          record.addTo(sorter);
        }

        assertThat(TestRecord.readGroups(sorter.sort()))
            .isEqualTo(TestRecord.sortedGroups(records));
        sorter.clear();
        assertThat(space.stillOpen()).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(RecordShape.class)
  void sortsManyRecordsInMemory(RecordShape shape) throws IOException {
    List<TestRecord> records = shape.records(7, 60_000);
    try (RecordSorter sorter = new RecordSorter(space, 256L << 20)) {
      for (TestRecord record : records) {
        record.addTo(sorter);
      }

      assertThat(TestRecord.readGroups(sorter.sort())).isEqualTo(TestRecord.sortedGroups(records));
    }
    assertThat(space.opened()).isZero();
  }

  @Test
  void givesTheSameForAnyOrderOfArrival() throws IOException {
    List<TestRecord> records = RecordShape.TIES.records(3, 5_000);
    List<TestRecord> shuffled = new ArrayList<>(records);
    Collections.shuffle(shuffled, new Random(4));
    try (RecordSorter one = new RecordSorter(space, 8 << 10);
        RecordSorter other = new RecordSorter(space)) {
      for (TestRecord record : records) {
        record.addTo(one);
      }
      for (TestRecord record : shuffled) {
        record.addTo(other);
      }

      assertThat(TestRecord.readGroups(one.sort())).isEqualTo(TestRecord.readGroups(other.sort()));
    }
  }

  @Test
  void mergesInPassesWhenThereAreManyRuns() throws IOException {
    List<TestRecord> records = RecordShape.NOISE.records(5, 20_000);
    try (RecordSorter sorter = new RecordSorter(space, RecordSorter.MIN_BUDGET)) {
      for (TestRecord record : records) {
        record.addTo(sorter);
      }
      int runs = space.stillOpen();
      SortedRecords sorted = sorter.sort();

      assertThat(runs).isGreaterThan(2 * RecordSorter.FAN_IN);
      assertThat(space.stillOpen()).isEqualTo(RecordSorter.FAN_IN);
      assertThat(TestRecord.readGroups(sorted)).isEqualTo(TestRecord.sortedGroups(records));
      assertThat(space.stillOpen()).as("runs are dropped once they are read").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {64 << 10, 4 << 20, 256 << 20})
  void readsAGroupOfAMillionRecords(long budget) throws IOException {
    int count = 1_000_000;
    KeyWriter group = new KeyWriter().text("orders").text("hot");
    KeyWriter order = new KeyWriter();
    KeyWriter body = new KeyWriter();
    try (RecordSorter sorter = new RecordSorter(space, budget)) {
      for (int i = 0; i < count; i++) {
        // Odd, so that multiplying permutes the numbers below a power of two; a million need 20.
        order.clear().signed((i * 0x9E3779B1L) & 0xFFFFF);
        body.clear().signed(i);
        sorter.add(group, order, 1, body);
      }

      SortedRecords sorted = sorter.sort();
      assertThat(sorted.nextGroup()).isTrue();
      long last = -1;
      long bodies = 0;
      int records = 0;
      while (sorted.nextRecord()) {
        long at = new KeyReader(sorted.buffer(), sorted.orderFrom(), sorted.orderTo()).signed();
        if (at <= last) {
          throw new AssertionError(at + " comes after " + last);
        }
        last = at;
        bodies += new KeyReader(sorted.buffer(), sorted.bodyFrom(), sorted.bodyTo()).signed();
        records++;
      }
      assertThat(records).isEqualTo(count);
      assertThat(bodies).isEqualTo(count * (count - 1L) / 2);
      assertThat(sorted.group()).isEqualTo(group.toBytes());
      assertThat(sorted.nextGroup()).isFalse();
    }
    assertThat(space.stillOpen()).isZero();
  }

  @Test
  void sortsKeysThatDifferAtTheirEndsOnly() throws IOException {
    // One key per length: in each step of seven bytes only one or a few are told apart.
    List<TestRecord> records =
        Stream.iterate(0, i -> i + 1)
            .limit(3_000)
            .map(i -> new TestRecord(new byte[(i * 7919) % 3_000], new byte[0], 0, new byte[0]))
            .toList();
    try (RecordSorter sorter = new RecordSorter(space)) {
      for (TestRecord record : records) {
        record.addTo(sorter);
      }

      assertThat(TestRecord.readGroups(sorter.sort())).isEqualTo(TestRecord.sortedGroups(records));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4 << 10, 64 << 10, 64 << 20})
  void takesARecordLargerThanItsBudget(long budget) throws IOException {
    byte[] large = new byte[3 << 20];
    new Random(1).nextBytes(large);
    List<TestRecord> records =
        List.of(
            new TestRecord(new byte[] {2}, new byte[0], 0, large),
            new TestRecord(new byte[] {1}, new byte[0], 0, new byte[] {1}),
            new TestRecord(Arrays.copyOf(large, 1 << 20), new byte[0], 0, large),
            new TestRecord(Arrays.copyOf(large, 1 << 20), new byte[] {1}, 0, large));
    try (RecordSorter sorter = new RecordSorter(space, budget)) {
      for (int repeat = 0; repeat < 3; repeat++) {
        for (TestRecord record : records) {
          record.addTo(sorter);
        }

        assertThat(TestRecord.readGroups(sorter.sort()))
            .isEqualTo(TestRecord.sortedGroups(records));
        sorter.clear();
      }
    }
  }

  @Test
  void keepsWithinItsBudgetFromSortToSort() throws IOException {
    long budget = 1 << 20;
    RecordArena arena = new RecordArena(budget);
    for (RecordShape shape :
        List.of(RecordShape.TIES, RecordShape.SOME_LARGE, RecordShape.TIES, RecordShape.NOISE)) {
      long held = 0;
      for (TestRecord record : shape.records(9, 200_000)) {
        int length =
            RecordView.lengthOf(record.group().length, record.order().length, record.body().length);
        if (!arena.reserve(length, 1)) {
          break;
        }
        arena.add(length);
        held += length + 2 * Long.BYTES;
        assertThat(arena.memory()).isLessThanOrEqualTo(budget);
      }
      assertThat(held).as("%s use the budget", shape).isGreaterThan(budget / 2);
      arena.clear();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4 << 10, 64 << 20})
  void passesOverWhatIsNotRead(long budget) throws IOException {
    List<TestRecord> records = RecordShape.IDS.records(11, 4_000);
    List<List<TestRecord>> expected = TestRecord.sortedGroups(records);
    Random random = new Random(12);
    try (RecordSorter sorter = new RecordSorter(space, budget)) {
      for (TestRecord record : records) {
        record.addTo(sorter);
      }
      SortedRecords sorted = sorter.sort();
      for (List<TestRecord> group : expected) {
        assertThat(sorted.nextGroup()).isTrue();
        assertThat(sorted.group()).isEqualTo(group.get(0).group());
        int wanted = random.nextInt(group.size() + 1);
        for (TestRecord record : group.subList(0, wanted)) {
          assertThat(sorted.nextRecord()).isTrue();
          assertThat(sorted.body()).isEqualTo(record.body());
          assertThat(sorted.group()).isEqualTo(record.group());
        }
        if (wanted == group.size() && random.nextBoolean()) {
          assertThat(sorted.nextRecord()).isFalse();
          assertThat(sorted.nextRecord()).isFalse();
          assertThat(sorted.group()).isEqualTo(group.get(0).group());
        }
      }
      assertThat(sorted.nextGroup()).isFalse();
      assertThat(sorted.nextGroup()).isFalse();
      assertThat(sorted.nextRecord()).isFalse();
    }
  }

  @Test
  void copiesNothingInMemory() throws IOException {
    try (RecordSorter sorter = new RecordSorter(space)) {
      for (TestRecord record : RecordShape.NOISE.records(1, 100)) {
        record.addTo(sorter);
      }
      SortedRecords sorted = sorter.sort();
      assertThat(sorted.nextGroup()).isTrue();
      assertThat(sorted.nextRecord()).isTrue();
      byte[] first = sorted.buffer();
      assertThat(sorted.nextGroup()).isTrue();
      assertThat(sorted.nextRecord()).isTrue();

      assertThat(sorted.buffer()).isSameAs(first).isSameAs(sorted.groupBuffer());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 10_000, 100_000, 460_000})
  void namesTheCauseWhenSpillingFailsAndLeavesNoRunOpen(long room) throws IOException {
    HeapSpillSpace full = HeapSpillSpace.withRoomFor(room);
    RecordSorter sorter = new RecordSorter(full, RecordSorter.MIN_BUDGET);

    // The largest room takes all runs and fails in the first pass of the merge.
    assertThatThrownBy(
            () -> {
              for (TestRecord record : RecordShape.NOISE.records(5, 8_000)) {
                record.addTo(sorter);
              }
              sorter.sort();
            })
        .isInstanceOf(IOException.class)
        .hasMessage("Cannot sort in temporary space: no space left in the test")
        .hasRootCauseMessage("no space left in the test");
    assertThat(full.stillOpen()).isZero();
    assertThatThrownBy(sorter::sort)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The sorter failed before; clear it first");

    sorter.clear();
    RecordShape.NOISE.next(new Random(1)).addTo(sorter);
    assertThat(TestRecord.readGroups(sorter.sort())).hasSize(1);
    sorter.close();
  }

  @Test
  void findsThatARunHasLostRecords() throws IOException {
    HeapSpillSpace losing = HeapSpillSpace.losingBeyond(1_500);
    try (RecordSorter sorter = new RecordSorter(losing, RecordSorter.MIN_BUDGET)) {
      for (TestRecord record : RecordShape.NOISE.records(5, 200)) {
        record.addTo(sorter);
      }
      SortedRecords sorted = sorter.sort();

      assertThatThrownBy(() -> TestRecord.readGroups(sorted))
          .isInstanceOf(IOException.class)
          .hasMessage("Temporary data is damaged: it ends before its last record");
    }
    assertThat(losing.stillOpen()).isZero();
  }

  @Test
  void dropsItsRunsWhenItIsClosedHalfway() throws IOException {
    RecordSorter sorter = new RecordSorter(space, RecordSorter.MIN_BUDGET);
    for (TestRecord record : RecordShape.NOISE.records(5, 500)) {
      record.addTo(sorter);
    }
    assertThat(space.stillOpen()).isPositive();
    sorter.clear();
    assertThat(space.stillOpen()).isZero();

    for (TestRecord record : RecordShape.NOISE.records(5, 500)) {
      record.addTo(sorter);
    }
    SortedRecords sorted = sorter.sort();
    assertThat(sorted.nextGroup()).isTrue();
    sorter.close();
    assertThat(space.stillOpen()).isZero();
    assertThatThrownBy(sorted::nextGroup).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesToBeUsedOutOfTurn() throws IOException {
    TestRecord record = new TestRecord(new byte[1], new byte[1], 0, new byte[1]);
    RecordSorter sorter = new RecordSorter(space);
    record.addTo(sorter);
    SortedRecords sorted = sorter.sort();

    assertThatThrownBy(() -> record.addTo(sorter))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The records were sorted; clear the sorter first");
    assertThatThrownBy(sorter::sort)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The records were sorted; clear the sorter first");
    assertThatThrownBy(sorted::nextRecord)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("There is no group yet; go to one with nextGroup()");
    assertThat(sorted.nextGroup()).isTrue();
    assertThatThrownBy(sorted::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("There is no current record");
    sorter.clear();
    assertThatThrownBy(sorted::nextRecord)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The records were dropped by their sorter");
    sorter.close();
    assertThatThrownBy(() -> record.addTo(sorter))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The sorter is closed");
  }

  @Test
  void refusesParametersOutOfRange() throws IOException {
    assertThatThrownBy(() -> new RecordSorter(space, 4095))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid memory budget: 4095 bytes, must be at least 4096");
    try (RecordSorter sorter = new RecordSorter(space)) {
      TestRecord record = new TestRecord(new byte[1], new byte[1], 256, new byte[1]);
      assertThatThrownBy(() -> record.addTo(sorter))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Invalid kind: 256, must be from 0 to 255");
    }
  }
}
