package dev.constat.rules.baseline;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.Baseline;
import dev.constat.rules.spec.Baseline.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Holds the findings of a run, one after the other, against a baseline. An entry that has expired
 * at the run's {@code as_of} acknowledges nothing.
 */
public final class Acknowledgements {

  private final List<Tracked> entries = new ArrayList<>();
  private final Map<String, Tracked> byFingerprint = new HashMap<>();
  private final Map<Kind, List<Tracked>> byKind = new EnumMap<>(Kind.class);

  private long findings;

  /**
   * Acknowledgements by a baseline.
   *
   * @param asOf the instant that expiries are judged at, or null where the run has none: then
   *     nothing has expired
   */
  public Acknowledgements(Baseline baseline, Instant asOf) {
    for (Entry entry : baseline.entries()) {
      boolean expired = asOf != null && !asOf.isBefore(entry.until());
      Tracked tracked = new Tracked(entry, expired);
      entries.add(tracked);
      if (entry.fingerprint() != null) {
        byFingerprint.put(entry.fingerprint(), tracked);
      } else {
        byKind.computeIfAbsent(entry.kind(), kind -> new ArrayList<>()).add(tracked);
      }
    }
  }

  /**
   * Whether somebody answers for a finding. Every entry that fits it counts it, whether it holds or
   * has expired.
   */
  public boolean acknowledge(Finding finding) {
    boolean acknowledged = false;
    Tracked named = byFingerprint.get(finding.fingerprint());
    if (named != null) {
      acknowledged = named.count();
    }
    List<Tracked> ofKind = byKind.get(finding.kind());
    if (ofKind != null) {
      JsonValue subject = StrictJson.parseOwn(finding.subject());
      for (Tracked tracked : ofKind) {
        if (tracked.fits(subject)) {
          acknowledged |= tracked.count();
        }
      }
    }
    if (acknowledged) {
      findings++;
    }
    return acknowledged;
  }

  /** What came of it, once every finding was held against the baseline. */
  public Report report() {
    ImmutableList.Builder<Entry> unused = ImmutableList.builder();
    ImmutableList.Builder<Expired> expired = ImmutableList.builder();
    for (Tracked tracked : entries) {
      if (tracked.expired) {
        expired.add(new Expired(tracked.entry, tracked.findings));
      } else if (tracked.findings == 0) {
        unused.add(tracked.entry);
      }
    }
    return new Report(entries.size(), findings, expired.build(), unused.build());
  }

  /**
   * What a baseline did for a run.
   *
   * @param entries how many it has
   * @param findings how many findings it acknowledged
   * @param expired entries that have expired, in the order of the file
   * @param unused entries that hold and fit no finding, in the order of the file
   */
  public record Report(
      int entries, long findings, ImmutableList<Expired> expired, ImmutableList<Entry> unused) {}

  /**
   * An entry that has expired.
   *
   * @param findings how many findings it fits
   */
  public record Expired(Entry entry, long findings) {}

  private static final class Tracked {

    private final Entry entry;
    private final boolean expired;
    private final Map<String, Pattern> subject = new HashMap<>();
    private long findings;

    Tracked(Entry entry, boolean expired) {
      this.entry = entry;
      this.expired = expired;
      entry.subject().forEach((column, glob) -> subject.put("/" + column, pattern(glob)));
    }

    /** Counts a finding; whether that is acknowledged. */
    boolean count() {
      findings++;
      return !expired;
    }

    boolean fits(JsonValue found) {
      for (Map.Entry<String, Pattern> wanted : subject.entrySet()) {
        JsonValue value = found.at(wanted.getKey());
        String text = value == null ? null : value.asText();
        if (text == null || !wanted.getValue().matcher(text).matches()) {
          return false;
        }
      }
      return true;
    }

    private static Pattern pattern(String glob) {
      StringBuilder pattern = new StringBuilder();
      int from = 0;
      for (int star = glob.indexOf('*'); star >= 0; star = glob.indexOf('*', from)) {
        pattern.append(Pattern.quote(glob.substring(from, star))).append(".*");
        from = star + 1;
      }
      return Pattern.compile(
          pattern.append(Pattern.quote(glob.substring(from))).toString(), Pattern.DOTALL);
    }
  }
}
