package dev.constat.rules.reconcile;

import static dev.constat.rules.reconcile.Standing.IN_FLIGHT;
import static dev.constat.rules.reconcile.Standing.OUT_OF_HORIZON;
import static dev.constat.rules.reconcile.Standing.SETTLED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of horizons, row by row: at each bound, and a nanosecond before and after it. */
class HorizonsTest {

  private static final Duration GRACE = Duration.ofMinutes(10);
  private static final Duration PENDING = Duration.ofMinutes(30);

  /** Every input has its own start and cut. */
  private static Run run() {
    return Run.standard()
        .archive(Input.EVENTS, "start: 2026-01-01T00:00:00Z, cut: 2026-01-05T12:00:00Z")
        .archive(Input.OUTBOX, "start: 2026-01-02T00:00:00Z, cut: 2026-01-05T11:00:00Z")
        .archive(Input.ACKNOWLEDGEMENTS, "start: 2026-01-03T00:00:00Z, cut: 2026-01-05T10:00:00Z")
        .archive(Input.DECISIONS, "start: 2026-01-04T00:00:00Z, cut: 2026-01-05T09:00:00Z");
  }

  /** A row of the table: settled at or before the first bound, out of horizon before the second. */
  private enum Absence {
    MISSING_OUTBOX("10:50:00", "2026-01-02T00:00:00") {
      @Override
      Standing of(Horizons horizons, Instant time) {
        return horizons.missingOutbox(time, GRACE);
      }
    },
    ORPHAN_OUTBOX("10:50:00", "2026-01-01T00:30:00") {
      @Override
      Standing of(Horizons horizons, Instant time) {
        return horizons.orphanOutbox(time, GRACE, PENDING);
      }
    },
    MISSING_ACK("09:50:00", "2026-01-03T00:00:00") {
      @Override
      Standing of(Horizons horizons, Instant time) {
        return horizons.missingAck(time, GRACE);
      }
    },
    ORPHAN_ACK("09:50:00", "2026-01-02T00:30:00") {
      @Override
      Standing of(Horizons horizons, Instant time) {
        return horizons.orphanAck(time, GRACE, PENDING);
      }
    },
    DECISION_MISSING("08:50:00", "2026-01-04T00:00:00") {
      @Override
      Standing of(Horizons horizons, Instant time) {
        return horizons.decisionMissing(time, GRACE);
      }
    },
    DECISION_ORPHAN("08:50:00", "2026-01-01T00:00:00") {
      @Override
      Standing of(Horizons horizons, Instant time) {
        return horizons.decisionOrphan(time, GRACE);
      }
    };

    private final Instant settled;
    private final Instant horizon;

    Absence(String settled, String horizon) {
      this.settled = Times.at(settled);
      this.horizon = Times.at(horizon);
    }

    abstract Standing of(Horizons horizons, Instant time);
  }

  @ParameterizedTest
  @EnumSource(Absence.class)
  void anAbsenceSettlesBetweenItsBounds(Absence absence) {
    Function<Instant, Standing> standing = time -> absence.of(new Horizons(run().facts()), time);
    assertThat(standing.apply(absence.settled.minusNanos(1))).isEqualTo(SETTLED);
    assertThat(standing.apply(absence.settled)).isEqualTo(SETTLED);
    assertThat(standing.apply(absence.settled.plusNanos(1))).isEqualTo(IN_FLIGHT);
    assertThat(standing.apply(absence.horizon.plusNanos(1))).isEqualTo(SETTLED);
    assertThat(standing.apply(absence.horizon)).isEqualTo(SETTLED);
    assertThat(standing.apply(absence.horizon.minusNanos(1))).isEqualTo(OUT_OF_HORIZON);
  }

  @ParameterizedTest
  @EnumSource(Absence.class)
  void withoutAStartNothingIsOutOfHorizon(Absence absence) {
    Horizons horizons = new Horizons(Run.standard().facts());
    assertThat(absence.of(horizons, Instant.MIN)).isEqualTo(SETTLED);
  }

  @Test
  void theSmallerOfTwoCutsCounts() {
    Run swapped = Run.standard().cut(Input.EVENTS, "11:00:00").cut(Input.OUTBOX, "12:00:00");
    Horizons horizons = new Horizons(swapped.facts());
    assertThat(horizons.missingOutbox(Times.at("10:50:00"), GRACE)).isEqualTo(SETTLED);
    assertThat(horizons.missingOutbox(Times.at("10:50:01"), GRACE)).isEqualTo(IN_FLIGHT);
    assertThat(horizons.orphanOutbox(Times.at("10:50:01"), GRACE, PENDING)).isEqualTo(IN_FLIGHT);
  }

  @Test
  void aDecisionWithoutATimeIsSettled() {
    assertThat(new Horizons(run().facts()).decisionOrphan(null, GRACE)).isEqualTo(SETTLED);
  }

  @Test
  void statesSettleAgainstTheOutboxAlone() {
    Horizons horizons = new Horizons(run().facts());
    // strictly
    bound(due -> horizons.stuckPending(due, PENDING), Times.at("10:30:00"), false);
    bound(end -> horizons.stuckLease(end, GRACE), Times.at("10:50:00"), false);
    // at or before
    bound(since -> horizons.settledInOutbox(since, GRACE), Times.at("10:50:00"), true);
  }

  private static void bound(Predicate<Instant> holds, Instant bound, boolean atTheBound) {
    assertThat(holds.test(bound.minusNanos(1))).isTrue();
    assertThat(holds.test(bound)).isEqualTo(atTheBound);
    assertThat(holds.test(bound.plusNanos(1))).isFalse();
  }
}
