package dev.constat.rules.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.lease.LeaseTally;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.CrashWindow;
import dev.constat.rules.outbox.Repeats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Tells effects apart from repeats (spec section 6). The original acknowledgements of an event, of
 * all its rows, come folded, by effect type, consumer and effect key (null first), then by the
 * first of each fold. The unit of an effect is (event, effect type, consumer, effect key): the same
 * key again is a REDELIVERY, another key a DOUBLE_EFFECT, and so are two {@code applied = true} on
 * one key. A null key is a repeat, never another key.
 */
public final class AckJudge {

  private static final String RULE = "acknowledgements/1";
  private static final int EXAMPLES = 16;

  /** By the first of each: (acked_at, ack_id), then what tells ties apart. */
  static final Comparator<AckFold> BY_FIRST =
      Comparator.comparing(AckFold::firstAt)
          .thenComparing(AckFold::firstAckId, Comparator.nullsFirst(AckJudge::compareIds))
          .thenComparing(AckFold::outboxId, AckJudge::compareIds)
          .thenComparing(AckFold::firstPlace);

  private final Ledger ledger;
  private final LapseSink lapsed;

  private JsonSubject subject;
  private String type;
  private String consumer;
  private boolean open;

  private AckFold key;
  private AckFold nullKey;
  private AckFold first;
  private AckFold firstWithKey;
  private long effective;
  private long effectiveJudged;
  private long notAppliedJudged;
  private long total;
  private long keys;
  private long firstsJudged;
  private long repeatedApplied;
  private boolean staleOwner;
  private boolean unstableKey;
  private long attempts;
  private Instant lastAt;
  private AckFold secondKey;
  private final List<String> exampleKeys = new ArrayList<>();
  private final Set<String> exampleRows = new HashSet<>();

  private static int compareIds(String a, String b) {
    return Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));
  }

  /** Describes the event, or the row that stands for it, in the subjects of findings. */
  public interface JsonSubject {

    /** Its members, added to an object. */
    JsonObject describe(JsonObject object);
  }

  /** Is told of the claims that lapsed before a delivery under them. */
  public interface LapseSink {

    /**
     * Takes one in.
     *
     * @param redelivery the finding that the delivery is part of
     * @param effectType of the row
     * @param lapse the claim, and how many of the finding's repeats it explains
     */
    void accept(Finding redelivery, String effectType, Repeats.Lapse lapse);
  }

  /** A judge that reports to a ledger. */
  public AckJudge(Ledger ledger) {
    this(ledger, (redelivery, effectType, lapse) -> {});
  }

  /**
   * A judge that reports to a ledger.
   *
   * @param lapsed is told of the claims that lapsed
   */
  public AckJudge(Ledger ledger, LapseSink lapsed) {
    this.ledger = ledger;
    this.lapsed = lapsed;
  }

  /** Begins an event. */
  public void begin(JsonSubject event) {
    subject = event;
    open = false;
    key = null;
  }

  /** The next fold. */
  public void next(AckFold fold) {
    boolean sameUnit =
        open
            && Objects.equals(fold.effectType(), type)
            && Objects.equals(fold.consumer(), consumer);
    if (!sameUnit) {
      end();
      beginUnit(fold);
    }
    if (key != null && Objects.equals(key.effectKey(), fold.effectKey())) {
      key = key.and(fold);
    } else {
      endKey();
      key = fold;
    }
    if (fold.effectKey() != null
        && fold.effective() > 0
        && exampleRows.size() < EXAMPLES
        && !exampleRows.add(fold.outboxId())) {
      unstableKey = true;
    }
  }

  private void beginUnit(AckFold fold) {
    open = true;
    type = fold.effectType();
    consumer = fold.consumer();
    key = null;
    nullKey = null;
    first = null;
    firstWithKey = null;
    effective = 0;
    effectiveJudged = 0;
    notAppliedJudged = 0;
    total = 0;
    keys = 0;
    firstsJudged = 0;
    repeatedApplied = 0;
    staleOwner = false;
    unstableKey = false;
    attempts = 0;
    lastAt = null;
    secondKey = null;
    exampleKeys.clear();
    exampleRows.clear();
  }

  private void endKey() {
    if (key == null) {
      return;
    }
    total += key.total();
    effective += key.effective();
    effectiveJudged += key.effectiveJudged();
    notAppliedJudged += key.notAppliedJudged();
    staleOwner |= key.staleOwner();
    attempts = Math.max(attempts, key.attempts());
    lastAt = lastAt == null || key.lastAt().isAfter(lastAt) ? key.lastAt() : lastAt;
    if (key.effective() > 0) {
      first = earlier(first, key);
      if (key.effectKey() == null) {
        nullKey = key;
      } else {
        if (firstWithKey == null || BY_FIRST.compare(key, firstWithKey) < 0) {
          secondKey = firstWithKey;
          firstWithKey = key;
        } else {
          secondKey = earlier(secondKey, key);
        }
        keys++;
        firstsJudged += key.firstJudged() ? 1 : 0;
        if (exampleKeys.size() < EXAMPLES) {
          exampleKeys.add(key.effectKey());
        }
        long doublyApplied = Math.max(0, key.applied() - 1);
        repeatedApplied += doublyApplied;
        redelivery(key, key.effective() - 1 - doublyApplied, key.repeats());
      }
    }
    key = null;
  }

  private static AckFold earlier(AckFold a, AckFold b) {
    return a == null || BY_FIRST.compare(b, a) < 0 ? b : a;
  }

  /** Completes the event, or its last unit. */
  public void end() {
    if (!open) {
      return;
    }
    endKey();
    open = false;
    if (nullKey != null) {
      // Beside an effect that has a key, every one without may be a repeat of it.
      redelivery(
          nullKey,
          nullKey.effective() - (firstWithKey == null ? 1 : 0),
          firstWithKey == null ? nullKey.repeats() : nullKey.repeats().plus(1, windowOfNullKey()));
    }
    long firstEffects = first != null && first.firstJudged() ? 1 : 0;
    long furtherKeys = firstsJudged - (firstWithKey != null && firstWithKey.firstJudged() ? 1 : 0);
    book(firstEffects, "first effects");
    book(furtherKeys, "further keys");
    book(effectiveJudged - firstEffects - furtherKeys, "repeats");
    book(notAppliedJudged, "not applied");
    book(total - effectiveJudged - notAppliedJudged, "not judged");
    Tally tally = ledger.tally();
    if (effective == 0) {
      return;
    }
    if (effectiveJudged == 0) {
      CheckTally.notJudged(tally, Kind.DOUBLE_EFFECT, EffectJudge.OUTSIDE);
      return;
    }
    CheckTally.judged(tally, Kind.DOUBLE_EFFECT);
    long surplus = Math.max(0, keys - 1) + repeatedApplied;
    if (surplus > 0) {
      doubleEffect(surplus);
    }
  }

  private void book(long count, String line) {
    if (count != 0) {
      ledger.tally().add(count, CheckTally.BOOK, "acks", line);
    }
  }

  /** How the first acknowledgement without a key repeats one that has a key. */
  private CrashWindow windowOfNullKey() {
    return nullKey.outboxId().equals(firstWithKey.outboxId())
        ? CrashWindow.NOT_SHOWN
        : CrashWindow.SURPLUS_ROW;
  }

  private void redelivery(AckFold repeated, long occurrences, Repeats repeats) {
    if (occurrences <= 0 || repeated.effectiveJudged() == 0) {
      return;
    }
    ImmutableSortedMap<String, Long> windows = repeats.byWindow();
    Statement statement =
        Statement.of(
                Kind.REDELIVERY, unit(new JsonObject()).put("effect_key", repeated.effectKey()))
            .because(
                repeated.effectKey() == null
                    ? "Acknowledged again, without an effect key to tell a repeat by"
                    : "Delivered again under the same effect key, as at-least-once delivery may")
            .sides(
                new JsonObject().put("effects", 1),
                new JsonObject()
                    .put("acks", repeated.effective())
                    .put("attempts", repeated.attempts())
                    .put("outbox_id", repeated.outboxId())
                    .put("windows", windows))
            .under(RULE)
            .seenAt(repeated.firstPlace(), repeated.lastPlace())
            .when(repeated.firstAt(), repeated.lastAt())
            .hint(repeated.effectKey() == null, "NO_EFFECT_KEY")
            .times(occurrences);
    for (String window : windows.keySet()) {
      ledger.tally().add(windows.get(window), LeaseTally.WINDOWS, type, window);
      statement.hint(!window.equals(CrashWindow.NOT_SHOWN.name()), window);
    }
    Finding redelivery = statement.finding();
    ledger.finding(redelivery);
    for (Repeats.Lapse lapse : repeats.lapses()) {
      lapsed.accept(redelivery, type, lapse);
    }
  }

  private void doubleEffect(long occurrences) {
    Sentence reason =
        keys > 1
            ? Sentence.of("The effect happened under ").and(keys).and(" effect keys")
            : Sentence.of("The effect was applied more than once under one key");
    if (exampleRows.size() > 1) {
      reason = reason.and("; through several outbox rows");
    } else if (attempts == 1) {
      reason = reason.and("; attempts = 1, so the duplication is on the consumer or broker side");
    }
    ledger.finding(
        Statement.of(Kind.DOUBLE_EFFECT, unit(new JsonObject()))
            .because(reason)
            .sides(
                new JsonObject().put("effects", 1),
                new JsonObject()
                    .put("effects", 1 + occurrences)
                    .put("effect_keys", exampleKeys)
                    .put("attempts", attempts))
            .under(RULE)
            .seenAt(
                firstWithKey.firstPlace(),
                secondKey == null ? firstWithKey.lastPlace() : secondKey.firstPlace())
            .when(first.firstAt(), lastAt)
            .hint(staleOwner, "STALE_OWNER")
            .hint(unstableKey, "UNSTABLE_KEY")
            .times(occurrences)
            .finding());
  }

  private JsonObject unit(JsonObject object) {
    return subject.describe(object).put("effect_type", type).put("consumer", consumer);
  }
}
