package dev.constat.rules.findings;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.errorprone.annotations.CompileTimeConstant;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import java.util.TreeSet;

/** Puts a {@link Finding} together. */
public final class Statement {

  private final Kind kind;
  private final String subject;
  private final TreeSet<Place> evidence = new TreeSet<>();
  private final TreeSet<String> hints = new TreeSet<>();
  private Sentence reason;
  private JsonObject expected = new JsonObject();
  private JsonObject actual = new JsonObject();
  private String rule;
  private Instant firstAt;
  private Instant lastAt;
  private Level level;
  private long occurrences = 1;

  private Statement(Kind kind, String subject) {
    this.kind = kind;
    this.level = kind.level();
    this.subject = subject;
  }

  /** Begins a finding about a subject. */
  public static Statement of(Kind kind, JsonObject subject) {
    return new Statement(kind, subject.toString());
  }

  /** Of another level than its kind. */
  public Statement as(Level other) {
    this.level = other;
    return this;
  }

  /** One sentence, of words that are the program's own. */
  public Statement because(@CompileTimeConstant String words) {
    return because(Sentence.of(words));
  }

  /** One sentence. */
  public Statement because(Sentence sentence) {
    this.reason = sentence;
    return this;
  }

  /** Both sides of the disagreement. */
  public Statement sides(JsonObject expectedSide, JsonObject actualSide) {
    this.expected = expectedSide;
    this.actual = actualSide;
    return this;
  }

  /** Name and version of the rule. */
  public Statement under(String ruleName) {
    this.rule = ruleName;
    return this;
  }

  /** Places of the records concerned; null stands for none. */
  public Statement seenAt(Place... places) {
    for (Place place : places) {
      if (place != null) {
        evidence.add(place);
      }
    }
    return this;
  }

  /** Times concerned; null stands for none. */
  public Statement when(Instant... instants) {
    for (Instant instant : instants) {
      if (instant != null) {
        firstAt = firstAt == null || instant.isBefore(firstAt) ? instant : firstAt;
        lastAt = lastAt == null || instant.isAfter(lastAt) ? instant : lastAt;
      }
    }
    return this;
  }

  /** A hint, if it holds. */
  public Statement hint(boolean holds, String hint) {
    if (holds) {
      hints.add(hint);
    }
    return this;
  }

  /** How often it happened. */
  public Statement times(long count) {
    this.occurrences = count;
    return this;
  }

  /** The finding. */
  public Finding finding() {
    return new Finding(
        kind,
        level,
        subject,
        reason,
        expected.toString(),
        actual.toString(),
        rule,
        ImmutableList.copyOf(evidence),
        firstAt,
        lastAt,
        ImmutableSortedSet.copyOf(hints),
        occurrences);
  }
}
