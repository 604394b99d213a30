package dev.constat.rules.plan;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.json.JsonArray;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.plan.RepairDesk.Aggregate;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.Horizons;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.reconcile.Standing;
import dev.constat.rules.spec.Effect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Plans the messages that would have to be sent again to mend the errors found: one for each row
 * with a STUCK_PENDING, STUCK_LEASE, IMPLICIT_DLQ or with MISSING_ACKs, and one to be created for
 * each MISSING_OUTBOX, by (created_at, outbox_id), where a message without row goes by its event's
 * first received_at and id.
 *
 * <p>A message is planned only with the proof that no effective original acknowledgement of its
 * effect is there, whatever row of the event it came through, for any of the consumers that it is
 * for: all acknowledgements were read, and they reach from before the message could have been sent
 * first to where one would have come. It carries the key under which consumers tell a repeat: the
 * only effect_key that acknowledgements of the row show, else the event's id. Rows that are no
 * event's, or that should not be there, what a replay has delivered meanwhile, and all that cannot
 * be proven, is withheld. What must keep the order of its aggregate goes to {@link AggregateOrder}
 * next, and so does a row of which only that order tells what is wrong with it.
 */
public final class RepairPlanner implements Planner {

  /** What a message can mend. */
  private static final ImmutableSet<Kind> MENDED =
      Sets.immutableEnumSet(
          Kind.MISSING_OUTBOX,
          Kind.STUCK_PENDING,
          Kind.STUCK_LEASE,
          Kind.IMPLICIT_DLQ,
          Kind.MISSING_ACK);

  /** What tells that a row had better not be sent. */
  private static final ImmutableSet<Kind> WARNING =
      Sets.immutableEnumSet(Kind.SURPLUS_OUTBOX, Kind.IMPOSSIBLE_STATE);

  private final RunFacts facts;
  private final Horizons horizons;
  private final EffectPolicy policy;
  private final boolean integerIds;
  private final RepairDesk desk;

  // the event
  private KeyVerdict event;
  private String looseAck;

  // its rows of one effect type
  private boolean anyRow;
  private String type;
  private Effect limits;
  private String inForce;
  private Draft held;
  private final TreeMap<String, String> acknowledgedThrough = new TreeMap<>();

  /** Who had the effect through a replay, and through which. */
  private final TreeMap<String, String> replayedThrough = new TreeMap<>();

  private String anyAck;
  private String unnamedAck;

  // one row
  private OutboxRow row;
  private Draft draft;
  private final List<Found> coming = new ArrayList<>();

  /** A finding about a row. */
  private record Found(
      Kind kind,
      String subject,
      String outboxId,
      String consumer,
      Instant since,
      boolean unlessHeld) {}

  /** A message that is being planned. */
  private static final class Draft {
    private final OutboxRow row;
    private Withheld because;
    private String becauseOf;
    private Kind kind;
    private Instant since;
    private final JsonArray findings = new JsonArray();
    private final List<String> consumers = new ArrayList<>();
    private String key;
    private boolean severalKeys;
    private boolean unlessHeld;

    Draft(OutboxRow row) {
      this.row = row;
    }

    void add(Found found) {
      if (found.kind() == Kind.SURPLUS_OUTBOX) {
        because = because == null ? Withheld.SURPLUS : because;
      } else if (found.kind() == Kind.IMPOSSIBLE_STATE) {
        because = because == null ? Withheld.IMPOSSIBLE_STATE : because;
      } else {
        kind = found.kind();
        unlessHeld = found.unlessHeld();
        findings.add(PlanLine.reference(found.kind(), found.subject()));
        since = since == null || found.since().isBefore(since) ? found.since() : since;
        if (found.consumer() != null) {
          consumers.add(found.consumer());
        }
      }
    }

    void key(String effectKey) {
      severalKeys |= key != null && effectKey != null && !key.equals(effectKey);
      key = key == null ? effectKey : key;
    }
  }

  /**
   * A planner.
   *
   * @param desk takes what it plans and withholds
   */
  public RepairPlanner(RunFacts facts, RepairDesk desk) {
    this.facts = facts;
    this.horizons = new Horizons(facts);
    this.policy = new EffectPolicy(facts.spec());
    this.integerIds = facts.spec().integerOutboxIds();
    this.desk = desk;
  }

  /** Whether a finding is one that a message can mend. */
  public static boolean mends(Kind kind) {
    return MENDED.contains(kind);
  }

  @Override
  public void begin(KeyVerdict verdict, boolean ambiguous, String looseAckOfEvent) {
    reset(verdict);
    looseAck = looseAckOfEvent;
  }

  @Override
  public void beginOrphans() {
    reset(null);
    looseAck = null;
  }

  private void reset(KeyVerdict verdict) {
    event = verdict;
    anyRow = false;
    type = null;
    limits = null;
    row = null;
    draft = null;
    coming.clear();
    beginType();
  }

  private void beginType() {
    inForce = null;
    held = null;
    acknowledgedThrough.clear();
    replayedThrough.clear();
    anyAck = null;
    unnamedAck = null;
  }

  @Override
  public void finding(Finding finding) {
    if (!MENDED.contains(finding.kind()) && !WARNING.contains(finding.kind())) {
      return;
    }
    JsonValue subject = StrictJson.parseOwn(finding.subject());
    if (finding.kind() == Kind.MISSING_OUTBOX) {
      create(finding, subject.at("/effect_type").asText());
      return;
    }
    JsonValue consumer = subject.at("/consumer");
    Found found =
        new Found(
            finding.kind(),
            finding.subject(),
            subject.at("/outbox_id").asText(),
            consumer == null ? null : consumer.asText(),
            finding.firstAt(),
            false);
    if (row != null && row.outboxId().equals(found.outboxId())) {
      draft.add(found);
    } else {
      coming.add(found);
    }
  }

  @Override
  public void row(Delivery next) {
    endRow();
    if (!anyRow || !Objects.equals(next.row().effectType(), type)) {
      endType();
      type = next.row().effectType();
      anyRow = true;
      Effect entry =
          event == null || event.first() == null || !policy.declares(type)
              ? null
              : policy.entry(type, event);
      limits = entry == null ? policy.limits(type) : entry;
    }
    row = next.row();
    draft = new Draft(row);
    for (Found found : coming) {
      if (found.outboxId().equals(row.outboxId())) {
        draft.add(found);
      }
    }
    coming.clear();
    placeRow();
  }

  /**
   * Passes on what the order of an aggregate depends on, and takes up a row that is stuck unless an
   * earlier one holds it back: that is known only there.
   */
  @Override
  public void inAggregate(AggregateRow inAggregate) {
    if (!inAggregate.ordered()) {
      return;
    }
    if (inAggregate.delivery() != null || inAggregate.status() == Status.DISPATCHED) {
      desk.delivered(aggregate(inAggregate), inAggregate.outboxId());
    }
    if (inAggregate.status() == Status.PENDING || inAggregate.status() == Status.PROCESSING) {
      desk.head(aggregate(inAggregate), inAggregate.outboxId());
    }
    if (inAggregate.waiting() && inAggregate.judged()) {
      String subject = new JsonObject().put("outbox_id", inAggregate.outboxId()).toString();
      coming.add(
          new Found(
              Kind.STUCK_PENDING, subject, inAggregate.outboxId(), null, inAggregate.due(), true));
    }
  }

  /** Says of a row whether it is the one that the effect is due to. */
  private void placeRow() {
    if (row.replayed()) {
      draft.because = Withheld.REPLAY;
    } else if (event == null || event.first() == null) {
      draft.because =
          event != null && event.contested() ? Withheld.ARCHIVE_CONFLICT : Withheld.ORPHAN;
    } else if (event.contested()) {
      draft.because = Withheld.ARCHIVE_CONFLICT;
    } else if (event.knownByReplaysAlone()) {
      draft.because = Withheld.ORIGINAL_ABSENT;
    } else if (inForce != null) {
      draft.because = Withheld.SURPLUS;
      draft.becauseOf = inForce;
    }
    if (!row.replayed() && inForce == null) {
      inForce = row.outboxId();
    }
  }

  @Override
  public void fold(AckFold fold) {
    if (!row.replayed()) {
      draft.key(fold.effectKey());
    }
    if (row.replayed() || fold.replayId() != null) {
      if (fold.effective() > 0) {
        String replayId = fold.replayId() == null ? row.replayId() : fold.replayId();
        replayedThrough.putIfAbsent(Strings.nullToEmpty(fold.consumer()), replayId);
      }
      return;
    }
    if (fold.effective() > 0) {
      anyAck = anyAck == null ? row.outboxId() : anyAck;
      if (fold.consumer() == null) {
        unnamedAck = unnamedAck == null ? row.outboxId() : unnamedAck;
      } else {
        acknowledgedThrough.putIfAbsent(fold.consumer(), row.outboxId());
      }
    }
  }

  @Override
  public void end() {
    endRow();
    endType();
  }

  private void endRow() {
    if (draft != null && draft.kind != null) {
      if (draft.because == null) {
        held = draft; // other rows may show that the effect happened
      } else {
        message(draft);
      }
    }
    row = null;
    draft = null;
  }

  private void endType() {
    if (held != null) {
      message(held);
    }
    beginType();
  }

  private void message(Draft message) {
    OutboxRow sent = message.row;
    Instant claimed = sent.claimedAt().orNull();
    Instant since =
        message.kind != Kind.MISSING_ACK && claimed != null && claimed.isAfter(message.since)
            ? claimed
            : message.since;
    List<String> consumers = limits.consumers();
    if (consumers == null && message.because == null && !replayedThrough.isEmpty()) {
      message.because = Withheld.DELIVERED_BY_REPLAY;
      message.becauseOf = replayedThrough.firstEntry().getValue();
    } else if (consumers != null) {
      consumers =
          (message.kind == Kind.MISSING_ACK ? message.consumers : consumers)
              .stream().filter(consumer -> !acknowledgedThrough.containsKey(consumer)).toList();
      boolean open = !consumers.isEmpty();
      consumers = consumers.stream().filter(name -> !replayedThrough.containsKey(name)).toList();
      if (open && consumers.isEmpty() && message.because == null) {
        message.because = Withheld.DELIVERED_BY_REPLAY;
        message.becauseOf = replayedThrough.firstEntry().getValue();
      }
    }
    boolean ownKey = message.key != null && !message.severalKeys;
    settle(
        message,
        since,
        consumers,
        new Message(
            "SEND",
            sent.outboxId(),
            type,
            sent.topic() == null && event != null && event.first() != null
                ? event.first().topic()
                : sent.topic(),
            sent.aggregateType(),
            sent.aggregateId(),
            sent.createdAt(),
            sent.source(),
            sent.sourceEventId(),
            ownKey ? message.key : sent.sourceEventId(),
            ownKey ? "effect_key" : "source_event_id",
            sent.outboxId(),
            sent.place()));
  }

  /** A message without row. */
  private void create(Finding finding, String effectType) {
    Reception first = event.first();
    Draft missing = new Draft(null);
    missing.add(
        new Found(finding.kind(), finding.subject(), null, null, first.receivedAt(), false));
    if (facts.incomplete(Input.OUTBOX)) {
      missing.because = Withheld.OUTBOX_INCOMPLETE;
    } else if (looseAck != null) {
      missing.because = Withheld.ACKNOWLEDGED_WITHOUT_ROW;
      missing.becauseOf = looseAck;
    }
    Effect before = limits;
    limits = policy.entry(effectType, event);
    settle(
        missing,
        first.receivedAt(),
        limits.consumers(),
        new Message(
            "CREATE",
            null,
            effectType,
            first.topic(),
            first.aggregateType(),
            first.aggregateId(),
            first.receivedAt(),
            event.key().source(),
            event.key().id(),
            event.key().id(),
            "source_event_id",
            event.key().id(),
            first.place()));
    limits = before;
  }

  /** What a message says, whatever becomes of it. */
  private record Message(
      String action,
      String outboxId,
      String effectType,
      String topic,
      String aggregateType,
      String aggregateId,
      Instant createdAt,
      String source,
      String sourceEventId,
      String idempotencyKey,
      String idempotencyKeyFrom,
      String orderId,
      Place place) {}

  private void settle(Draft planned, Instant since, List<String> consumers, Message message) {
    boolean sent = message.outboxId() != null;
    if (planned.because == null && sent && consumers == null && anyAck != null) {
      planned.because = Withheld.ACKNOWLEDGED;
      planned.becauseOf = anyAck;
    } else if (planned.because == null && sent && consumers != null && consumers.isEmpty()) {
      planned.because = Withheld.ACKNOWLEDGED;
      planned.becauseOf = acknowledgedThrough.isEmpty() ? null : firstThrough();
    } else if (planned.because == null && sent && unnamedAck != null) {
      planned.because = Withheld.UNNAMED_CONSUMER;
      planned.becauseOf = unnamedAck;
    }
    if (planned.because == null) {
      planned.because = unproven(since);
    }
    if (planned.because == null && !sent && limits.ordered() && message.aggregateId() == null) {
      planned.because = Withheld.AGGREGATE_UNKNOWN;
    }
    boolean proven = planned.because == null;
    RunFacts.InputFacts acks = facts.input(Input.ACKNOWLEDGEMENTS);
    PlanLine line =
        PlanLine.of(
            PlanTables.REPAIR_PLAN,
            position(message).text(message.source() == null ? "" : message.source()).toBytes(),
            message.place(),
            message.action(),
            message.outboxId(),
            message.effectType(),
            planned.kind.name(),
            planned.findings.toString(),
            message.topic(),
            message.aggregateType(),
            message.aggregateId(),
            message.createdAt(),
            message.source(),
            message.sourceEventId(),
            event == null ? null : event.text(),
            message.idempotencyKey(),
            message.idempotencyKeyFrom(),
            text(JsonArray.ofNullable(consumers)),
            sent ? JsonArray.ofNullable(acknowledgedThrough.keySet()).toString() : "[]",
            limits.ordered() ? "aggregate" : "none",
            null,
            proven ? 0L : null,
            proven ? acks.rows() : null,
            proven ? acks.start() : null,
            proven ? acks.cut() : null,
            proven ? true : null);
    PlanLine told = proven ? line : line.withheld(planned.because, planned.becauseOf);
    boolean asksOrder = proven || planned.unlessHeld;
    if (asksOrder && limits.ordered() && message.aggregateId() != null) {
      desk.ordered(
          new Aggregate(
              message.aggregateType(), message.aggregateId(), position(message).toBytes()),
          told,
          planned.unlessHeld);
    } else {
      desk.message(told);
    }
  }

  private String firstThrough() {
    return acknowledgedThrough.firstEntry().getValue();
  }

  private static String text(JsonArray array) {
    return array == null ? null : array.toString();
  }

  private KeyWriter position(Message message) {
    KeyWriter out = new KeyWriter();
    OutboxPosition.write(out, message.createdAt(), message.orderId(), integerIds);
    return out.text(message.orderId()).nullableText(message.effectType());
  }

  private Aggregate aggregate(AggregateRow placed) {
    KeyWriter out = new KeyWriter();
    OutboxPosition.write(out, placed.createdAt(), placed.outboxId(), integerIds);
    out.text(placed.outboxId()).nullableText(placed.effectType());
    return new Aggregate(placed.aggregateType(), placed.aggregateId(), out.toBytes());
  }

  /** Why the absence of acknowledgements proves nothing, or null where it does. */
  private Withheld unproven(Instant since) {
    RunFacts.InputFacts acks = facts.input(Input.ACKNOWLEDGEMENTS);
    if (acks == null) {
      return Withheld.ACKNOWLEDGEMENTS_NOT_CONFIGURED;
    }
    if (acks.usable() == 0) {
      return Withheld.ACKNOWLEDGEMENTS_EMPTY;
    }
    if (facts.incomplete(Input.ACKNOWLEDGEMENTS)) {
      return Withheld.ACKNOWLEDGEMENTS_INCOMPLETE;
    }
    Standing standing = horizons.missingAck(since, limits.grace());
    return switch (standing) {
      case SETTLED -> null;
      case IN_FLIGHT -> Withheld.ACKNOWLEDGEMENTS_END_TOO_EARLY;
      case OUT_OF_HORIZON -> Withheld.ACKNOWLEDGEMENTS_BEGIN_TOO_LATE;
    };
  }
}
