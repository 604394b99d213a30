package dev.constat.rules.findings;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Ordering;
import com.google.common.hash.Hashing;
import com.google.common.math.LongMath;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * One disagreement between history and rules, as a stage states it. Stages may state parts of one
 * finding separately: those with the same kind and subject are merged before anybody sees them.
 *
 * @param kind what kind of disagreement
 * @param level how grave it is: the kind's, but for the cases that a rule makes lighter of
 * @param subject what it is about: canonical JSON of an object of canonical column names
 * @param sentence the reason
 * @param expected what the rules say: JSON text of an object
 * @param actual what history says: JSON text of an object
 * @param rule name and version of the rule that found it
 * @param evidence places of the records concerned, in order; of merged findings, those of the part
 *     whose words they have
 * @param firstAt the earliest time concerned, or null
 * @param lastAt the latest, or null
 * @param hints what may help to explain it, as constants
 * @param occurrences how often it happened
 */
public record Finding(
    Kind kind,
    Level level,
    String subject,
    Sentence sentence,
    String expected,
    String actual,
    String rule,
    ImmutableList<Place> evidence,
    Instant firstAt,
    Instant lastAt,
    ImmutableSortedSet<String> hints,
    long occurrences) {

  private static final Ordering<Iterable<Place>> BY_EVIDENCE =
      Ordering.<Place>natural().lexicographical();
  private static final Ordering<Instant> EARLIEST = Ordering.<Instant>natural().nullsLast();
  private static final Ordering<Instant> LATEST = Ordering.<Instant>natural().nullsFirst();

  /** The reason as it reads, with every value as it is. */
  public String reason() {
    return sentence.toString();
  }

  /**
   * This and another part of the same finding as one: occurrences and hints added up, the span of
   * time widened, everything else from the part that begins first (then by reason, expected, actual
   * and rule; evidence only breaks ties, so that the words do not depend on where records stand).
   */
  public Finding merge(Finding other) {
    Finding first = ORDER.compare(this, other) <= 0 ? this : other;
    return new Finding(
        kind,
        level,
        subject,
        first.sentence,
        first.expected,
        first.actual,
        first.rule,
        first.evidence,
        EARLIEST.min(firstAt, other.firstAt),
        LATEST.max(lastAt, other.lastAt),
        ImmutableSortedSet.<String>naturalOrder().addAll(hints).addAll(other.hints).build(),
        LongMath.saturatedAdd(occurrences, other.occurrences));
  }

  // Only what merging keeps of the part that comes first may stand here.
  private static final Ordering<Finding> ORDER =
      EARLIEST
          .onResultOf(Finding::firstAt)
          .compound(Ordering.natural().onResultOf(Finding::reason))
          .compound(Ordering.natural().onResultOf(Finding::expected))
          .compound(Ordering.natural().onResultOf(Finding::actual))
          .compound(Ordering.natural().onResultOf(Finding::rule))
          .compound(BY_EVIDENCE.onResultOf(Finding::evidence));

  /**
   * What names this finding in every run: the first 16 bytes, in hex, of SHA-256 over canonical
   * JSON of kind and subject, and of nothing else.
   */
  public String fingerprint() {
    return fingerprint(kind, subject);
  }

  /**
   * The fingerprint of findings of a kind about a subject.
   *
   * @param subject canonical JSON of an object of canonical column names
   */
  public static String fingerprint(Kind kind, String subject) {
    String canonical = "{\"kind\":\"" + kind.name() + "\",\"subject\":" + subject + "}";
    return Hashing.sha256()
        .hashString(canonical, StandardCharsets.UTF_8)
        .toString()
        .substring(0, 32);
  }

  /** The same finding under another subject. */
  public Finding withSubject(String other) {
    return new Finding(
        kind,
        level,
        other,
        sentence,
        expected,
        actual,
        rule,
        evidence,
        firstAt,
        lastAt,
        hints,
        occurrences);
  }

  /** The same finding with another hint. */
  public Finding withHint(String hint) {
    return new Finding(
        kind,
        level,
        subject,
        sentence,
        expected,
        actual,
        rule,
        evidence,
        firstAt,
        lastAt,
        ImmutableSortedSet.<String>naturalOrder().addAll(hints).add(hint).build(),
        occurrences);
  }

  /** Whether {@code other} is a part of the same finding. */
  public boolean isAbout(Finding other) {
    return kind == other.kind && level == other.level && subject.equals(other.subject);
  }
}
