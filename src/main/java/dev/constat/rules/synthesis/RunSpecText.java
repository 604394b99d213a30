package dev.constat.rules.synthesis;

import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The run spec that judges exactly a synthetic archive: its cuts, contracts and rules. */
public final class RunSpecText {

  /** So long after the last event all has settled, and been cut. */
  private static final Duration SETTLED = Duration.ofDays(2);

  private RunSpecText() {}

  /**
   * The text of {@code constat.yaml}.
   *
   * @param events how many there are
   * @param ending of the names of files, with its dot
   */
  public static String of(Profile profile, long events, String ending) {
    Instant last =
        profile.start().plusSeconds(events / profile.eventsPerSecond() + 1).plus(SETTLED);
    Instant cut = last.truncatedTo(ChronoUnit.HOURS);
    StringBuilder text = new StringBuilder(2_048);
    text.append(
        "# Judges the synthetic archive beside it; what there is to find is in truth.jsonl.\n");
    text.append("constat: 1\n");
    text.append("name: \"").append(escaped(profile.name())).append("\"\n");
    text.append("as_of: ").append(cut).append('\n');
    archives(profile, cut, ending, text);
    sources(profile, text);
    effects(profile, text);
    projections(profile, text);
    if (profile.faults().containsKey(Fault.IDENTITY_DRIFT)) {
      text.append("checks: {identity_drift: true}\n");
    }
    return text.toString();
  }

  private static void archives(Profile profile, Instant cut, String ending, StringBuilder text) {
    text.append("archives:\n");
    for (SyntheticTable table : SyntheticTable.values()) {
      if (!table.isIn(profile)) {
        continue;
      }
      String files = table.files() + "-*" + ending;
      boolean strays = table == SyntheticTable.EVENTS && profile.has(Fault.Part.STRAYS);
      text.append("  ").append(table.input().key()).append(": {files: ");
      text.append(strays ? "[\"" + files + "\", " + Stray.FILE + "]" : "\"" + files + "\"");
      text.append(", cut: ").append(cut);
      text.append(", allow_empty: true}\n");
    }
  }

  private static void sources(Profile profile, StringBuilder text) {
    text.append("sources:\n");
    source("*", profile, true, text);
    if (profile.faults().containsKey(Fault.SEQUENCE_GAP)
        || profile.faults().containsKey(Fault.SEQUENCE_RESET)) {
      source(StoryTeller.COUNTER, profile, true, text);
      text.append("    sequence: {scope: [partition], dense: true}\n");
    }
    if (profile.faults().containsKey(Fault.SCHEMA_VERSION_APPEARED)) {
      source(StoryTeller.AGILE, profile, false, text);
    }
  }

  private static void source(String name, Profile profile, boolean versions, StringBuilder text) {
    text.append("  - source: \"").append(name).append("\"\n");
    text.append("    hash: raw-bytes/1\n");
    text.append("    lateness: {budget: PT5M, version: \"1\"}\n");
    text.append("    future_tolerance: PT2M\n");
    if (versions) {
      text.append("    schema_versions: [\"")
          .append(escaped(profile.schemaVersion()))
          .append("\"]\n");
    }
  }

  private static void effects(Profile profile, StringBuilder text) {
    text.append("effects:\n  - type: notify\n");
    boolean ordered = profile.has(Fault.Part.ORDER);
    if (ordered) {
      text.append("    when: {aggregate_type: acct}\n");
    }
    text.append("    consumers: [c1]\n");
    if (ordered) {
      text.append("  - type: settle\n    when: {aggregate_type: order}\n");
      text.append("    consumers: [c1]\n    order: aggregate\n");
    }
  }

  private static void projections(Profile profile, StringBuilder text) {
    text.append("projections:\n  - name: volume\n    versions:\n");
    text.append("      - {version: \"1\", kind: windowed, key: business_key,");
    text.append(" window: {fixed: PT10M}, allowed_lateness: PT5M,\n");
    text.append("         aggregates: {n: count, qty: {sum: /qty}, high: {max: /px}}}\n");
    if (profile.has(Fault.Part.CELLS)) {
      text.append("  - name: ").append(StoryTeller.TABS).append("\n    versions:\n");
      text.append("      - {version: \"1\", kind: windowed, key: /payload/tab,");
      text.append(" window: {fixed: PT10M}, allowed_lateness: PT5M,\n");
      text.append("         aggregates: {n: count, qty: {sum: /qty}}}\n");
    }
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
