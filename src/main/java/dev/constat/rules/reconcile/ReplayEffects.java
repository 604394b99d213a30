package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.reconcile.AckJudge.JsonSubject;
import dev.constat.rules.replay.Replay;
import dev.constat.rules.replay.ReplayActivity;
import dev.constat.rules.replay.ReplayActivity.What;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tells what effects authorised replays had (spec section 6). The acknowledgements of an event come
 * by effect type, consumer and effect key (null first), of each key the originals first; originals
 * are judged by {@link AckJudge}, and only what replays add to them is said here.
 *
 * <ul>
 *   <li>A key that the event had its effect under already is a REDELIVERY, and so is one that
 *       another replay had it under before; two {@code applied = true} on one key, be one of them
 *       the original's, are a DOUBLE_EFFECT instead.
 *   <li>Another key of a replay that keeps the originals' keys is a DOUBLE_EFFECT. Where no
 *       original had an effect, the first of its keys is the event's effect, a counted
 *       REPLAY_EFFECT; where the originals have no key to compare it with, it may be a repeat of
 *       theirs, and is one.
 *   <li>Of the other keys of a replay with keys of its own, the first is a counted REPLAY_EFFECT,
 *       each further one a DOUBLE_EFFECT.
 *   <li>A null key is a repeat, never another key; where there is nothing to repeat, the first one
 *       is a REPLAY_EFFECT.
 * </ul>
 */
public final class ReplayEffects {

  /** Hint, and attribution, of what a replay added. */
  public static final String REPLAY = "REPLAY";

  private static final String RULE = "replay-effects/1";
  private static final int EXAMPLES = 16;

  private final RunFacts facts;
  private final Ledger ledger;
  private final ReplayJudge judge;
  private final ReplayActivity activity;

  private JsonSubject subject;
  private EventOrigin origin;

  // the unit
  private boolean open;
  private String type;
  private String consumer;
  private AckFold firstOriginal;
  private boolean originalWithKey;
  private long replayed;
  private long judged;
  private long repeatedApplied;
  private Newcomers underOriginals;
  private final TreeMap<String, Newcomers> underOwn = new TreeMap<>();
  private Brought nullKey;
  private long nulls;
  private AckFold allNulls;
  private Instant lastAt;
  private AckFold repeatedlyApplied;
  private final TreeSet<String> replayIds = new TreeSet<>();

  // one key of it
  private boolean keyOpen;
  private String effectKey;
  private long originals;
  private long originalsApplied;
  private AckFold replays;
  private Brought brought;

  /** Acknowledgements, and the replay that brought them. */
  private record Brought(AckFold fold, String replayId) {

    static Brought earlier(Brought a, Brought b) {
      return a == null || AckJudge.BY_FIRST.compare(b.fold(), a.fold()) < 0 ? b : a;
    }
  }

  /** Keys that no original has. */
  private static final class Newcomers {

    private Brought first;
    private Brought second;
    private long count;
    private long firstsJudged;
    private final List<String> examples = new ArrayList<>();

    void add(Brought next) {
      if (first == null || AckJudge.BY_FIRST.compare(next.fold(), first.fold()) < 0) {
        second = first;
        first = next;
      } else {
        second = Brought.earlier(second, next);
      }
      count++;
      if (next.fold().firstJudged()) {
        firstsJudged++;
      }
      if (examples.size() < EXAMPLES) {
        examples.add(next.fold().effectKey());
      }
    }
  }

  /** A judge that reports to a ledger. */
  public ReplayEffects(RunFacts facts, Ledger ledger, ReplayJudge judge, ReplayActivity activity) {
    this.facts = facts;
    this.ledger = ledger;
    this.judge = judge;
    this.activity = activity;
  }

  /** A row that nobody acknowledged, as it stands among acknowledgements. */
  public static AckFold unacknowledged(OutboxRow row) {
    Acknowledgement none =
        new Acknowledgement(
            null,
            row.outboxId(),
            null,
            row.createdAt(),
            null,
            false,
            null,
            row.replayId(),
            null,
            null,
            row.place());
    return AckFold.of(none, row, true);
  }

  /**
   * Begins an event.
   *
   * @param eventOrigin where it comes from, or null where no event is known
   */
  public void begin(JsonSubject event, EventOrigin eventOrigin) {
    subject = event;
    origin = eventOrigin;
    open = false;
    keyOpen = false;
  }

  /** The next original acknowledgements. */
  public void original(AckFold fold) {
    enter(fold);
    if (fold.effective() == 0) {
      return;
    }
    originals += fold.effective();
    originalsApplied += fold.applied();
    originalWithKey |= fold.effectKey() != null;
    if (firstOriginal == null || AckJudge.BY_FIRST.compare(fold, firstOriginal) < 0) {
      firstOriginal = fold;
    }
  }

  /** A row of an authorised replay that nobody acknowledged, as {@link #unacknowledged} has it. */
  public void row(AckFold row, String replayId) {
    judge.scope(replayId, row, true, origin, subject);
  }

  /** The next acknowledgements of an authorised replay. */
  public void replayed(AckFold fold, String replayId) {
    judge.scope(replayId, fold, false, origin, subject);
    enter(fold);
    ReplayBook.add(ledger.tally(), ReplayBook.NOT_APPLIED, fold.notAppliedJudged());
    ReplayBook.add(
        ledger.tally(),
        ReplayBook.NOT_JUDGED,
        fold.total() - fold.effectiveJudged() - fold.notAppliedJudged());
    if (fold.effective() == 0) {
      return;
    }
    replayed += fold.effective();
    judged += fold.effectiveJudged();
    lastAt = lastAt == null || fold.lastAt().isAfter(lastAt) ? fold.lastAt() : lastAt;
    replays = replays == null ? fold : replays.and(fold);
    brought = Brought.earlier(brought, new Brought(fold, replayId));
    if (replayIds.size() < EXAMPLES) {
      replayIds.add(replayId);
    }
    // Counted as repeats until it is known which of them are none.
    activity.count(replayId, What.REDELIVERIES, fold.effectiveJudged(), null);
  }

  private void enter(AckFold fold) {
    if (!open
        || !Objects.equals(fold.effectType(), type)
        || !Objects.equals(fold.consumer(), consumer)) {
      end();
      open = true;
      type = fold.effectType();
      consumer = fold.consumer();
      firstOriginal = null;
      originalWithKey = false;
      replayed = 0;
      judged = 0;
      repeatedApplied = 0;
      underOriginals = new Newcomers();
      underOwn.clear();
      nullKey = null;
      nulls = 0;
      allNulls = null;
      lastAt = null;
      repeatedlyApplied = null;
      replayIds.clear();
    }
    if (!keyOpen || !Objects.equals(fold.effectKey(), effectKey)) {
      endKey();
      keyOpen = true;
      effectKey = fold.effectKey();
      originals = 0;
      originalsApplied = 0;
      replays = null;
      brought = null;
    }
  }

  private void endKey() {
    if (!keyOpen || replays == null) {
      keyOpen = false;
      return;
    }
    keyOpen = false;
    if (effectKey == null) {
      nullKey = brought;
      nulls = replays.effective();
      allNulls = replays;
      return;
    }
    long appliedAgain =
        Math.max(0, originalsApplied + replays.applied() - 1) - Math.max(0, originalsApplied - 1);
    if (appliedAgain > 0) {
      repeatedApplied += appliedAgain;
      repeatedlyApplied = repeatedlyApplied == null ? replays : repeatedlyApplied;
    }
    boolean isNew = originals == 0;
    if (isNew) {
      Replay replay = facts.replays().replay(brought.replayId());
      (replay.ownKeys()
              ? underOwn.computeIfAbsent(brought.replayId(), id -> new Newcomers())
              : underOriginals)
          .add(brought);
      recount(brought, What.REDELIVERIES, What.FURTHER_EFFECTS);
    }
    redelivery(brought, replays, replays.effective() - (isNew ? 1 : 0) - appliedAgain);
  }

  /** Completes the event, or its last unit. */
  public void end() {
    if (!open) {
      return;
    }
    endKey();
    open = false;
    if (replayed == 0) {
      return;
    }
    long effects = 0;
    long further = 0;
    long booked = 0;
    for (Newcomers own : underOwn.values()) {
      effects++;
      booked += effect(own.first, What.FURTHER_EFFECTS);
      further += own.count - 1;
      booked += further(own, own.first);
    }
    if (underOriginals.count > 0) {
      Brought first = underOriginals.first;
      if (originalWithKey) {
        further += underOriginals.count;
        booked += further(underOriginals, null);
      } else {
        further += underOriginals.count - 1;
        booked += further(underOriginals, first);
        if (firstOriginal == null) {
          effects++;
          booked += effect(first, What.FURTHER_EFFECTS);
        } else {
          recount(first, What.FURTHER_EFFECTS, What.REDELIVERIES);
          redelivery(first, first.fold(), 1);
        }
      }
    }
    if (nulls > 0) {
      boolean nothingToRepeat =
          firstOriginal == null && underOriginals.count == 0 && underOwn.isEmpty();
      if (nothingToRepeat) {
        effects++;
        booked += effect(nullKey, What.REDELIVERIES);
      }
      redelivery(nullKey, allNulls, nulls - (nothingToRepeat ? 1 : 0));
    }
    ReplayBook.add(ledger.tally(), ReplayBook.REPEATS, judged - booked);
    if (firstOriginal == null) {
      if (judged == 0) {
        CheckTally.notJudged(ledger.tally(), Kind.DOUBLE_EFFECT, EffectJudge.OUTSIDE);
      } else {
        CheckTally.judged(ledger.tally(), Kind.DOUBLE_EFFECT);
      }
    }
    if (further + repeatedApplied > 0 && judged > 0) {
      doubleEffect(further, (firstOriginal == null ? 0 : 1) + effects);
    }
  }

  /** Books an effect of the replay's own; how many that are. */
  private long effect(Brought first, What countedAs) {
    if (!first.fold().firstJudged()) {
      return 0;
    }
    ReplayBook.add(ledger.tally(), ReplayBook.EFFECTS, 1);
    recount(first, countedAs, What.EFFECTS);
    return 1;
  }

  /** Counts the first of some acknowledgements as something else than before. */
  private void recount(Brought first, What before, What now) {
    if (first.fold().firstJudged()) {
      activity.count(first.replayId(), before, -1, null);
      activity.count(first.replayId(), now, 1, null);
    }
  }

  /** Books further keys, all but one; how many they are. */
  private long further(Newcomers keys, Brought butOne) {
    long judgedFirsts = keys.firstsJudged - (butOne != null && butOne.fold().firstJudged() ? 1 : 0);
    ReplayBook.add(ledger.tally(), ReplayBook.FURTHER_KEYS, judgedFirsts);
    return judgedFirsts;
  }

  private void redelivery(Brought first, AckFold repeated, long occurrences) {
    if (occurrences <= 0 || repeated.effectiveJudged() == 0) {
      return;
    }
    ledger.finding(
        Statement.of(
                Kind.REDELIVERY, unit(new JsonObject()).put("effect_key", repeated.effectKey()))
            .because(
                repeated.effectKey() == null
                    ? "Delivered again by a replay, without an effect key to tell a repeat by"
                    : "Delivered again by a replay under the same effect key, as replays may")
            .sides(
                new JsonObject().put("effects", 1),
                new JsonObject()
                    .put("acks", repeated.effective())
                    .put("attribution", REPLAY)
                    .put("outbox_id", repeated.outboxId())
                    .put("replay_id", first.replayId()))
            .under(RULE)
            .seenAt(repeated.firstPlace(), repeated.lastPlace())
            .when(repeated.firstAt(), repeated.lastAt())
            .hint(true, REPLAY)
            .hint(repeated.effectKey() == null, "NO_EFFECT_KEY")
            .times(occurrences)
            .finding());
  }

  private void doubleEffect(long further, long due) {
    List<String> keys = new ArrayList<>();
    Brought worst = null;
    for (Newcomers own : underOwn.values()) {
      if (own.count > 1) {
        keys.addAll(own.examples);
        worst = Brought.earlier(worst, own.second);
      }
    }
    if (underOriginals.count > (originalWithKey ? 0 : 1)) {
      keys.addAll(underOriginals.examples);
      worst =
          Brought.earlier(worst, originalWithKey ? underOriginals.first : underOriginals.second);
    }
    AckFold second = worst == null ? repeatedlyApplied : worst.fold();
    ledger.finding(
        Statement.of(Kind.DOUBLE_EFFECT, unit(new JsonObject()))
            .because(
                further > 0
                    ? (further == 1
                        ? Sentence.of("A replay had the effect under a further effect key")
                        : Sentence.of("A replay had the effect under ")
                            .and(further)
                            .and(" further effect keys"))
                    : Sentence.of("The effect was applied again under one key by a replay"))
            .sides(
                new JsonObject().put("effects", due),
                new JsonObject()
                    .put("effects", due + further + repeatedApplied)
                    .put("attribution", REPLAY)
                    .put("effect_keys", keys.subList(0, Math.min(EXAMPLES, keys.size())))
                    .put("replay_ids", ImmutableList.copyOf(replayIds)))
            .under(RULE)
            .seenAt(firstOriginal == null ? null : firstOriginal.firstPlace(), second.firstPlace())
            .when(firstOriginal == null ? null : firstOriginal.firstAt(), second.firstAt(), lastAt)
            .hint(true, REPLAY)
            .times(further + repeatedApplied)
            .finding());
  }

  private JsonObject unit(JsonObject object) {
    return subject.describe(object).put("effect_type", type).put("consumer", consumer);
  }
}
