package dev.constat.transforms.simulator;

import com.google.common.collect.ImmutableSet;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A finding that has to come, or may. */
public final class Expectation {

  private final Kind kind;
  private final SortedMap<String, String> subject = new TreeMap<>();
  private final Set<String> hints = new TreeSet<>();
  private final List<Set<Window>> windows = new ArrayList<>();
  private Level level;
  private long occurrences = 1;
  private boolean optional;

  private Expectation(Kind kind) {
    this.kind = kind;
    this.level = kind.level();
  }

  static Expectation of(Kind kind) {
    return new Expectation(kind);
  }

  Expectation about(String column, String value) {
    subject.put(column, String.valueOf(value));
    return this;
  }

  Expectation as(Level other) {
    level = other;
    return this;
  }

  Expectation hint(boolean condition, String hint) {
    if (condition) {
      hints.add(hint);
    }
    return this;
  }

  Expectation times(long count) {
    occurrences = count;
    return this;
  }

  /** A repeat that came through one of these windows, as far as the archive shows it. */
  Expectation through(Set<Window> possible) {
    windows.add(EnumSet.copyOf(possible));
    return this;
  }

  /** It may come or not. */
  Expectation optional() {
    optional = true;
    return this;
  }

  /** The kind. */
  public Kind kind() {
    return kind;
  }

  /** The level. */
  public Level level() {
    return level;
  }

  /** The members of its subject, values as text. */
  public SortedMap<String, String> subject() {
    return new TreeMap<>(subject);
  }

  /** Hints that it has to have. */
  public ImmutableSet<String> hints() {
    return ImmutableSet.copyOf(hints);
  }

  /** For each repeat, the windows through which the archive lets it have come. */
  public List<Set<Window>> windows() {
    return List.copyOf(windows);
  }

  /** How often it happened; 0: not asked. */
  public long occurrences() {
    return occurrences;
  }

  /** Whether it need not come. */
  public boolean mayBeAbsent() {
    return optional;
  }

  @Override
  public String toString() {
    return level.key()
        + " "
        + kind
        + " "
        + subject
        + (occurrences == 1 ? "" : " x" + occurrences)
        + (hints.isEmpty() ? "" : " " + hints)
        + (windows.isEmpty() ? "" : " through " + windows);
  }
}
