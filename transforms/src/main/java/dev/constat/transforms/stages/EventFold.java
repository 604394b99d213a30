package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.plan.Planner;
import dev.constat.rules.reconcile.AckJudge;
import dev.constat.rules.reconcile.Arrival;
import dev.constat.rules.reconcile.Arrived;
import dev.constat.rules.reconcile.EffectJudge;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.IdentityJudge;
import dev.constat.rules.reconcile.IdentityJudge.Copies;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.Ledger;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.reconcile.ReplayEffects;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.Tables;
import dev.constat.rules.time.Clock;
import dev.constat.rules.time.Timeliness;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.scan.SlabMaxima;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Folds one bucket of {@link EventRecords}: has every event judged, with its rows and their
 * acknowledgements.
 *
 * <p>An event is read twice. Its records come by ingestion_id, so that archive copies and conflicts
 * are seen; they are sorted again, within the event, into the order in which they are judged: by
 * key, receptions as they arrived, then rows as the contract orders them, each with its
 * acknowledgements. Nothing of an event is held in memory beyond what the sorters' budgets allow,
 * and the keys of a pair whose source has a scope or revisions ({@link PairKeys#MAX_KEYS} of them).
 */
final class EventFold {

  /** First byte of the order of what is judged under a key. */
  static final int OF_A_KEY = 1;

  /** First byte of the order of rows that belong to no key. */
  static final int OF_NO_KEY = 2;

  private static final int KIND_ROW = 10;
  private static final int KIND_FOLD = 11;
  private static final int KIND_CORRECTION = 12;

  /** Follows every revision of a scope. */
  private static final int AFTER_REVISIONS = 0xFF;

  private static final Copies[] COPIES = Copies.values();

  private final int namedOfEvents;
  private final int projectedFields;
  private final List<String> namedOfOutbox;
  private final Notebook notes;
  private final ArrivalRecords arrivals;
  private final Partitions partitions;
  private final SlabMaxima.Keeper clocks;
  private final SequenceRecords sequences;
  private final AggregateRecords aggregates;
  private final Consumer<Quarantined> quarantined;
  private final RecordSorter judged;
  private final EffectUnits units;
  private final IdentityJudge identity;
  private final EffectPolicy policy;
  private final EffectJudge effects;
  private final TimedEffects ifOnTime;
  private final TimedEffects ifLate;
  private final AckJudge acks;
  private final EventReplays replays;
  private final Consumer<KeyVerdict> verdicts;

  private final RecentTexts texts = new RecentTexts();
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();
  private final KeyWriter owner = new KeyWriter();
  private final KeyWriter occurred = new KeyWriter();
  private final PairKeys keys;
  private final ReceptionRun run;

  private final Set<ByteBuffer> correctedScopes = new HashSet<>();
  private String looseAck;
  private Planner planner = Planner.NONE;

  // what is being judged
  private Owner current;
  private byte[] lastScopeInHistory;

  /**
   * A fold.
   *
   * @param notes takes down what is said
   * @param partitions how large partitions are cut by time
   * @param exits where what is known goes on
   * @param judged sorts the records of one event at a time
   * @param units sorts the acknowledgements of one event at a time
   */
  EventFold(
      RunFacts facts,
      Notebook notes,
      Partitions partitions,
      EventExits exits,
      RecordSorter judged,
      RecordSorter units) {
    RunSpec spec = facts.spec();
    this.namedOfEvents = spec.namedColumns(Input.EVENTS).size();
    this.projectedFields = spec.projectedFields().size();
    this.namedOfOutbox = spec.namedColumns(Input.OUTBOX).asList();
    this.notes = notes;
    this.arrivals = exits.arrivals();
    this.partitions = partitions;
    this.clocks = partitions.keeper();
    this.sequences = exits.sequences();
    this.aggregates = exits.aggregates();
    this.quarantined = exits.quarantined();
    this.judged = judged;
    this.units = new EffectUnits(units);
    this.keys = new PairKeys(facts, texts);
    this.run = new ReceptionRun(keys, judged, texts);
    Desk desk = new Desk();
    this.identity = new IdentityJudge(facts, desk);
    this.policy = new EffectPolicy(spec);
    this.effects = new EffectJudge(facts, desk);
    this.ifOnTime = new TimedEffects(facts, Timeliness.ON_TIME, arrivals);
    this.ifLate = new TimedEffects(facts, Timeliness.LATE, arrivals);
    this.acks =
        exits.claims() == null ? new AckJudge(desk) : new AckJudge(desk, exits.claims()::lapse);
    this.replays = new EventReplays(facts, desk, exits.replays(), this.units);
    this.verdicts = exits.verdicts();
  }

  /**
   * The fold of a run that plans.
   *
   * @param facts what is known of its inputs
   * @param planned takes what is planned
   */
  EventFold planning(RunFacts facts, PlanRecords planned) {
    planner = planned.planner(facts, notes::tally);
    ifOnTime.planning(facts);
    ifLate.planning(facts);
    return this;
  }

  /** Folds all groups; returns how many records it read. */
  long fold(SortedRecords records) throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      read +=
          switch (records.groupBuffer()[records.groupFrom()]) {
            case EventRecords.LOOSE_ROW -> looseRow(records);
            case EventRecords.LOOSE_ACK -> looseAck(records);
            case EventRecords.FINDING -> finding(records);
            default -> event(records);
          };
    }
    clocks.addTo(notes.tally());
    if (aggregates != null) {
      aggregates.addTo(notes.tally());
    }
    replays.end();
    return read;
  }

  private long finding(SortedRecords records) throws IOException {
    long read = 0;
    for (; records.nextRecord(); read++) {
      notes.finding(FindingCodec.decode(records.body()));
    }
    return read;
  }

  private long looseAck(SortedRecords records) throws IOException {
    long read = 0;
    for (; records.nextRecord(); read++) {
      KeyReader in = bodyOf(records);
      Acknowledgement ack = Acknowledgement.read(in.nullableText(), in, in);
      effects.orphanAck(ack);
      if (ack.replayed()) {
        replays.looseAck(ack);
      }
    }
    return read;
  }

  private long looseRow(SortedRecords records) throws IOException {
    judged.clear();
    keys.beginNone();
    long read = addRows(records, false);
    judge();
    return read;
  }

  private long event(SortedRecords records) throws IOException {
    judged.clear();
    beginEvent(records.group());
    long read = 0;
    boolean more = records.nextRecord();
    for (; more && isNote(records); more = records.nextRecord()) {
      read++;
      if (records.kind() == EventRecords.KIND_ACKNOWLEDGED) {
        looseAck = looseAck == null ? bodyOf(records).nullableText() : looseAck;
        continue;
      }
      correctedScopes.add(
          ByteBuffer.wrap(
              Arrays.copyOfRange(records.buffer(), records.orderFrom() + 1, records.orderTo())));
    }
    while (more && records.buffer()[records.orderFrom()] == EventRecords.RECEPTIONS) {
      read++;
      run.next(records);
      more = records.nextRecord();
    }
    if (run.single() && !keys.scoped()) {
      return read + plain(records, more);
    }
    run.end();
    if (more) {
      read += addRows(records, true);
    }
    judge();
    return read;
  }

  /**
   * Judges an event of one reception, as most are: what follows it stands as it is judged, so
   * nothing need be sorted again.
   */
  private long plain(SortedRecords records, boolean first) throws IOException {
    keys.only();
    KeyReader ids = run.ids();
    current = new Owner(new byte[0], keys.key(ids), false);
    current.reception(ids.text(), run.heldBody(), Copies.SINGLE, run.recorded());
    long read = 0;
    for (boolean more = first; more; more = records.nextRecord()) {
      read++;
      switch (records.kind()) {
        case EventRecords.KIND_ROW -> current.row(bodyOf(records));
        case EventRecords.KIND_FOLD -> current.fold(bodyOf(records));
        case EventRecords.KIND_CORRECTION -> {
          current.end();
          answer(records, records.orderFrom() + 1);
        }
        default -> throw new IllegalStateException("[BUG] Unknown kind " + records.kind());
      }
    }
    current.end();
    return read;
  }

  private static boolean isNote(SortedRecords records) {
    return records.kind() == EventRecords.KIND_CORRECTED
        || records.kind() == EventRecords.KIND_ACKNOWLEDGED;
  }

  private void beginEvent(byte[] group) {
    keys.begin(group);
    correctedScopes.clear();
    looseAck = null;
    run.begin();
  }

  /** Sorts rows and their acknowledgements to the keys they name. */
  private long addRows(SortedRecords records, boolean current) throws IOException {
    long read = 0;
    for (boolean more = current || records.nextRecord(); more; more = records.nextRecord()) {
      read++;
      byte[] buffer = records.buffer();
      if (records.kind() == EventRecords.KIND_CORRECTION) {
        addCorrection(records);
        continue;
      }
      if (records.kind() == EventRecords.KIND_ROW) {
        keys.writeOwner(owner.clear(), bodyOf(records));
      }
      order.clear().raw(owner.buffer(), 0, owner.size());
      order.raw(buffer, records.orderFrom(), records.orderTo());
      body.clear().raw(buffer, records.bodyFrom(), records.bodyTo());
      judged.add(
          empty, order, records.kind() == EventRecords.KIND_ROW ? KIND_ROW : KIND_FOLD, body);
    }
    return read;
  }

  /** Sorts a correction behind the keys that it may name. */
  private void addCorrection(SortedRecords records) throws IOException {
    KeyReader in = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
    in.octet();
    int scopeFrom = in.position();
    for (int i = 0; i < keys.contract().scope().size(); i++) {
      in.nullableText();
    }
    order.clear().octet(OF_A_KEY).raw(records.buffer(), scopeFrom, in.position());
    order.octet(AFTER_REVISIONS).raw(records.buffer(), in.position(), records.orderTo());
    body.clear().raw(records.buffer(), records.bodyFrom(), records.bodyTo());
    judged.add(empty, order, KIND_CORRECTION, body);
  }

  /** Judges what was sorted, key after key. */
  private void judge() throws IOException {
    SortedRecords records = judged.sort();
    current = null;
    lastScopeInHistory = null;
    while (records.nextGroup()) {
      while (records.nextRecord()) {
        if (records.kind() == KIND_CORRECTION) {
          answer(records);
          continue;
        }
        if (current == null || !current.owns(records)) {
          if (current != null) {
            current.end();
          }
          current = owner(records, current);
        }
        current.next(records);
      }
    }
    if (current != null) {
      current.end();
    }
  }

  /** Tells a correction if history holds an event that it may replace. */
  private void answer(SortedRecords records) throws IOException {
    if (current != null) {
      current.end();
    }
    KeyReader in = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
    in.octet();
    int from = in.position();
    for (int i = 0; i < keys.contract().scope().size(); i++) {
      in.nullableText();
    }
    if (lastScopeInHistory != null
        && Arrays.equals(
            lastScopeInHistory,
            0,
            lastScopeInHistory.length,
            records.buffer(),
            from,
            in.position())) {
      answer(records, in.position() + 1);
    }
  }

  /** Tells a correction that history holds what it replaces; its place in time begins there. */
  private void answer(SortedRecords records, int placeFrom) {
    arrivals.targetKnown(
        keys.source(),
        bodyOf(records).nullableText(),
        Arrays.copyOfRange(records.buffer(), placeFrom, records.orderTo()));
  }

  /** What is known here of the part that an event plays in corrections. */
  private Arrived.Linked linked(Arrival arrival) {
    EventKey key = arrival.eventKey();
    if (!arrival.decision().inHistory()) {
      return Arrived.Linked.NO;
    }
    String supersedes = arrival.reception().supersedes();
    if (arrival.decision() == Decision.CORRECTION
        && (supersedes == null || supersedes.equals(key.id()))) {
      // A greater revision replaces a smaller one; without revisions it names itself.
      boolean known = current.afterSmaller || keys.contract().revision() == null;
      return known ? Arrived.Linked.TARGET_KNOWN : Arrived.Linked.MAYBE;
    }
    if (arrival.decision() == Decision.CORRECTION
        || keys.contract().revision() != null && keys.several()
        || !correctedScopes.isEmpty() && correctedScopes.contains(scopeOf(key))) {
      return Arrived.Linked.MAYBE;
    }
    return Arrived.Linked.NO;
  }

  /** Whether an event claims to lie ahead; that needs no clock. */
  private boolean isFuture(Reception reception) {
    return Clock.timeliness(
            reception.occurredAt(), reception.receivedAt(), null, keys.contract().futureTolerance())
        == Timeliness.FUTURE;
  }

  private static ByteBuffer scopeOf(EventKey key) {
    KeyWriter scope = new KeyWriter();
    key.writeScope(scope);
    return ByteBuffer.wrap(scope.toBytes());
  }

  private Owner owner(SortedRecords records, Owner previous) {
    KeyReader in = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
    if (in.octet() == OF_NO_KEY) {
      String because = in.text();
      byte[] prefix = Arrays.copyOfRange(records.buffer(), records.orderFrom(), in.position());
      return new Owner(prefix, because);
    }
    EventKey key = keys.key(in);
    byte[] prefix = Arrays.copyOfRange(records.buffer(), records.orderFrom(), in.position());
    boolean afterSmaller =
        previous != null
            && previous.key != null
            && previous.inHistory
            && previous.key.scope().equals(key.scope());
    return new Owner(prefix, key, afterSmaller);
  }

  private KeyReader bodyOf(SortedRecords records) {
    return new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo(), texts);
  }

  /** A key, or a reason to have none, with the records that are judged under it. */
  private final class Owner implements AckJudge.JsonSubject {

    private final byte[] prefix;
    private final EventKey key;
    private final String orphanBecause;
    private final boolean afterSmaller;
    private boolean inHistory;
    private boolean ended;
    private List<EffectJudge> judges = List.of(effects);
    private KeyVerdict verdict;
    private List<Planner> planners = List.of(planner);
    private boolean rowsBegun;
    private String rowSource;
    private String rowEventId;
    private String rowId;

    Owner(byte[] prefix, EventKey key, boolean afterSmallerRevision) {
      this.prefix = prefix;
      this.key = key;
      this.orphanBecause = null;
      this.afterSmaller = afterSmallerRevision;
      this.inHistory = afterSmallerRevision;
      identity.begin(key, keys.contract(), afterSmallerRevision);
      replays.begin(this);
    }

    Owner(byte[] prefix, String orphanBecause) {
      this.prefix = prefix;
      this.key = null;
      this.orphanBecause = orphanBecause;
      this.afterSmaller = false;
      replays.begin(this);
    }

    boolean owns(SortedRecords records) {
      int from = records.orderFrom();
      return records.orderTo() - from >= prefix.length
          && Arrays.equals(prefix, 0, prefix.length, records.buffer(), from, from + prefix.length);
    }

    void next(SortedRecords records) throws IOException {
      switch (records.kind()) {
        case KIND_ROW -> row(bodyOf(records));
        case KIND_FOLD -> fold(bodyOf(records));
        default -> reception(records);
      }
    }

    void row(KeyReader in) throws IOException {
      beginRows();
      Delivery delivery = Delivery.read(in, namedOfOutbox.size());
      rowSource = delivery.row().source();
      rowEventId = delivery.row().sourceEventId();
      rowId = delivery.row().outboxId();
      replays.row(delivery.row());
      for (EffectJudge judge : judges) {
        judge.row(delivery);
      }
      planners.forEach(plan -> plan.row(delivery));
    }

    void fold(KeyReader in) throws IOException {
      beginRows();
      AckFold fold = AckFold.read(in);
      boolean counts = false;
      for (EffectJudge judge : judges) {
        counts = judge.fold(fold);
      }
      planners.forEach(plan -> plan.fold(fold));
      if (counts) {
        units.add(fold);
      } else {
        replays.fold(fold);
      }
    }

    private void reception(SortedRecords records) {
      KeyReader in = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
      in.raw(prefix.length + 1 + Reception.ARRIVAL_BYTES);
      String ingestionId = in.text();
      KeyReader content = bodyOf(records);
      RecordedDecision recorded = null;
      if (content.bool()) {
        recorded = RecordedDecision.read(ingestionId, content);
      }
      reception(ingestionId, content, COPIES[records.kind()], recorded);
    }

    void reception(
        String ingestionId, KeyReader content, Copies copies, RecordedDecision recorded) {
      identity.next(
          Reception.read(key, ingestionId, content, namedOfEvents, projectedFields),
          copies,
          recorded);
    }

    private void beginRows() throws IOException {
      if (rowsBegun) {
        return;
      }
      rowsBegun = true;
      units.clear();
      if (key == null) {
        effects.beginOrphans(orphanBecause);
        planner.beginOrphans();
        return;
      }
      verdict = identity.end();
      if (verdict.first() != null) {
        inHistory = true;
        KeyWriter scope = new KeyWriter();
        key.writeScope(scope);
        lastScopeInHistory = scope.toBytes();
      }
      verdicts.accept(verdict);
      beginEffects();
    }

    /** Where an effect depends on the timeliness that nobody knows yet, both cases are judged. */
    private void beginEffects() {
      boolean ambiguous = keys.isAmbiguous(key);
      Reception first = verdict.first();
      List<String> scope = keys.contract().scope();
      if (first == null || first.replayed() || !policy.asksForTime()) {
        effects.begin(verdict, scope, ambiguous);
        planner.begin(verdict, ambiguous, looseAck);
      } else if (isFuture(first)) {
        effects.begin(verdict.with(Timeliness.FUTURE), scope, ambiguous);
        planner.begin(verdict.with(Timeliness.FUTURE), ambiguous, looseAck);
      } else {
        judges =
            List.of(
                ifOnTime.begin(verdict, scope, ambiguous), ifLate.begin(verdict, scope, ambiguous));
        planners = List.of(ifOnTime.planner(), ifLate.planner());
        ifOnTime.planner().begin(verdict.with(Timeliness.ON_TIME), ambiguous, looseAck);
        ifLate.planner().begin(verdict.with(Timeliness.LATE), ambiguous, looseAck);
      }
    }

    void end() throws IOException {
      if (ended) {
        return;
      }
      ended = true;
      beginRows();
      judges.forEach(EffectJudge::end);
      planners.forEach(Planner::end);
      if (judges.size() > 1) {
        ifOnTime.end();
        ifLate.end();
      }
      acks.begin(this);
      ReplayEffects replayed = replays.end(verdict);
      units.drainTo(acks, replayed);
      acks.end();
      replayed.end();
    }

    /** The event; of rows without one, what they name; of rows that name nothing, the row. */
    @Override
    public JsonObject describe(JsonObject object) {
      if (key != null) {
        return key.describe(object, keys.contract().scope());
      }
      return orphanBecause.equals(EffectJudge.NO_EVENT)
              || orphanBecause.equals(EffectJudge.CONTRADICTORY_EVENT)
          ? object.put("outbox_id", rowId)
          : object.put("source", rowSource).put("source_event_id", rowEventId);
    }
  }

  /** Takes down what the judges say about the event at hand. */
  private final class Desk implements Ledger {

    @Override
    public void decision(Arrival arrival) {
      arrivals.reception(arrival, linked(arrival));
      Reception reception = arrival.reception();
      if (sequences != null) {
        sequences.reception(arrival);
      }
      if (reception.replayed()) {
        replayed(arrival);
      }
      if (arrival.decision().inHistory() && !reception.replayed() && !isFuture(reception)) {
        partitions.keep(clocks, reception, occurred.clear().instant(reception.occurredAt()));
      }
    }

    private void replayed(Arrival arrival) {
      try {
        replays.reception(arrival);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void effect(Object[] row) {
      notes.row(Tables.EFFECTS, row);
    }

    @Override
    public void quarantine(Quarantined version) {
      quarantined.accept(version);
    }

    @Override
    public void inAggregate(AggregateRow row) {
      planner.inAggregate(row);
      if (aggregates != null) {
        aggregates.append(row);
      }
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
  }
}
