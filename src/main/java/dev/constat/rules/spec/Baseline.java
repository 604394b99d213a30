package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.findings.Kind;
import java.time.Instant;

/**
 * The findings that somebody answers for: what is known, by whom, why, and until when. Read by
 * {@link BaselineParser}.
 *
 * @param entries in the order of the file
 */
public record Baseline(ImmutableList<Entry> entries) {

  /** Whoever answers for nothing. */
  public static final Baseline EMPTY = new Baseline(ImmutableList.of());

  /**
   * What one entry acknowledges: the finding with a fingerprint, or every finding of a kind whose
   * subject fits.
   *
   * @param fingerprint of the finding, or null
   * @param kind of the findings, or null where a fingerprint names one
   * @param subject what the subject must hold, by canonical column name; {@code *} in a value
   *     stands for any text, also for none; empty for every subject
   * @param owner who answers for it
   * @param reason why it is known
   * @param until when it expires; it holds before that instant
   */
  public record Entry(
      String fingerprint,
      Kind kind,
      ImmutableMap<String, String> subject,
      String owner,
      String reason,
      Instant until) {

    /** What it acknowledges, in words for people. */
    public String label() {
      if (fingerprint != null) {
        return fingerprint;
      }
      return subject.isEmpty() ? kind.name() : kind.name() + " " + subject;
    }
  }

  /** Canonical JSON text of it all: baselines that acknowledge the same have the same. */
  public String canonicalText() {
    return BaselineShape.BASELINE.write(this).toString();
  }
}
