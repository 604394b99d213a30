package dev.constat.rules.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.outbox.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of an aggregate: how they travel, how they let others go, why they are overtaken. */
final class AggregateRowTest {

  private static final Instant AT = AggregateRows.START;

  static Stream<AggregateRow> rows() {
    return Stream.of(
        AggregateRows.of("o1").get(),
        AggregateRows.of("").delivered(3).dead(2).visible(1).attempts(6).priority(-1L).get(),
        AggregateRows.of("o2").delivered(3).provisional().visible(4).get(),
        AggregateRows.of("007").unordered().unsettled().status(null).get(),
        AggregateRows.of("7").waiting().visible(2).attempts(0).get(),
        new AggregateRow(
            null,
            "",
            "o",
            AT,
            null,
            false,
            false,
            false,
            false,
            false,
            Status.DLQ,
            Release.UNKNOWN,
            null,
            null,
            null,
            null,
            null,
            null,
            null));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void travels(AggregateRow row) {
    for (boolean integerIds : new boolean[] {true, false}) {
      KeyWriter out = new KeyWriter();
      row.write(out, integerIds);
      KeyReader in = new KeyReader(out.toBytes());
      assertThat(AggregateRow.read(in, integerIds)).isEqualTo(row);
      assertThat(in.isAtEnd()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void travelsAsAMark(AggregateRow row) {
    KeyWriter mark = new KeyWriter();
    RowMark.writeFirst(mark, AggregateRows.position(row), AggregateRows.content(row));
    assertThat(RowMark.first(mark.toBytes(), row.aggregateType(), row.aggregateId(), false))
        .isEqualTo(row);
    if (row.release() == Release.AT_A_TIME) {
      RowMark.writeLast(mark.clear(), row, AggregateRows.position(row), AggregateRows.content(row));
      assertThat(RowMark.last(mark.toBytes(), row.aggregateType(), row.aggregateId(), false))
          .isEqualTo(row);
      assertThat(RowMark.releasedAt(mark.toBytes())).isEqualTo(row.releasedAt());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "9, 10, true, true",
    "9, 10, false, false",
    "010, 11, true, true", // padded or not, digits are an integer
    "9, 0010, true, true",
    "007, 7, true, true", // and of one integer the text decides
    "7, 007, true, false",
    "10, 1x, true, true", // what is no integer stands behind
    "a, 10, true, false"
  })
  void idsAreOrderedAsDeclared(String id, String other, boolean integerIds, boolean before) {
    assertThat(order(id, other, integerIds)).isEqualTo(before);
  }

  private static boolean order(String id, String other, boolean integerIds) {
    KeyWriter first = new KeyWriter();
    AggregateRows.of(id).get().writePosition(first, integerIds);
    KeyWriter second = new KeyWriter();
    AggregateRows.of(other).get().writePosition(second, integerIds);
    return Arrays.compareUnsigned(first.toBytes(), second.toBytes()) < 0;
  }

  @ParameterizedTest
  @CsvSource({
    "5, , 6, , true", // the later lets go last
    "5, , 5, , true", // of several, the first in order
    "6, , 5, , false",
    "9, 5, 6, , true", // given up before it was delivered
    "4, , 9, 5, true",
    ", 5, 4, , false"
  })
  void theGreatestMarkIsOfTheRowThatLetsGoLast(
      Integer delivered, Integer dead, Integer otherDelivered, Integer otherDead, boolean other) {
    byte[] first = last("o1", 0, delivered, dead);
    byte[] second =
        last(
            "o2",
            delivered != null && delivered.equals(otherDelivered) ? -1 : 1,
            otherDelivered,
            otherDead);
    assertThat(Arrays.compareUnsigned(second, first) > 0).isEqualTo(other);
  }

  private static byte[] last(String id, int created, Integer delivered, Integer dead) {
    AggregateRows rows = AggregateRows.of(id).created(created);
    if (delivered != null) {
      rows.delivered(delivered);
    }
    if (dead != null) {
      rows.dead(dead);
    }
    KeyWriter mark = new KeyWriter();
    AggregateRow row = rows.get();
    RowMark.writeLast(mark, row, AggregateRows.position(row), AggregateRows.content(row));
    return mark.toBytes();
  }

  @ParameterizedTest
  @MethodSource
  void letsGo(Status status, Instant delivery, OptionalTime dead, boolean known, Release release) {
    assertThat(Release.of(status, delivery, dead.known(), dead.orNull(), known)).isEqualTo(release);
  }

  static Stream<Arguments> letsGo() {
    OptionalTime none = OptionalTime.ABSENT;
    OptionalTime at = OptionalTime.at(AT);
    OptionalTime unzoned = new OptionalTime(AT, false);
    return Stream.of(
        arguments(Status.PENDING, null, none, true, Release.NEVER),
        arguments(Status.PROCESSING, null, none, true, Release.NEVER),
        arguments(Status.PENDING, null, none, false, Release.UNKNOWN),
        arguments(Status.PENDING, AT, none, true, Release.AT_A_TIME),
        arguments(Status.PENDING, null, at, true, Release.AT_A_TIME),
        arguments(Status.DISPATCHED, null, none, true, Release.UNKNOWN),
        arguments(Status.DISPATCHED, AT, none, false, Release.AT_A_TIME),
        arguments(Status.DISPATCHED, AT, unzoned, true, Release.UNKNOWN),
        arguments(Status.DLQ, null, none, true, Release.UNKNOWN),
        arguments(Status.DLQ, null, at, true, Release.AT_A_TIME),
        arguments(Status.DLQ, null, unzoned, true, Release.UNKNOWN),
        arguments(null, null, none, true, Release.UNKNOWN),
        arguments(null, AT, none, true, Release.AT_A_TIME));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 5, 0, 1, RETRY_OVERTAKE",
    "1, 5, 0, 1, LATE_VISIBILITY",
    "1, 4, 0, 1, PRIORITY", // visible just when the other was delivered
    ", , 0, 1, PRIORITY",
    "1, , 1, 1, UNKNOWN",
    "1, , 1, 0, UNKNOWN",
    "1, , , 9, UNKNOWN",
    "1, , 0, , UNKNOWN"
  })
  void causeIsTheFirstThatApplies(
      Long attempts, Integer visible, Long priority, Long otherPriority, Cause cause) {
    AggregateRows overtaken = AggregateRows.of("o1").delivered(9).priority(priority);
    if (attempts != null) {
      overtaken.attempts(attempts);
    }
    if (visible != null) {
      overtaken.visible(visible);
    }
    AggregateRow overtaking = AggregateRows.of("o2").delivered(4).priority(otherPriority).get();
    assertThat(Cause.of(overtaken.get(), overtaking)).isEqualTo(cause);
  }

  @Test
  void theLongestIsTheGreatestAndOfSeveralTheSmallestId() {
    byte[] shorter = new OrderTally.Longest(Duration.ofMillis(1), "a").toBytes();
    byte[] longer = new OrderTally.Longest(Duration.ofSeconds(1), "b").toBytes();
    byte[] other = new OrderTally.Longest(Duration.ofSeconds(1), "b0").toBytes();
    assertThat(Arrays.compareUnsigned(longer, shorter)).isPositive();
    assertThat(Arrays.compareUnsigned(longer, other)).isPositive();
    assertThat(OrderTally.Longest.fromBytes(other))
        .isEqualTo(new OrderTally.Longest(Duration.ofSeconds(1), "b0"));
  }
}
