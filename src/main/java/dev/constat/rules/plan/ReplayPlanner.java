package dev.constat.rules.plan;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.json.JsonArray;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.spec.ReplayPlan;
import java.time.Instant;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Plans a replay of a topic (spec section 8): every accepted event of the topic whose created_at
 * lies in the interval, both ends included, by (created_at, source_event_id, source, key). An
 * event's topic is its own, else that of its smallest original outbox row that has one; its
 * created_at that of its smallest original row, else its first received_at.
 *
 * <p>Of every effect type whose entry holds for an event, a type that is replayable is predicted,
 * once for each consumer, with the consumers that acknowledged it before; all others are withheld.
 * An event is withheld as a whole where a replay of it would not be the event: without an id, with
 * several contents of one reception, known from replays alone, or where a row names several.
 */
public final class ReplayPlanner implements Planner {

  private final ReplayPlan plan;
  private final EffectPolicy policy;
  private final boolean acknowledgementsKnown;
  private final boolean integerIds;
  private final Consumer<PlanLine> lines;
  private final Supplier<Tally> tally;

  private KeyVerdict event;
  private boolean ambiguous;
  private byte[] smallest;
  private Instant created;
  private Place rowPlace;
  private byte[] smallestWithTopic;
  private String topicOfRows;
  private String typeOfRow;
  private boolean originalRow;
  private final TreeMap<String, TreeSet<String>> acknowledged = new TreeMap<>();

  /**
   * A planner.
   *
   * @param lines takes what it plans and withholds
   * @param tally where to count at the moment
   */
  public ReplayPlanner(
      RunFacts facts, ReplayPlan plan, Consumer<PlanLine> lines, Supplier<Tally> tally) {
    this.plan = plan;
    this.policy = new EffectPolicy(facts.spec());
    this.acknowledgementsKnown = facts.has(Input.ACKNOWLEDGEMENTS);
    this.integerIds = facts.spec().integerOutboxIds();
    this.lines = lines;
    this.tally = tally;
  }

  @Override
  public void begin(KeyVerdict verdict, boolean isAmbiguous, String looseAck) {
    event = verdict;
    ambiguous = isAmbiguous;
    smallest = null;
    created = null;
    rowPlace = null;
    smallestWithTopic = null;
    topicOfRows = null;
    acknowledged.clear();
  }

  @Override
  public void beginOrphans() {
    event = null;
  }

  @Override
  public void row(Delivery next) {
    OutboxRow row = next.row();
    typeOfRow = row.effectType();
    originalRow = !row.replayed();
    if (event == null || !originalRow) {
      return;
    }
    KeyWriter out = new KeyWriter();
    OutboxPosition.write(out, row.createdAt(), row.outboxId(), integerIds);
    byte[] position = out.toBytes();
    if (smallest == null || Arrays.compareUnsigned(position, smallest) < 0) {
      smallest = position;
      created = row.createdAt();
      rowPlace = row.place();
    }
    if (row.topic() != null
        && (smallestWithTopic == null || Arrays.compareUnsigned(position, smallestWithTopic) < 0)) {
      smallestWithTopic = position;
      topicOfRows = row.topic();
    }
  }

  @Override
  public void inAggregate(AggregateRow row) {
    // a replay has an order of its own
  }

  @Override
  public void fold(AckFold fold) {
    if (event != null
        && originalRow
        && typeOfRow != null
        && fold.replayId() == null
        && fold.consumer() != null
        && fold.effective() > 0
        && policy.declares(typeOfRow)) {
      acknowledged.computeIfAbsent(typeOfRow, type -> new TreeSet<>()).add(fold.consumer());
    }
  }

  @Override
  public void finding(Finding finding) {
    // errors do not change what was accepted
  }

  @Override
  public void end() {
    if (event == null) {
      return;
    }
    Reception first = event.first();
    Instant createdAt = created == null && first != null ? first.receivedAt() : created;
    if (createdAt == null || !plan.holds(createdAt)) {
      return;
    }
    String topic = first != null && first.topic() != null ? first.topic() : topicOfRows;
    if (topic == null) {
      tally.get().add(first == null ? 0 : 1, PlanTally.WITHOUT_TOPIC);
    } else if (topic.equals(plan.topic())) {
      Withheld because = because();
      if (because == null) {
        publish(createdAt);
      } else {
        withhold(createdAt, because);
      }
    }
  }

  private Withheld because() {
    if (event.contested()) {
      return Withheld.ARCHIVE_CONFLICT;
    }
    if (event.key().heuristic()) {
      return Withheld.NO_EVENT_ID;
    }
    if (event.knownByReplaysAlone()) {
      return Withheld.ORIGINAL_ABSENT;
    }
    return ambiguous ? Withheld.AMBIGUOUS_EVENT : null;
  }

  private void publish(Instant createdAt) {
    Reception first = event.first();
    JsonArray effects = new JsonArray();
    JsonArray withheld = new JsonArray();
    for (String type : policy.types()) {
      Effect entry = policy.entry(type, event);
      if (entry == null) {
        continue;
      }
      if (!entry.replayable()) {
        withheld.add(type);
        count(type, PlanTally.Line.WITHHELD, 1);
        continue;
      }
      TreeSet<String> before = acknowledged.getOrDefault(type, new TreeSet<>());
      effects.add(
          new JsonObject()
              .put("effect_type", type)
              .put("consumers", JsonArray.ofNullable(entry.consumers()))
              .put(
                  "already_acknowledged",
                  acknowledgementsKnown ? JsonArray.ofNullable(before) : null));
      count(type, PlanTally.Line.EVENTS, 1);
      if (entry.consumers() == null) {
        count(type, PlanTally.Line.CONSUMERS_UNKNOWN, 1);
      } else {
        count(type, PlanTally.Line.PREDICTED, entry.consumers().size());
        count(
            type,
            PlanTally.Line.ACKNOWLEDGED,
            entry.consumers().stream().filter(before::contains).count());
      }
    }
    lines.accept(
        PlanLine.of(
            PlanTables.REPLAY_PLAN,
            order(createdAt),
            first.place(),
            plan.topic(),
            createdAt,
            event.key().source(),
            event.key().id(),
            event.text(),
            first.schemaVersion(),
            first.content().value(),
            first.content().rule(),
            "true",
            plan.batchId(),
            event.key().id(),
            effects.toString(),
            withheld.toString()));
  }

  private void withhold(Instant createdAt, Withheld because) {
    lines.accept(
        PlanLine.of(
            PlanTables.WITHHELD_EVENTS,
            order(createdAt),
            event.first() == null ? rowPlace : event.first().place(),
            because.name(),
            plan.topic(),
            createdAt,
            event.key().source(),
            event.key().id(),
            event.text()));
  }

  private void count(String type, PlanTally.Line line, long count) {
    tally.get().add(count, PlanTally.EFFECTS, type, line.name());
  }

  private byte[] order(Instant createdAt) {
    return new KeyWriter()
        .instant(createdAt)
        .nullableText(event.key().id())
        .text(event.key().source())
        .text(event.text())
        .toBytes();
  }
}
