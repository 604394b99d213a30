package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.reconcile.AckJudge;
import dev.constat.rules.reconcile.EffectJudge;
import dev.constat.rules.reconcile.IdentityJudge;
import dev.constat.rules.reconcile.IdentityJudge.Copies;
import dev.constat.rules.reconcile.KeyPattern;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.Ledger;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.SourceContract;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * and the keys of a pair whose source has a scope or revisions ({@link #MAX_KEYS} of them).
 */
final class EventFold {

  /** Up to so many keys of one pair are told apart when a row does not carry their whole scope. */
  static final int MAX_KEYS = 100_000;

  private static final int OF_A_KEY = 1;
  private static final int OF_NO_KEY = 2;
  private static final int RECEPTION = EventRecords.RECEPTIONS;
  private static final int KIND_ROW = 10;
  private static final int KIND_FOLD = 11;
  private static final Copies[] COPIES = Copies.values();

  private final RunFacts facts;
  private final RunSpec spec;
  private final int namedOfEvents;
  private final List<String> namedOfOutbox;
  private final Ledger ledger;
  private final RecordSorter judged;
  private final RecordSorter units;
  private final IdentityJudge identity;
  private final EffectJudge effects;
  private final AckJudge acks;
  private final Consumer<KeyVerdict> verdicts;
  private final Map<String, SourceContract> contracts = new HashMap<>();

  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();
  private final KeyWriter owner = new KeyWriter();
  private final Run run = new Run();

  // the keys of the event's pair
  private byte[] eventGroup;
  private SourceContract contract;
  private byte[] lastWithin;
  private long keyCount;
  private final List<EventKey> keys = new ArrayList<>();
  private final Set<KeyPattern> ambiguous = new HashSet<>();

  /**
   * A fold.
   *
   * @param judged sorts the records of one event at a time
   * @param units sorts the acknowledgements of one event at a time
   * @param verdicts is told what identity says of every key
   */
  EventFold(
      RunFacts facts,
      Ledger ledger,
      RecordSorter judged,
      RecordSorter units,
      Consumer<KeyVerdict> verdicts) {
    this.facts = facts;
    this.spec = facts.spec();
    this.namedOfEvents = spec.namedColumns(Input.EVENTS).size();
    this.namedOfOutbox = spec.namedColumns(Input.OUTBOX).asList();
    this.ledger = ledger;
    this.judged = judged;
    this.units = units;
    this.identity = new IdentityJudge(facts, ledger);
    this.effects = new EffectJudge(facts, ledger);
    this.acks = new AckJudge(ledger);
    this.verdicts = verdicts;
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
    return read;
  }

  private long finding(SortedRecords records) throws IOException {
    long read = 0;
    for (; records.nextRecord(); read++) {
      ledger.finding(FindingCodec.decode(records.body()));
    }
    return read;
  }

  private long looseAck(SortedRecords records) throws IOException {
    long read = 0;
    for (; records.nextRecord(); read++) {
      KeyReader in = bodyOf(records);
      effects.orphanAck(Acknowledgement.read(in.nullableText(), in, in));
    }
    return read;
  }

  private long looseRow(SortedRecords records) throws IOException {
    judged.clear();
    eventGroup = null;
    long read = addRows(records, false);
    judge();
    return read;
  }

  private long event(SortedRecords records) throws IOException {
    judged.clear();
    beginEvent(records.group());
    long read = 0;
    boolean more = records.nextRecord();
    while (more && records.buffer()[records.orderFrom()] == EventRecords.RECEPTIONS) {
      read++;
      run.next(records);
      more = records.nextRecord();
    }
    run.end();
    if (more) {
      read += addRows(records, true);
    }
    judge();
    return read;
  }

  private void beginEvent(byte[] group) {
    eventGroup = group;
    KeyReader in = new KeyReader(group);
    in.octet();
    contract = contracts.computeIfAbsent(in.text(), spec::contract);
    lastWithin = null;
    keyCount = 0;
    keys.clear();
    ambiguous.clear();
    run.begin();
  }

  private boolean scoped() {
    return !contract.scope().isEmpty() || contract.revision() != null;
  }

  /** Notes the key of a reception; keys come in order. */
  private void noteKey(byte[] buffer, int from, int to) {
    if (lastWithin != null && Arrays.equals(lastWithin, 0, lastWithin.length, buffer, from, to)) {
      return;
    }
    lastWithin = Arrays.copyOfRange(buffer, from, to);
    keyCount++;
    if (scoped() && keys.size() < MAX_KEYS) {
      keys.add(key(new KeyReader(lastWithin)));
    }
  }

  private EventKey key(KeyReader within) {
    return EventKey.read(new KeyReader(eventGroup), within, contract.scope().size());
  }

  /** Sorts rows and their acknowledgements to the keys they name. */
  private long addRows(SortedRecords records, boolean current) throws IOException {
    long read = 0;
    for (boolean more = current || records.nextRecord(); more; more = records.nextRecord()) {
      read++;
      byte[] buffer = records.buffer();
      if (records.kind() == EventRecords.KIND_ROW) {
        ownerOf(records);
      }
      order.clear().raw(owner.buffer(), 0, owner.size());
      order.raw(buffer, records.orderFrom(), records.orderTo());
      body.clear().raw(buffer, records.bodyFrom(), records.bodyTo());
      judged.add(
          empty, order, records.kind() == EventRecords.KIND_ROW ? KIND_ROW : KIND_FOLD, body);
    }
    return read;
  }

  /** Finds under which key a row is judged, or why under none. */
  private void ownerOf(SortedRecords records) {
    owner.clear();
    if (eventGroup != null && !scoped()) {
      if (keyCount == 1) {
        owner.octet(OF_A_KEY).raw(lastWithin);
      } else {
        owner.octet(OF_NO_KEY).text(EffectJudge.UNKNOWN_EVENT);
      }
      return;
    }
    Delivery delivery = Delivery.read(bodyOf(records), namedOfOutbox.size());
    if (delivery.joinsNone()) {
      owner.octet(OF_NO_KEY).text(EffectJudge.CONTRADICTORY_EVENT);
    } else if (!delivery.row().namesEvent()) {
      owner.octet(OF_NO_KEY).text(EffectJudge.NO_EVENT);
    } else {
      fittingKey(
          KeyPattern.of(
              delivery.row(), contract, namedOfOutbox, column -> facts.has(Input.OUTBOX, column)));
    }
  }

  private void fittingKey(KeyPattern pattern) {
    EventKey fitting = null;
    long fits = keyCount > keys.size() ? keyCount : 0;
    for (EventKey key : keys) {
      if (pattern.names(key)) {
        fits = 1;
        fitting = key;
        break;
      }
      if (pattern.fits(key)) {
        fits++;
        fitting = key;
      }
    }
    if (fits == 1) {
      owner.octet(OF_A_KEY);
      fitting.writeWithinGroup(owner);
      return;
    }
    if (fits > 1) {
      ambiguous.add(pattern);
    }
    owner
        .octet(OF_NO_KEY)
        .text(fits == 0 ? EffectJudge.UNKNOWN_EVENT : EffectJudge.AMBIGUOUS_EVENT);
  }

  /** Judges what was sorted, key after key. */
  private void judge() throws IOException {
    SortedRecords records = judged.sort();
    Owner current = null;
    while (records.nextGroup()) {
      while (records.nextRecord()) {
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

  private Owner owner(SortedRecords records, Owner previous) {
    KeyReader in = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
    if (in.octet() == OF_NO_KEY) {
      String because = in.text();
      byte[] prefix = Arrays.copyOfRange(records.buffer(), records.orderFrom(), in.position());
      return new Owner(prefix, because);
    }
    EventKey key = key(in);
    byte[] prefix = Arrays.copyOfRange(records.buffer(), records.orderFrom(), in.position());
    boolean afterSmaller =
        previous != null
            && previous.key != null
            && previous.inHistory
            && previous.key.scope().equals(key.scope());
    return new Owner(prefix, key, afterSmaller);
  }

  private boolean isAmbiguous(EventKey key) {
    for (KeyPattern pattern : ambiguous) {
      if (keyCount > keys.size() || pattern.fits(key)) {
        return true;
      }
    }
    return false;
  }

  private static KeyReader bodyOf(SortedRecords records) {
    return new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
  }

  /** A key, or a reason to have none, with the records that are judged under it. */
  private final class Owner {

    private final byte[] prefix;
    private final EventKey key;
    private final String orphanBecause;
    private boolean inHistory;
    private boolean rowsBegun;
    private String rowSource;
    private String rowEventId;
    private String rowId;
    private AckFold onlyFold;
    private boolean severalFolds;

    Owner(byte[] prefix, EventKey key, boolean afterSmallerRevision) {
      this.prefix = prefix;
      this.key = key;
      this.orphanBecause = null;
      this.inHistory = afterSmallerRevision;
      identity.begin(key, contract, afterSmallerRevision);
    }

    Owner(byte[] prefix, String orphanBecause) {
      this.prefix = prefix;
      this.key = null;
      this.orphanBecause = orphanBecause;
    }

    boolean owns(SortedRecords records) {
      int from = records.orderFrom();
      return records.orderTo() - from >= prefix.length
          && Arrays.equals(prefix, 0, prefix.length, records.buffer(), from, from + prefix.length);
    }

    void next(SortedRecords records) throws IOException {
      if (records.kind() < KIND_ROW) {
        reception(records);
        return;
      }
      beginRows();
      KeyReader in = bodyOf(records);
      if (records.kind() == KIND_ROW) {
        Delivery delivery = Delivery.read(in, namedOfOutbox.size());
        rowSource = delivery.row().source();
        rowEventId = delivery.row().sourceEventId();
        rowId = delivery.row().outboxId();
        effects.row(delivery);
      } else {
        AckFold fold = AckFold.read(in);
        if (effects.fold(fold)) {
          addUnit(fold);
        }
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
      identity.next(
          Reception.read(key, ingestionId, content, namedOfEvents),
          COPIES[records.kind()],
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
        return;
      }
      KeyVerdict verdict = identity.end();
      inHistory |= verdict.first() != null;
      verdicts.accept(verdict);
      effects.begin(verdict, contract.scope(), isAmbiguous(key));
    }

    private void addUnit(AckFold fold) throws IOException {
      if (onlyFold == null && !severalFolds) {
        onlyFold = fold;
        return;
      }
      if (!severalFolds) {
        severalFolds = true;
        sortUnit(onlyFold);
        onlyFold = null;
      }
      sortUnit(fold);
    }

    private void sortUnit(AckFold fold) throws IOException {
      order
          .clear()
          .nullableText(fold.effectType())
          .nullableText(fold.consumer())
          .nullableText(fold.effectKey())
          .instant(fold.firstAt())
          .nullableText(fold.firstAckId())
          .text(fold.outboxId())
          .raw(fold.firstPlace().toBytes());
      body.clear();
      fold.write(body);
      units.add(empty, order, 0, body);
    }

    void end() throws IOException {
      beginRows();
      effects.end();
      acks.begin(this::describe);
      if (onlyFold != null) {
        acks.next(onlyFold);
      } else if (severalFolds) {
        SortedRecords sorted = units.sort();
        while (sorted.nextGroup()) {
          while (sorted.nextRecord()) {
            acks.next(AckFold.read(bodyOf(sorted)));
          }
        }
      }
      acks.end();
    }

    /** The event; of rows without one, what they name; of rows that name nothing, the row. */
    private JsonObject describe(JsonObject object) {
      if (key != null) {
        return key.describe(object, contract.scope());
      }
      return orphanBecause.equals(EffectJudge.NO_EVENT)
              || orphanBecause.equals(EffectJudge.CONTRADICTORY_EVENT)
          ? object.put("outbox_id", rowId)
          : object.put("source", rowSource).put("source_event_id", rowEventId);
    }
  }

  /**
   * The receptions of one key that share an ingestion_id, equal contents next to each other: finds
   * copies and conflicts, and sorts each reception to where it is judged. Only the first of a run
   * is held, until it is known whether others differ.
   */
  private final class Run {

    private byte[] id;
    private boolean decided;
    private final KeyWriter decision = new KeyWriter();
    private boolean holding;
    private final KeyWriter held = new KeyWriter();
    private byte[] lastContent;
    private boolean conflict;

    void begin() {
      id = null;
      decided = false;
      holding = false;
      lastContent = null;
      conflict = false;
    }

    void next(SortedRecords records) throws IOException {
      byte[] buffer = records.buffer();
      if (id == null
          || !Arrays.equals(id, 0, id.length, buffer, records.orderFrom(), records.orderTo())) {
        end();
        begin();
        id = records.order();
      }
      if (records.kind() == EventRecords.KIND_DECISION) {
        decided = true;
        decision.clear().raw(buffer, records.bodyFrom(), records.bodyTo());
        return;
      }
      int contentTo = records.bodyTo() - Place.BYTES;
      if (lastContent == null) {
        lastContent = Arrays.copyOfRange(buffer, records.bodyFrom(), contentTo);
        held.clear().raw(buffer, records.bodyFrom(), records.bodyTo());
        holding = true;
      } else if (Arrays.equals(
          lastContent, 0, lastContent.length, buffer, records.bodyFrom(), contentTo)) {
        sort(Copies.COPY, buffer, records.bodyFrom(), records.bodyTo());
      } else {
        conflict = true;
        release(Copies.CONFLICT);
        lastContent = Arrays.copyOfRange(buffer, records.bodyFrom(), contentTo);
        sort(Copies.CONFLICT, buffer, records.bodyFrom(), records.bodyTo());
      }
    }

    void end() throws IOException {
      if (id != null) {
        release(conflict ? Copies.CONFLICT : Copies.SINGLE);
      }
    }

    private void release(Copies copies) throws IOException {
      if (holding) {
        holding = false;
        sort(copies, held.buffer(), 0, held.size());
      }
    }

    private void sort(Copies copies, byte[] buffer, int from, int to) throws IOException {
      KeyReader ids = new KeyReader(id);
      ids.octet();
      int withinFrom = ids.position();
      key(ids);
      int withinTo = ids.position();
      noteKey(id, withinFrom, withinTo);
      order.clear().octet(OF_A_KEY).raw(id, withinFrom, withinTo).octet(RECEPTION);
      order.raw(buffer, from, from + Reception.ARRIVAL_BYTES).raw(id, withinTo, id.length);
      body.clear().bool(decided);
      if (decided) {
        body.raw(decision.buffer(), 0, decision.size());
      }
      body.raw(buffer, from, to);
      judged.add(empty, order, copies.ordinal(), body);
    }
  }
}
