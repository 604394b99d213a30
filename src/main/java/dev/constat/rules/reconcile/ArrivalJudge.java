package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.projection.EventOrder;
import dev.constat.rules.projection.Placement;
import dev.constat.rules.projection.ProjectedEvent;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.spec.Lateness;
import dev.constat.rules.spec.ProjectedFields;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.SourceContract;
import dev.constat.rules.time.Clock;
import dev.constat.rules.time.Epochs;
import dev.constat.rules.time.LagSweep;
import dev.constat.rules.time.TimeCounts;
import dev.constat.rules.time.Timeliness;
import dev.constat.rules.time.UnitSuspect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Decides receptions in time (spec section 4): each against the clock of its partition on its
 * arrival, whatever came later. Gives the three answers about an event: whether history holds it,
 * whether it may move the current value, and what becomes of it in each window.
 */
public final class ArrivalJudge {

  private final RunSpec spec;
  private final Tally tally;
  private final Function<String, Epochs> epochs;
  private final ImmutableList<Projector> projectors;
  private final TimeCounts counts;
  private final LagSweep sweep = new LagSweep();
  private final Map<String, SourceContract> contracts = new HashMap<>();
  private final Map<String, String> rules = new HashMap<>();

  /**
   * What time makes of a reception.
   *
   * @param arrived the reception
   * @param timeliness how it stands to the clock, or null unless it is the first of an event that
   *     did not come by replay
   * @param watermark of its partition on its arrival, or null
   * @param budget in force at its reception
   * @param flags those of identity and those of time
   * @param movesCurrent whether it may move the current value
   * @param event what projections need of it, or null where they need nothing
   * @param placements of an event that history holds, by version: its windows and what becomes of
   *     it there; empty where it is not projected
   */
  public record Timed(
      Arrived arrived,
      Timeliness timeliness,
      Instant watermark,
      Lateness.Budget budget,
      EnumSet<Flag> flags,
      boolean movesCurrent,
      ProjectedEvent event,
      List<ImmutableList<Placement>> placements) {

    /** Whether it moves the clock of its partition. */
    public boolean movesClock() {
      return timeliness == Timeliness.ON_TIME || timeliness == Timeliness.LATE;
    }
  }

  private final Map<EnumSet<Flag>, ImmutableList<String>> namesOfFlags = new HashMap<>();
  private Duration lastLength;
  private String lastLengthText;

  /**
   * A judge of the arrivals of a run.
   *
   * @param tally where to count
   * @param epochs of a sequence, by its name
   */
  public ArrivalJudge(RunSpec spec, Tally tally, Function<String, Epochs> epochs) {
    this.spec = spec;
    this.tally = tally;
    this.epochs = epochs;
    this.projectors = Projector.all(spec.projections());
    this.counts = new TimeCounts(ProjectedFields.of(spec.projections()).pointers());
  }

  /**
   * Decides a reception.
   *
   * @param largest the largest occurred_at that its partition had accepted before, or null
   * @param targetKnown whether history holds what it replaces
   */
  public Timed place(Arrived arrived, Instant largest, boolean targetKnown) {
    SourceContract contract = contracts.computeIfAbsent(arrived.source(), spec::contract);
    Lateness.Budget budget = contract.lateness().at(arrived.receivedAt());
    Instant watermark = arrived.replayed() ? null : Clock.watermark(largest, budget.length());
    boolean original = arrived.inHistory() && !arrived.replayed();
    Timeliness timeliness =
        original
            ? Clock.timeliness(
                arrived.occurredAt(), arrived.receivedAt(), watermark, contract.futureTolerance())
            : null;
    EnumSet<Flag> flags = EnumSet.copyOf(arrived.flags());
    if (original) {
      judgeTime(arrived, largest, timeliness, budget, flags);
    }
    boolean known = !flags.contains(Flag.UNKNOWN_SCHEMA_VERSION);
    boolean fit = known && timeliness != Timeliness.FUTURE && !flags.contains(Flag.UNIT_SUSPECT);
    boolean movesCurrent =
        arrived.inHistory() && fit && (arrived.decision() != Decision.CORRECTION || targetKnown);
    ProjectedEvent event =
        projectors.isEmpty() || !arrived.inHistory() && !arrived.contested()
            ? null
            : event(arrived, watermark, fit, known);
    List<ImmutableList<Placement>> placements =
        event == null || !arrived.inHistory()
            ? ImmutableList.of()
            : placements(event, largest, timeliness, flags);
    count(arrived, timeliness);
    return new Timed(
        arrived, timeliness, watermark, budget, flags, movesCurrent, event, placements);
  }

  private void judgeTime(
      Arrived arrived,
      Instant largest,
      Timeliness timeliness,
      Lateness.Budget budget,
      EnumSet<Flag> flags) {
    String repair =
        UnitSuspect.repair(arrived.occurredAt(), arrived.receivedAt(), timeliness, budget.length());
    if (repair != null) {
      flags.add(Flag.UNIT_SUSPECT);
    }
    if (Clock.outOfOrder(arrived.occurredAt(), largest)) {
      flags.add(Flag.OUT_OF_ORDER);
      tally.add(1, CheckTally.DISORDER, arrived.source(), arrived.schemaVersion());
    }
    counts.note(
        arrived.source(),
        arrived.schemaVersion(),
        arrived.occurredAt(),
        arrived.receivedAt(),
        timeliness,
        repair,
        arrived.projected(),
        arrived.place(),
        arrived.ingestionId());
    if (timeliness != Timeliness.FUTURE) {
      sweep.event(arrived.source(), arrived.occurredAt(), largest, budget.length());
    }
  }

  private ProjectedEvent event(
      Arrived arrived, Instant watermark, boolean fit, boolean schemaKnown) {
    EventOrder order =
        arrived.sequence() == null
            ? EventOrder.at(arrived.occurredAt())
            : new EventOrder(
                arrived.sequence(),
                epochs
                    .apply(arrived.sequence())
                    .of(arrived.receivedAt(), arrived.ingestionId(), arrived.occurredAt()),
                arrived.sequenceNumber(),
                arrived.occurredAt());
    return new ProjectedEvent(
        arrived.source(),
        new String(arrived.key(), StandardCharsets.UTF_8),
        arrived.receivedAt(),
        watermark,
        order,
        fit,
        schemaKnown,
        arrived.contested(),
        arrived.withdrawn(),
        arrived.projected(),
        arrived.place());
  }

  private List<ImmutableList<Placement>> placements(
      ProjectedEvent event, Instant largest, Timeliness timeliness, EnumSet<Flag> flags) {
    List<ImmutableList<Placement>> placements = new ArrayList<>();
    for (Projector projector : projectors) {
      if (projector.key(event) == null) {
        flags.add(Flag.NO_KEY);
      }
      ImmutableList<Placement> windows =
          projector.projects(event) ? projector.placements(event) : ImmutableList.of();
      placements.add(windows);
      if (projector.rule().windowed()) {
        String title = projector.rule().title();
        tally.add(Math.max(1, windows.size()), CheckTally.CELLS, title);
        if (windows.isEmpty()) {
          tally.add(1, CheckTally.BOOK, CheckTally.CELLS, title, "not projected");
        }
        if (timeliness != null) {
          for (Placement placement : windows) {
            sweep.window(
                event.source(),
                title,
                largest,
                placement.window().end(),
                projector.rule().allowedLateness());
          }
        }
      }
    }
    return placements;
  }

  private void count(Arrived arrived, Timeliness timeliness) {
    if (arrived.inHistory()) {
      String line = timeliness == null ? "replayed" : timeliness.name();
      tally.add(1, CheckTally.TIMELINESS, arrived.source(), arrived.schemaVersion(), line);
    }
  }

  /** The row of {@link dev.constat.rules.table.Tables#DECISIONS}. */
  public Object[] row(Timed timed) {
    Arrived arrived = timed.arrived();
    return new Object[] {
      arrived.ingestionId(),
      arrived.source(),
      arrived.sourceEventId(),
      arrived.partition(),
      arrived.occurredAt(),
      arrived.occurredAsReceived(),
      arrived.receivedAt(),
      arrived.schemaVersion(),
      arrived.key(),
      arrived.hash(),
      arrived.hashRule(),
      arrived.decision().name(),
      timed.timeliness() == null ? null : timed.timeliness().name(),
      arrived.inHistory(),
      timed.movesCurrent(),
      windows(timed),
      timed.watermark(),
      text(timed.budget().length()),
      timed.budget().version(),
      arrived.against(),
      arrived.repeats(),
      arrived.lastReceivedAt(),
      rule(arrived),
      names(timed.flags()),
      arrived.reason(),
      arrived.replayId(),
      arrived.recordedAs(),
      arrived.supersedes(),
      arrived.place(),
      arrived.place().position()
    };
  }

  /** A budget in words; most are that of the reception before. */
  private String text(Duration length) {
    if (!length.equals(lastLength)) {
      lastLength = length;
      lastLengthText = length.toString();
    }
    return lastLengthText;
  }

  private List<Object[]> windows(Timed timed) {
    List<Object[]> windows = new ArrayList<>();
    for (int i = 0; i < timed.placements().size(); i++) {
      for (Placement placement : timed.placements().get(i)) {
        windows.add(
            new Object[] {
              projectors.get(i).rule().name(),
              projectors.get(i).rule().version(),
              placement.window().start(),
              placement.outcome().name()
            });
      }
    }
    return windows;
  }

  private String rule(Arrived arrived) {
    SourceContract contract = contracts.get(arrived.source());
    if (!arrived.flags().contains(Flag.HEURISTIC)) {
      return rules.computeIfAbsent(
          arrived.source(), source -> IdentityJudge.rule(false, null, contract));
    }
    String fingerprintRule = new String(arrived.hashRule(), StandardCharsets.UTF_8);
    return IdentityJudge.rule(true, fingerprintRule, contract);
  }

  private ImmutableList<String> names(EnumSet<Flag> flags) {
    ImmutableList<String> names = namesOfFlags.get(flags);
    if (names == null) {
      names = flags.stream().map(Flag::name).sorted().collect(ImmutableList.toImmutableList());
      namesOfFlags.put(EnumSet.copyOf(flags), names);
    }
    return names;
  }

  /** Adds what was counted to the tally; to be called once, at the end. */
  public void end() {
    counts.flush(tally);
    sweep.flush(tally);
  }
}
