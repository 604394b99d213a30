package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Claims;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.RowRepeats;
import dev.constat.rules.plan.Planner;
import dev.constat.rules.replay.ReplayActivity;
import dev.constat.rules.spec.SourceContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Tells the judges about one event in the order in which they hear of it, whatever the order in
 * which a test writes it: receptions by arrival, rows by type and contract order, acknowledgements
 * folded.
 */
final class Story {

  private final RunFacts facts;
  private final Notes notes = new Notes();
  private final List<Receptions> receptions = new ArrayList<>();
  private final List<Rows> rows = new ArrayList<>();
  private final Map<String, RecordedDecision> recorded = new HashMap<>();
  private boolean afterSmallerRevision;
  private boolean ambiguous;
  private KeyVerdict verdict;
  private Planner planner = Planner.NONE;
  private String looseAck;

  private Story(RunFacts facts) {
    this.facts = facts;
  }

  static Story in(Run run) {
    return new Story(run.facts());
  }

  Story receive(Receptions... next) {
    receptions.addAll(List.of(next));
    return this;
  }

  Story rows(Rows... next) {
    rows.addAll(List.of(next));
    return this;
  }

  Story recorded(String ingestionId, String decision) {
    recorded.put(
        ingestionId,
        new RecordedDecision(
            ingestionId,
            decision,
            "why",
            "v1",
            Times.at("10:00:05"),
            Places.of(dev.constat.rules.envelope.Input.DECISIONS, ingestionId)));
    return this;
  }

  Story afterSmallerRevision() {
    afterSmallerRevision = true;
    return this;
  }

  Story ambiguous() {
    ambiguous = true;
    return this;
  }

  /** Has somebody plan while the judges judge. */
  Story planning(Function<RunFacts, Planner> planning) {
    planner = planning.apply(facts);
    return this;
  }

  /** An acknowledgement names the event, and a row that is not there. */
  Story looseAck(String name) {
    looseAck = name;
    return this;
  }

  KeyVerdict verdict() {
    return verdict;
  }

  /** Judges everything. */
  Notes tell() {
    SourceContract contract = null;
    if (!receptions.isEmpty()) {
      contract = facts.spec().contract(receptions.get(0).key().source());
      verdict = identity(contract);
    }
    EffectJudge effects = new EffectJudge(facts, heard());
    if (verdict == null) {
      throw new AssertionError("A story needs a reception; see orphans");
    }
    effects.begin(verdict, contract.scope(), ambiguous);
    planner.begin(verdict, ambiguous, looseAck);
    List<String> scope = contract.scope();
    effects(effects, object -> verdict.key().describe(object, scope));
    return notes;
  }

  /** Judges rows that belong to no event. */
  Notes orphans(String because) {
    EffectJudge effects = new EffectJudge(facts, heard());
    effects.beginOrphans(because);
    planner.beginOrphans();
    effects(effects, object -> object.put("outbox_id", rows.get(0).row().outboxId()));
    return notes;
  }

  /** The notes, which the planner hears of. */
  private Ledger heard() {
    return new Ledger() {

      @Override
      public void decision(Arrival arrival) {
        notes.decision(arrival);
      }

      @Override
      public void effect(Object[] row) {
        notes.effect(row);
      }

      @Override
      public void quarantine(Quarantined version) {
        notes.quarantine(version);
      }

      @Override
      public void inAggregate(AggregateRow row) {
        planner.inAggregate(row);
        notes.inAggregate(row);
      }

      @Override
      public void finding(Finding finding) {
        planner.finding(finding);
        notes.finding(finding);
      }

      @Override
      public Tally tally() {
        return notes.tally();
      }
    };
  }

  private KeyVerdict identity(SourceContract contract) {
    IdentityJudge judge = new IdentityJudge(facts, notes);
    judge.begin(receptions.get(0).key(), contract, afterSmallerRevision);
    Map<Reception, IdentityJudge.Copies> copies = copies();
    receptions.stream()
        .map(Receptions::get)
        .sorted(Comparator.comparing(Story::arrival, Arrays::compareUnsigned))
        .forEach(
            reception ->
                judge.next(
                    reception, copies.get(reception), recorded.get(reception.ingestionId())));
    return judge.end();
  }

  private static byte[] arrival(Reception reception) {
    KeyWriter out = new KeyWriter();
    reception.writeArrival(out);
    out.text(reception.ingestionId()).raw(reception.place().toBytes());
    return out.toBytes();
  }

  /** Equal contents of an ingestion_id are copies of the first; unequal ones are in conflict. */
  private Map<Reception, IdentityJudge.Copies> copies() {
    Map<String, List<Reception>> byId = new HashMap<>();
    receptions.stream()
        .map(Receptions::get)
        .sorted(Comparator.comparing(Reception::place))
        .forEach(r -> byId.computeIfAbsent(r.ingestionId(), id -> new ArrayList<>()).add(r));
    Map<Reception, IdentityJudge.Copies> copies = new HashMap<>();
    for (List<Reception> same : byId.values()) {
      List<String> seen = new ArrayList<>();
      List<Reception> firsts = new ArrayList<>();
      for (Reception reception : same) {
        String content = content(reception);
        if (seen.contains(content)) {
          copies.put(reception, IdentityJudge.Copies.COPY);
        } else {
          seen.add(content);
          firsts.add(reception);
        }
      }
      firsts.forEach(
          first ->
              copies.put(
                  first,
                  firsts.size() == 1
                      ? IdentityJudge.Copies.SINGLE
                      : IdentityJudge.Copies.CONFLICT));
    }
    return copies;
  }

  private static String content(Reception reception) {
    KeyWriter out = new KeyWriter();
    reception.writeArrival(out);
    reception.writeContent(out);
    return Arrays.toString(
        Arrays.copyOf(out.toBytes(), out.size() - dev.constat.rules.envelope.Place.BYTES));
  }

  /** Acknowledgements, and the replay that they are of; of a row alone, as if it had one. */
  private record Unit(AckFold fold, String replayId, boolean rowOnly) {}

  private void effects(EffectJudge effects, AckJudge.JsonSubject subject) {
    ReplayActivity activity = new ReplayActivity(facts.replays());
    ReplayJudge leave = new ReplayJudge(facts, notes, activity);
    EventOrigin origin = new EventOrigin(facts.spec().integerOutboxIds());
    origin.begin();
    List<Unit> units = new ArrayList<>();
    rows.stream()
        .sorted(
            Comparator.comparing((Rows r) -> r.row().effectType(), nulls())
                .thenComparing(r -> r.row().replayed())
                .thenComparing(r -> r.row().createdAt())
                .thenComparing(r -> r.row().outboxId()))
        .forEach(
            row -> {
              effects.row(row.delivery());
              origin.row(row.row());
              planner.row(row.delivery());
              boolean acknowledged = false;
              for (AckFold fold : folds(row)) {
                planner.fold(fold);
                String replayId = fold.replayId() == null ? row.row().replayId() : fold.replayId();
                if (effects.fold(fold)) {
                  units.add(new Unit(fold, null, false));
                  continue;
                }
                acknowledged = true;
                if (leave.acks(replayId, row.row(), fold, subject)) {
                  units.add(new Unit(fold, replayId, false));
                }
              }
              if (row.row().replayed() && !acknowledged && leave.row(row.row(), subject)) {
                AckFold none = ReplayEffects.unacknowledged(row.row());
                units.add(new Unit(none, row.row().replayId(), true));
              }
            });
    effects.end();
    planner.end();
    origin.end(verdict == null ? null : verdict.first());
    AckJudge acks = new AckJudge(notes);
    acks.begin(subject);
    ReplayEffects replayed = new ReplayEffects(facts, notes, leave, activity);
    replayed.begin(subject, verdict == null ? null : origin);
    units.stream()
        .sorted(
            Comparator.comparing((Unit unit) -> unit.fold().effectType(), nulls())
                .thenComparing(unit -> unit.fold().consumer(), nulls())
                .thenComparing(unit -> unit.fold().effectKey(), nulls())
                .thenComparing(unit -> unit.replayId() != null)
                .thenComparing(unit -> unit.fold().firstAt())
                .thenComparing(unit -> unit.fold().firstAckId(), nulls()))
        .forEach(
            unit -> {
              if (unit.rowOnly()) {
                replayed.row(unit.fold(), unit.replayId());
              } else if (unit.replayId() != null) {
                replayed.replayed(unit.fold(), unit.replayId());
              } else {
                acks.next(unit.fold());
                replayed.original(unit.fold());
              }
            });
    acks.end();
    replayed.end();
    activity.addTo(notes.tally());
  }

  private List<AckFold> folds(Rows row) {
    OutboxRow content = row.row();
    Claims claims = new Claims();
    row.older().forEach(claims::next);
    claims.next(content);
    RowRepeats repeats = new RowRepeats(claims);
    repeats.begin(content, row.delivery().stateConflict());
    List<AckFold> folds = new ArrayList<>();
    row.acknowledgements().stream()
        .sorted(
            Comparator.comparing(Acknowledgement::replayed)
                .thenComparing(Acknowledgement::consumer, nulls())
                .thenComparing(Acknowledgement::replayId, nulls())
                .thenComparing(Acknowledgement::effectKey, nulls())
                .thenComparing(Acknowledgement::ackedAt)
                .thenComparing(Acknowledgement::ackId, nulls()))
        .forEach(
            ack -> {
              AckFold next = AckFold.of(ack, content, facts.judged(ack.ackedAt()));
              AckFold last = folds.isEmpty() ? null : folds.get(folds.size() - 1);
              if (last != null
                  && Objects.equals(last.consumer(), next.consumer())
                  && Objects.equals(last.replayId(), next.replayId())
                  && Objects.equals(last.effectKey(), next.effectKey())) {
                folds.set(folds.size() - 1, repeats.next(ack, next, last));
              } else {
                folds.add(repeats.next(ack, next, null));
              }
            });
    return folds;
  }

  private static Comparator<String> nulls() {
    return Comparator.nullsFirst(Comparator.naturalOrder());
  }
}
