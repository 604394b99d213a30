package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.StateClass;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reconciles one event after the other with its outbox rows, and each row with its acknowledgements
 * (spec section 6). An event begins with what identity says of it; then its rows come by effect
 * type, originals before replays, in contract order, each followed by its folded acknowledgements.
 */
public final class EffectJudge {

  /** Why a subject that {@code --from/--to} does not choose is not judged. */
  public static final String OUTSIDE = "outside --from/--to";

  /** Hint: the counterpart's input had errors, which may explain the absence. */
  public static final String INPUT_INCOMPLETE = "INPUT_INCOMPLETE";

  /** Hint: nobody declared for how long the counterpart is kept. */
  public static final String RETENTION_UNKNOWN = "retention unknown";

  /** Reason of ORPHAN_OUTBOX: no reception has the key that the row names. */
  public static final String UNKNOWN_EVENT = "UNKNOWN_EVENT";

  /** Reason of ORPHAN_OUTBOX: the row names no event. */
  public static final String NO_EVENT = "NO_EVENT";

  /** Reason of ORPHAN_OUTBOX: several keys fit what the row names. */
  public static final String AMBIGUOUS_EVENT = "AMBIGUOUS_EVENT";

  /** Reason of ORPHAN_OUTBOX: the row's contents name different events. */
  public static final String CONTRADICTORY_EVENT = "CONTRADICTORY_EVENT";

  /** Why nobody knows who should have received an effect. */
  static final String NO_CONSUMERS = "expected consumers not configured";

  private static final String RULE = "effects/1";

  private final RunFacts facts;
  private final Horizons horizons;
  private final EffectPolicy policy;
  private final StateJudge states;
  private final AggregateRows aggregates;
  private final DeadLetters dead;
  private final Ledger ledger;

  // the event
  private KeyVerdict event;
  private String eventText;
  private List<String> scopeColumns;
  private String notJudgedBecause;
  private String orphanBecause;
  private final Set<String> typesSeen = new HashSet<>();

  // its rows of one effect type
  private boolean anyRow;
  private String type;
  private Effect entry;
  private OutboxRow inForce;

  // one row
  private Delivery delivery;
  private Effect limits;
  private RowClass rowClass;
  private StateClass state;
  private boolean surplus;
  private boolean overruled;
  private boolean sawFold;
  private boolean isDead;

  /** Configured consumers of the row; of each, whether its acknowledgements stand for an effect. */
  private final TreeMap<String, Answer> answers = new TreeMap<>();

  private enum Answer {
    NONE,
    NEVER_APPLIED,
    ACKED
  }

  private enum RowClass {
    REPLAY("replay"),
    NOT_JUDGED("not judged"),
    ORPHAN("ORPHAN"),
    IN_FLIGHT("IN_FLIGHT"),
    OUT_OF_HORIZON("OUT_OF_HORIZON"),
    UNDECLARED("undeclared"),
    SURPLUS("SURPLUS"),
    MATCHED("matched");

    private final String line;

    RowClass(String line) {
      this.line = line;
    }

    static RowClass of(Standing standing) {
      return switch (standing) {
        case SETTLED -> ORPHAN;
        case IN_FLIGHT -> IN_FLIGHT;
        case OUT_OF_HORIZON -> OUT_OF_HORIZON;
      };
    }
  }

  /** A judge of the effects of a run. */
  public EffectJudge(RunFacts facts, Ledger ledger) {
    this.facts = facts;
    this.horizons = new Horizons(facts);
    this.policy = new EffectPolicy(facts.spec());
    this.states = new StateJudge(facts, ledger);
    this.aggregates = new AggregateRows(facts);
    this.dead = new DeadLetters(facts, ledger);
    this.ledger = ledger;
  }

  /**
   * Begins an event.
   *
   * @param verdict what identity says of it
   * @param scope names of its key's scope columns
   * @param ambiguous whether a row names several events, this among them
   */
  public void begin(KeyVerdict verdict, List<String> scope, boolean ambiguous) {
    reset(verdict, scope);
    if (verdict.contested()) {
      notJudgedBecause = "several contents of an ingestion_id";
    } else if (verdict.key().heuristic()) {
      notJudgedBecause = "no source_event_id";
    } else if (ambiguous) {
      notJudgedBecause = "a row names several events";
    }
    if (verdict.first() != null && verdict.duplicates() > 0) {
      effect(
          null,
          null,
          null,
          null,
          null,
          0,
          "SUPPRESSED",
          verdict.duplicates(),
          verdict.first().ingestionId(),
          null);
    }
  }

  /**
   * Begins rows that belong to no event.
   *
   * @param because the reason of ORPHAN_OUTBOX
   */
  public void beginOrphans(String because) {
    reset(null, ImmutableList.of());
    orphanBecause = because;
  }

  private void reset(KeyVerdict verdict, List<String> scope) {
    event = verdict;
    eventText = verdict == null ? null : verdict.text();
    scopeColumns = scope;
    notJudgedBecause = null;
    orphanBecause = null;
    typesSeen.clear();
    anyRow = false;
    type = null;
    entry = null;
    inForce = null;
    delivery = null;
  }

  /** The next row. */
  public void row(Delivery next) {
    endRow();
    OutboxRow row = next.row();
    if (!anyRow || !Objects.equals(row.effectType(), type)) {
      endType();
      beginType(row.effectType());
      anyRow = true;
    }
    delivery = next;
    limits = entry == null ? policy.limits(type) : entry;
    overruled = inForce != null;
    surplus = !row.replayed() && judgesRows() && (inForce != null || !expected());
    rowClass = classify(row);
    if (!row.replayed() && inForce == null) {
      inForce = row;
    }
    state = states.judge(next, limits);
    AggregateRow inAggregate = aggregates.of(next, limits, state, ledger.tally());
    if (inAggregate != null) {
      ledger.inAggregate(inAggregate);
    }
    ledger.tally().add(1, CheckTally.BOOK, "outbox row", rowClass.line);
    rowFindings(row);
    answers.clear();
    sawFold = false;
    if (limits.consumers() != null && !row.replayed()) {
      limits.consumers().forEach(consumer -> answers.put(consumer, Answer.NONE));
    }
    isDead = DeadLetters.isDead(state) && facts.judged(row.createdAt());
    if (isDead) {
      dead.begin(row, state, limits);
      answers.keySet().forEach(consumer -> ledger.tally().add(1, CheckTally.DEAD, type, consumer));
    }
  }

  private void beginType(String effectType) {
    type = effectType;
    inForce = null;
    entry =
        event == null || event.first() == null || !policy.declares(type)
            ? null
            : policy.entry(type, event);
    if (type != null) {
      typesSeen.add(type);
    }
  }

  /** Whether the event is expected to have an effect of the type, leaving aside what is judged. */
  private boolean expected() {
    return entry != null && !event.knownByReplaysAlone();
  }

  /** Whether rows of the type are matched with the event at all. */
  private boolean judgesRows() {
    return event != null
        && event.first() != null
        && notJudgedBecause == null
        && !event.knownByReplaysAlone()
        && policy.declares(type);
  }

  private RowClass classify(OutboxRow row) {
    Tally tally = ledger.tally();
    if (row.replayed()) {
      return RowClass.REPLAY;
    }
    String unavailable = facts.judged(row.createdAt()) ? facts.whyNot(Input.EVENTS) : OUTSIDE;
    if (unavailable != null) {
      CheckTally.notJudged(tally, Kind.ORPHAN_OUTBOX, unavailable);
      return RowClass.NOT_JUDGED;
    }
    if (event == null) {
      Duration grace = policy.declares(type) ? limits.grace() : policy.largestGrace();
      // Horizons silence what says that something is absent, not a row that contradicts itself.
      Standing standing =
          orphanBecause.equals(UNKNOWN_EVENT)
              ? horizons.orphanOutbox(row.createdAt(), grace, limits.pendingAfter())
              : Standing.SETTLED;
      CheckTally.settled(tally, Kind.ORPHAN_OUTBOX, standing);
      return RowClass.of(standing);
    }
    CheckTally.judged(tally, Kind.ORPHAN_OUTBOX);
    if (!policy.declares(type)) {
      count(CheckTally.UNDECLARED, row.createdAt(), row.place(), type);
      return RowClass.UNDECLARED;
    }
    if (!judgesRows()) {
      CheckTally.notJudged(
          tally,
          Kind.SURPLUS_OUTBOX,
          notJudgedBecause == null ? "event known by replays alone" : notJudgedBecause);
      return RowClass.NOT_JUDGED;
    }
    CheckTally.judged(tally, Kind.SURPLUS_OUTBOX);
    if (surplus) {
      return RowClass.SURPLUS;
    }
    return facts.judged(event.first().receivedAt()) ? RowClass.MATCHED : RowClass.NOT_JUDGED;
  }

  private void rowFindings(OutboxRow row) {
    if (rowClass == RowClass.ORPHAN) {
      ledger.finding(
          aboutRow(Kind.ORPHAN_OUTBOX, row)
              .because(orphanSentence(row))
              .sides(
                  new JsonObject().put("event", "accepted"),
                  new JsonObject()
                      .put("reason", orphanBecause)
                      .put("source", row.source())
                      .put("source_event_id", row.sourceEventId())
                      .put("effect_type", row.effectType()))
              .when(row.createdAt())
              .hint(facts.incomplete(Input.EVENTS), INPUT_INCOMPLETE)
              .hint(
                  orphanBecause.equals(UNKNOWN_EVENT)
                      && !facts.input(Input.EVENTS).retentionKnown(),
                  RETENTION_UNKNOWN)
              .finding());
    } else if (rowClass == RowClass.SURPLUS) {
      JsonObject expectedSide = new JsonObject().put("effect_type", type);
      ledger.finding(
          aboutRow(Kind.SURPLUS_OUTBOX, row)
              .because(
                  overruled
                      ? Sentence.of("A second row for one effect: ")
                          .value("outbox_id", inForce.outboxId())
                          .and(" is in force")
                      : Sentence.of(
                          "NOT_EXPECTED: no entry of the run spec expects this effect of its"
                              + " event"))
              .sides(
                  overruled
                      ? expectedSide.put("outbox_id", inForce.outboxId())
                      : expectedSide.put("outbox_rows", 0),
                  describeEvent(new JsonObject()).put("outbox_id", row.outboxId()))
              .seenAt(overruled ? inForce.place() : event.first().place())
              .when(row.createdAt())
              .hint(
                  DedupMemory.expired(event, row.createdAt(), ledger.tally()), DedupMemory.EXPIRED)
              .finding());
    }
  }

  private Sentence orphanSentence(OutboxRow row) {
    Sentence named =
        Sentence.ofValue("source", row.source())
            .and("/")
            .value("source_event_id", row.sourceEventId());
    return switch (orphanBecause) {
      case NO_EVENT -> Sentence.of("The row names no event");
      case AMBIGUOUS_EVENT -> Sentence.of("Several events fit what the row names: ").and(named);
      case CONTRADICTORY_EVENT -> Sentence.of("The row's contents name different events");
      default -> Sentence.of("The row names an event that nobody received: ").and(named);
    };
  }

  /**
   * The next acknowledgements of the row.
   *
   * @return whether they are originals, whose effects {@link AckJudge} counts
   */
  public boolean fold(AckFold fold) {
    sawFold = true;
    OutboxRow row = delivery.row();
    boolean original = fold.replayId() == null && !row.replayed();
    if (original) {
      countFound(fold);
      answer(fold);
    } else {
      ledger.tally().add(fold.total(), CheckTally.BOOK, "acks", "replay");
    }
    String outcome = outcomeOfRow();
    if (!original) {
      outcome = "REPLAY";
    } else if (outcome == null) {
      outcome = fold.effective() > 0 ? "DONE" : "NO_ACK";
    }
    effect(
        fold.consumer(),
        fold.effectKey(),
        row,
        type,
        statusText(row),
        fold.effective(),
        outcome,
        Math.max(0, fold.effective() - 1),
        against(),
        fold);
    return original;
  }

  /** Acknowledgements whose row is there are subjects of ORPHAN_ACK too: found right. */
  private void countFound(AckFold fold) {
    Tally tally = ledger.tally();
    long found = fold.effectiveJudged() + fold.notAppliedJudged();
    if (found > 0) {
      tally.add(found, CheckTally.JUDGED, Kind.ORPHAN_ACK.name());
    }
    if (fold.total() > found) {
      tally.add(fold.total() - found, CheckTally.NOT_JUDGED, Kind.ORPHAN_ACK.name(), OUTSIDE);
    }
  }

  private void answer(AckFold fold) {
    String consumer = fold.consumer();
    if (consumer != null && answers.containsKey(consumer)) {
      answers.merge(
          consumer,
          fold.effective() > 0 ? Answer.ACKED : Answer.NEVER_APPLIED,
          (a, b) -> a.compareTo(b) >= 0 ? a : b);
    } else if (policy.declares(type)
        && policy.consumers(type) != null
        && (consumer == null || !policy.consumers(type).contains(consumer))) {
      count(CheckTally.UNEXPECTED, fold.firstAt(), fold.firstPlace(), type, consumer);
    }
  }

  /** Completes the event. */
  public void end() {
    endRow();
    if (anyRow) {
      endType();
    }
    if (event != null) {
      for (String declared : policy.types()) {
        if (!typesSeen.contains(declared)) {
          beginType(declared);
          endType();
        }
      }
    }
  }

  private void endRow() {
    if (delivery == null) {
      return;
    }
    OutboxRow row = delivery.row();
    boolean awaits = state == StateClass.DISPATCHED && !surplus && !row.replayed();
    if (awaits && answers.isEmpty()) {
      CheckTally.notJudged(ledger.tally(), Kind.MISSING_ACK, NO_CONSUMERS);
    }
    for (var answer : answers.entrySet()) {
      String standing = awaits ? await(row, answer.getKey(), answer.getValue()) : null;
      if (isDead) {
        dead.consumer(row, limits, answer.getKey(), answer.getValue() == Answer.ACKED);
      }
      if (answer.getValue() == Answer.NONE) {
        effect(
            answer.getKey(),
            null,
            row,
            type,
            statusText(row),
            0,
            outcomeWithoutAck(row, standing),
            0,
            against(),
            null);
        sawFold = true;
      }
    }
    if (!sawFold) {
      effect(
          null,
          null,
          row,
          type,
          statusText(row),
          0,
          outcomeWithoutAck(row, null),
          0,
          against(),
          null);
    }
    if (isDead) {
      dead.end(row, state, limits, describeEvent(new JsonObject()));
    }
    delivery = null;
  }

  /**
   * Judges whether a consumer answered a DISPATCHED row; the line of the acks' book it stands in.
   */
  private String await(OutboxRow row, String consumer, Answer answer) {
    Tally tally = ledger.tally();
    String line;
    String unavailable =
        facts.judged(row.createdAt()) ? facts.whyNot(Input.ACKNOWLEDGEMENTS) : OUTSIDE;
    if (unavailable != null) {
      CheckTally.notJudged(tally, Kind.MISSING_ACK, unavailable);
      line = "not judged";
    } else if (answer == Answer.ACKED) {
      CheckTally.judged(tally, Kind.MISSING_ACK);
      line = "acked";
    } else {
      Instant sent =
          row.dispatchedAt().orNull() == null ? row.createdAt() : row.dispatchedAt().orNull();
      Standing standing = horizons.missingAck(sent, limits.grace());
      line = standing == Standing.SETTLED ? "MISSING_ACK" : standing.name();
      if (!row.dispatchedAt().known() && standing != Standing.IN_FLIGHT) {
        CheckTally.notJudged(tally, Kind.MISSING_ACK, "dispatched_at without a zone");
        line = "not judged";
      } else if (CheckTally.settled(tally, Kind.MISSING_ACK, standing)) {
        ledger.finding(
            Statement.of(
                    Kind.MISSING_ACK,
                    new JsonObject().put("outbox_id", row.outboxId()).put("consumer", consumer))
                .because(
                    Sentence.of("Dispatched, and ")
                        .value("consumer", consumer)
                        .and(" never acknowledged it"))
                .sides(
                    new JsonObject().put("acks", 1).put("within", limits.grace().toString()),
                    describeEvent(new JsonObject())
                        .put("acks", 0)
                        .put("effect_type", type)
                        .put("dispatched_at", row.dispatchedAt().orNull()))
                .under(RULE)
                .seenAt(row.place())
                .when(sent)
                .hint(answer == Answer.NEVER_APPLIED, "NEVER_APPLIED")
                .hint(facts.incomplete(Input.ACKNOWLEDGEMENTS), INPUT_INCOMPLETE)
                .hint(!facts.input(Input.ACKNOWLEDGEMENTS).retentionKnown(), RETENTION_UNKNOWN)
                .finding());
      }
    }
    tally.add(1, CheckTally.BOOK, "awaited", type, consumer);
    tally.add(1, CheckTally.BOOK, "consumers", type, consumer, line);
    return line;
  }

  private void endType() {
    if (event == null || event.first() == null || !policy.declares(type)) {
      return;
    }
    Tally tally = ledger.tally();
    String line = expectation();
    tally.add(1, CheckTally.BOOK, "effects", type, line);
    if (inForce == null && !line.equals("not expected")) {
      effect(
          null,
          null,
          null,
          type,
          null,
          0,
          line.equals("MISSING_OUTBOX")
              ? "MISSING"
              : line.equals("not judged") ? "NOT_JUDGED" : line,
          0,
          null,
          null);
    }
  }

  /**
   * Judges whether the event has its row of the type; the line of the effects' book it stands in.
   */
  private String expectation() {
    Tally tally = ledger.tally();
    Reception first = event.first();
    if (!expected()) {
      return "not expected";
    }
    String unavailable = notJudgedBecause;
    if (unavailable == null && !facts.judged(first.receivedAt())) {
      unavailable = OUTSIDE;
    }
    if (unavailable == null) {
      unavailable = facts.whyNot(Input.OUTBOX);
    }
    if (unavailable == null && inForce != null && !facts.judged(inForce.createdAt())) {
      unavailable = OUTSIDE;
    }
    if (unavailable != null) {
      CheckTally.notJudged(tally, Kind.MISSING_OUTBOX, unavailable);
      return "not judged";
    }
    if (inForce != null) {
      CheckTally.judged(tally, Kind.MISSING_OUTBOX);
      return "matched";
    }
    Standing standing = horizons.missingOutbox(first.receivedAt(), entry.grace());
    if (!CheckTally.settled(tally, Kind.MISSING_OUTBOX, standing)) {
      return standing.name();
    }
    ledger.finding(
        Statement.of(Kind.MISSING_OUTBOX, describeEvent(new JsonObject()).put("effect_type", type))
            .because("Accepted, and no outbox row announces the effect")
            .sides(
                new JsonObject().put("outbox_rows", 1).put("within", entry.grace().toString()),
                new JsonObject()
                    .put("outbox_rows", 0)
                    .put("ingestion_id", first.ingestionId())
                    .put("decision", event.decision().name())
                    .put("age", Duration.between(first.receivedAt(), facts.asOf()).toString()))
            .under(RULE)
            .seenAt(first.place())
            .when(first.receivedAt())
            .hint(facts.incomplete(Input.OUTBOX), INPUT_INCOMPLETE)
            .hint(!facts.input(Input.OUTBOX).retentionKnown(), RETENTION_UNKNOWN)
            .finding());
    return "MISSING_OUTBOX";
  }

  /**
   * An acknowledgement of a row that is not in the archive; the row's event is unknown with it.
   *
   * @return the line of the acks' book it stands in
   */
  public String orphanAck(Acknowledgement ack) {
    Tally tally = ledger.tally();
    String line;
    String unavailable = facts.judged(ack.ackedAt()) ? facts.whyNot(Input.OUTBOX) : OUTSIDE;
    if (ack.replayed()) {
      line = "replay";
    } else if (unavailable != null) {
      CheckTally.notJudged(tally, Kind.ORPHAN_ACK, unavailable);
      line = "not judged";
    } else {
      Standing standing =
          ack.outboxId() == null
              ? Standing.SETTLED
              : horizons.orphanAck(
                  ack.ackedAt(), policy.largestGrace(), policy.largestPendingAfter());
      line = standing == Standing.SETTLED ? "ORPHAN" : standing.name();
      if (CheckTally.settled(tally, Kind.ORPHAN_ACK, standing)) {
        ledger.finding(orphanAckFinding(ack));
        sideChannel(ack);
      }
    }
    tally.add(1, CheckTally.BOOK, "acks", line);
    String outcome =
        line.equals("replay") ? "REPLAY" : line.equals("not judged") ? "NOT_JUDGED" : line;
    ledger.effect(
        new Object[] {
          ack.source(),
          ack.sourceEventId(),
          null,
          null,
          ack.consumer(),
          ack.effectKey(),
          ack.outboxId(),
          null,
          ack.effective() ? 1L : 0L,
          outcome,
          0L,
          null,
          ack.ackedAt(),
          null,
          null,
          null,
          ack.place(),
          ack.place().position()
        });
    return line;
  }

  /** A consumer that no entry names is unexpected of whatever effect it acknowledges. */
  private void sideChannel(Acknowledgement ack) {
    SideChannels.orphan(ack, ledger.tally());
    String consumer = ack.consumer();
    if (policy.namesConsumers() && (consumer == null || !policy.names(consumer))) {
      count(CheckTally.UNEXPECTED, ack.ackedAt(), ack.place(), null, consumer);
    }
  }

  private Finding orphanAckFinding(Acknowledgement ack) {
    JsonObject subject = new JsonObject();
    if (ack.ackId() != null) {
      subject.put("ack_id", ack.ackId());
    } else {
      subject
          .put("outbox_id", ack.outboxId())
          .put("consumer", ack.consumer())
          .put("effect_key", ack.effectKey());
    }
    return Statement.of(Kind.ORPHAN_ACK, subject)
        .because(
            ack.outboxId() == null
                ? Sentence.of("The acknowledgement names no outbox row")
                : Sentence.of("The acknowledgement names an outbox row that is not there: ")
                    .value("outbox_id", ack.outboxId()))
        .sides(
            new JsonObject().put("outbox_id", ack.outboxId()),
            new JsonObject()
                .put("outbox_rows", 0)
                .put("consumer", ack.consumer())
                .put("effect_key", ack.effectKey())
                .put("worker", ack.worker()))
        .under(RULE)
        .seenAt(ack.place())
        .when(ack.ackedAt())
        .hint(facts.incomplete(Input.OUTBOX), INPUT_INCOMPLETE)
        .hint(
            ack.outboxId() != null && !facts.input(Input.OUTBOX).retentionKnown(),
            RETENTION_UNKNOWN)
        .finding();
  }

  private String outcomeOfRow() {
    return switch (rowClass) {
      case REPLAY -> "REPLAY";
      case ORPHAN -> "ORPHAN";
      case SURPLUS -> "SURPLUS";
      case NOT_JUDGED, IN_FLIGHT, OUT_OF_HORIZON, UNDECLARED, MATCHED -> null;
    };
  }

  private String outcomeWithoutAck(OutboxRow row, String standing) {
    String outcome = outcomeOfRow();
    if (outcome != null) {
      return outcome;
    }
    if (standing != null) {
      return standing.equals("MISSING_ACK")
          ? "NO_ACK"
          : standing.equals("not judged") ? "NOT_JUDGED" : standing;
    }
    Status status = row.status();
    if (state == StateClass.IMPLICIT_DLQ) {
      return "DLQ";
    }
    if (status == Status.PENDING || status == Status.PROCESSING) {
      return "PENDING";
    }
    return status == Status.DLQ ? "DLQ" : "NOT_JUDGED";
  }

  private String against() {
    return surplus && overruled ? inForce.outboxId() : null;
  }

  private static String statusText(OutboxRow row) {
    return row.status() == null ? null : row.status().name();
  }

  private JsonObject describeEvent(JsonObject object) {
    if (event != null) {
      return event.key().describe(object, scopeColumns);
    }
    OutboxRow row = delivery.row();
    return object.put("source", row.source()).put("source_event_id", row.sourceEventId());
  }

  private void effect(
      String consumer,
      String effectKey,
      OutboxRow row,
      String effectType,
      String status,
      long acks,
      String outcome,
      long repeats,
      String against,
      AckFold fold) {
    String source = event == null ? row.source() : event.key().source();
    String id = event == null ? row.sourceEventId() : event.key().id();
    ledger.effect(
        new Object[] {
          source,
          id,
          eventText,
          effectType,
          consumer,
          effectKey,
          row == null ? null : row.outboxId(),
          status,
          acks,
          outcome,
          repeats,
          against,
          fold == null ? null : fold.firstAt(),
          fold == null || fold.lastAt().equals(fold.firstAt()) ? null : fold.lastAt(),
          row == null ? null : row.place(),
          row == null ? null : row.place().position(),
          fold == null ? null : fold.firstPlace(),
          fold == null ? null : fold.firstPlace().position()
        });
  }

  /** Counts something that is stated once per path, with its first place and its span of time. */
  private void count(String path, Instant time, Place place, String... steps) {
    String[] sum = new String[steps.length + 1];
    System.arraycopy(steps, 0, sum, 1, steps.length);
    KeyWriter out = new KeyWriter().instant(time);
    Tally tally = ledger.tally();
    sum[0] = path;
    tally.add(1, sum);
    sum[0] = CheckTally.last(path);
    tally.max(out.toBytes(), sum);
    sum[0] = CheckTally.first(path);
    tally.min(out.raw(place.toBytes()).toBytes(), sum);
  }

  private static Statement aboutRow(Kind kind, OutboxRow row) {
    return Statement.of(kind, new JsonObject().put("outbox_id", row.outboxId()))
        .under(RULE)
        .seenAt(row.place());
  }
}
