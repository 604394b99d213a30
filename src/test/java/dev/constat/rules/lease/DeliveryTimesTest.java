package dev.constat.rules.lease;

import static dev.constat.rules.outbox.History.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.outbox.Claims;
import dev.constat.rules.outbox.History;
import dev.constat.rules.outbox.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryTimesTest {

  private static final Duration TTL = Duration.ofSeconds(60);

  private final DeliveryTimes times = new DeliveryTimes(type -> TTL);

  /** Takes a row in whose acknowledgements are {@code worker} and second, apart by blanks. */
  private void row(String outboxId, String history, String acks, boolean measured) {
    Claims claims = History.claims(history);
    Instant first = null;
    if (acks != null) {
      for (String ack : acks.split(" ", -1)) {
        Instant at = at(Integer.parseInt(ack.substring(1)));
        claims.delivered(ack.startsWith("-") ? null : ack.substring(0, 1), at);
        first = first == null || at.isBefore(first) ? at : first;
      }
    }
    times.row(named(Iterables.getLast(History.of(history)), outboxId), claims, first, measured);
  }

  private static OutboxRow named(OutboxRow row, String outboxId) {
    return named(row, outboxId, row.createdAt());
  }

  private static OutboxRow named(OutboxRow row, String outboxId, Instant createdAt) {
    return new OutboxRow(
        outboxId,
        row.source(),
        row.sourceEventId(),
        row.effectType(),
        null,
        null,
        null,
        null,
        row.status(),
        row.attempts(),
        createdAt,
        row.visibleAt(),
        row.claimedAt(),
        row.leaseOwner(),
        row.leaseUntil(),
        row.dispatchedAt(),
        row.dlqAt(),
        row.rowVersion(),
        null,
        row.named(),
        row.place());
  }

  private DeliveryTimes.OfType told() {
    Tally tally = new Tally();
    times.flush(tally);
    return Iterables.getOnlyElement(
        DeliveryTimes.of(Tally.fromBytes(tally.toBytes()), type -> TTL));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      nullValues = "-",
      value = {
        // history, acknowledgements, dispatch to ack, claim to dispatch, lease needed, over the TTL
        "D:a@0-60!5,                       a7,      PT2S,  PT5S,  PT5S,   0",
        "D:a@0-60!5,                       a3,      PT-2S, PT5S,  PT5S,   0",
        "D:a@0-60!5,                       -,       -,     PT5S,  PT5S,   0",
        "D:a@0-60,                         a3,      -,     -,     PT3S,   0",
        "D!5,                              -7,      PT2S,  -,     -,      0",
        "D:a@9-60!5,                       -7,      PT2S,  -,     -,      0",
        "D:a@0-60!5?,                      a7,      -,     -,     PT7S,   0",
        "P:a@0-60 P:b@62-122 D:b@62-122!64, a75 b63, PT-1S, PT2S,  PT1M15S, 1",
        "P:a@0-60 P:b@62-122 D:b@62-122!64, b63,     PT-1S, PT2S,  PT2S,   0",
        "D:a@0-60!60,                      a1,      PT-59S, PT1M, PT1M,   0",
        "D:a@0-60!61,                      a1,      PT-1M, PT1M1S, PT1M1S, 1",
        "W,                                -,       -,     -,     -,      0",
      })
  void eachClaimNeedsItsLeaseUntilItsWorkIsDone(
      String history, String acks, String toAck, String toDispatch, String lease, long over) {
    row("o1", history, acks, true);
    DeliveryTimes.OfType told = told();
    assertThat(text(told.dispatchToAck())).isEqualTo(toAck);
    assertThat(text(told.claimToDispatch())).isEqualTo(toDispatch);
    assertThat(text(told.lease())).isEqualTo(lease);
    assertThat(told.overTtl()).isEqualTo(over);
    assertThat(told.rows()).isEqualTo(1);
    assertThat(told.lastCreatedAt()).isEqualTo(Instant.EPOCH);
  }

  private static String text(Delays delays) {
    return delays.longest() == null ? null : delays.longest().toString();
  }

  @Test
  void theLongestNamesTheSmallestRow() {
    row("o2", "D:a@0-60!5", null, true);
    row("o9", "D:a@0-60!8", null, true);
    row("o10", "D:a@0-60!8", null, true);
    row("o95", "D:a@0-60!8", null, true);
    Delays lease = told().lease();
    assertThat(lease.longest()).isEqualTo(Duration.ofSeconds(8));
    assertThat(lease.outboxId()).isEqualTo("o10");
    assertThat(lease.count()).isEqualTo(4);
    assertThat(lease.millis()).isEqualTo(29_000);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1.25S, PT1.5S, PT1.5S, o2",
    "PT1.5S, PT1.25S, PT1.5S, o1",
    "PT2S, PT1.999999999S, PT2S, o1",
    "PT-0.5S, PT-1.5S, PT-0.5S, o1",
    "PT1.5S, PT1.5S, PT1.5S, o1",
  })
  void theLongestOfAllPartsIsExact(Duration a, Duration b, Duration longest, String outboxId) {
    Tally tally = new Tally();
    Delays.Counter first = new Delays.Counter("lease", "notify");
    first.add(a, "o1");
    first.flush(tally);
    Delays.Counter second = new Delays.Counter("lease", "notify");
    second.add(b, "o2");
    second.flush(tally);
    Delays told = Delays.of(tally, "lease", "notify");
    assertThat(told.longest()).isEqualTo(longest);
    assertThat(told.outboxId()).isEqualTo(outboxId);
  }

  @Test
  void windowsWithoutRepeatsAreNotListed() {
    Tally tally = new Tally();
    tally.add(3, LeaseTally.WINDOWS, "notify", "NOT_SHOWN");
    tally.add(1, LeaseTally.WINDOWS, "notify", "SURPLUS_ROW");
    tally.add(-1, LeaseTally.WINDOWS, "notify", "SURPLUS_ROW");
    DeliveryTimes.OfType told = Iterables.getOnlyElement(DeliveryTimes.of(tally, type -> TTL));
    assertThat(told.windows()).isEqualTo(Map.of("NOT_SHOWN", 3L));
    assertThat(told.lastCreatedAt()).isNull();
    assertThat(told.rows()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 3", "3, 1, 2", "2, 3, 1"})
  void theLastCreatedIsTheLatest(int a, int b, int c) {
    for (int second : new int[] {a, b, c}) {
      OutboxRow row = named(History.of("W").get(0), "o" + second, at(second));
      times.row(row, History.claims("W"), null, true);
    }
    assertThat(told().lastCreatedAt()).isEqualTo(at(3));
  }

  @Test
  void whatIsNotMeasuredWasWrittenAllTheSame() {
    row("o1", "D:a@0-60!5", "a7", false);
    DeliveryTimes.OfType told = told();
    assertThat(told.rows()).isEqualTo(1);
    assertThat(told.lease().count()).isZero();
    assertThat(told.lease().covering(990)).isNull();
    assertThat(told.dispatchToAck().count()).isZero();
  }

  @Test
  void partsAddUp() {
    Tally whole = new Tally();
    for (int i = 1; i <= 1_000; i++) {
      row("o" + i, "D:a@0-60!" + (i <= 990 ? 4 : i <= 999 ? 40 : 400), null, true);
      if (i % 100 == 0) {
        Tally part = new Tally();
        times.flush(part);
        whole.merge(part);
      }
    }
    Delays lease = DeliveryTimes.of(whole, type -> TTL).get(0).lease();
    assertThat(lease.count()).isEqualTo(1_000);
    assertThat(lease.covering(990)).isEqualTo(Duration.ofSeconds(5));
    assertThat(lease.covering(991)).isEqualTo(Duration.ofSeconds(45));
    assertThat(lease.covering(999)).isEqualTo(Duration.ofSeconds(45));
    assertThat(lease.covering(1_000)).isEqualTo(Duration.ofSeconds(400));
    assertThat(lease.longest()).isEqualTo(Duration.ofSeconds(400));
  }

  @ParameterizedTest
  @CsvSource({
    "PT-1S, 0",
    "PT-0.000000001S, 0",
    "PT0S, 0",
    "PT0.000000001S, 1",
    "PT0.01S, 1",
    "PT0.010000001S, 2",
    "PT1M, 14",
    "PT1M0.000000001S, 15",
    "P7D, 26",
    "PT168H0.000000001S, 27",
    "PT8000000000000H, 27",
    "PT-8000000000000H, 0",
  })
  void bucketsAreExact(String delay, int bucket) {
    assertThat(DelayBuckets.of(Duration.parse(delay))).isEqualTo(bucket);
  }

  @Test
  void nothingCoversWhatIsBeyondTheLastBound() {
    row("o1", "D:a@0-60!999999", null, true);
    Delays lease = told().lease();
    assertThat(lease.covering(990)).isNull();
    assertThat(lease.counts().get(DelayBuckets.BOUNDS.length())).isEqualTo(1);
    assertThat(List.of(DelayBuckets.millis(Duration.ofDays(10_000_000))))
        .containsExactly(315_576_000_000L);
    assertThat(DelayBuckets.millis(Duration.ofDays(-10_000_000))).isEqualTo(-315_576_000_000L);
    assertThat(DelayBuckets.millis(Duration.ofMillis(-1))).isEqualTo(-1);
  }
}
