package dev.constat.rules.spec;

import static dev.constat.rules.spec.Key.optional;
import static dev.constat.rules.spec.Key.required;
import static dev.constat.rules.spec.Key.withDefault;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.spec.Baseline.Entry;
import dev.constat.rules.spec.GroupShape.Values;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;

/** What a baseline may hold. */
final class BaselineShape {

  private static final TextShape<String> FINGERPRINT_TEXT =
      TextShape.matching(
          "the fingerprint of a finding",
          "copy its 32 hexadecimal digits from findings.jsonl",
          "[0-9a-f]{32}");

  private static final Key<Baseline, Integer> CONTRACT =
      required(
          "baseline",
          IntegerShape.only("1", ImmutableList.of(1)),
          baseline -> 1,
          1,
          "Version of this notation.");

  private static final Key<Entry, String> FINGERPRINT =
      optional(
          "fingerprint",
          FINGERPRINT_TEXT,
          Entry::fingerprint,
          "da5dfb336817f575e6df1e3e4149de01",
          "The one finding that it acknowledges.");

  private static final Key<Entry, Kind> KIND =
      optional(
          "kind",
          new WordShape<>(
              Stream.of(Kind.values())
                  .collect(ImmutableMap.toImmutableMap(Kind::name, kind -> kind)),
              ImmutableSet.of()),
          Entry::kind,
          Kind.MISSING_ACK,
          "Instead of a fingerprint: the kind of the findings that it acknowledges.");

  private static final Key<Entry, ImmutableMap<String, String>> SUBJECT =
      withDefault(
          "subject",
          MapShape.ofColumns(TextShape.TEXT),
          entry -> entry.fingerprint() == null ? entry.subject() : null,
          ImmutableMap.of(),
          ImmutableMap.of("consumer", "mailer", "outbox_id", "ob-19b9*"),
          "What their subject must hold; * stands for any text. Default: every subject.");

  private static final Key<Entry, String> OWNER =
      required("owner", TextShape.TEXT, Entry::owner, "mail team", "Who answers for it.");

  private static final Key<Entry, String> REASON =
      required("reason", TextShape.TEXT, Entry::reason, "mailer was down", "Why it is known.");

  private static final Key<Entry, Instant> UNTIL =
      required(
          "until",
          Notations.INSTANT,
          Entry::until,
          Instant.parse("2026-02-01T00:00:00Z"),
          "When it expires, judged at as_of.");

  private static final Key<Baseline, ImmutableList<Entry>> ENTRIES =
      required(
          "entries",
          ListShape.of(
                  new GroupShape<>(
                      ImmutableList.of(FINGERPRINT, KIND, SUBJECT, OWNER, REASON, UNTIL),
                      BaselineShape::bindEntry))
              .distinctBy(
                  entry -> Arrays.asList(entry.fingerprint(), entry.kind(), entry.subject()),
                  "acknowledges the same as %s"),
          Baseline::entries,
          ImmutableList.of(
              new Entry(
                  "da5dfb336817f575e6df1e3e4149de01",
                  null,
                  ImmutableMap.of(),
                  "mail team",
                  "mailer was down",
                  Instant.parse("2026-02-01T00:00:00Z"))),
          "What is acknowledged.");

  /** The whole file. */
  static final GroupShape<Baseline> BASELINE =
      new GroupShape<>(
          ImmutableList.of(CONTRACT, ENTRIES), values -> new Baseline(values.get(ENTRIES)));

  private BaselineShape() {}

  private static Entry bindEntry(Values<Entry> values) {
    if (values.has(FINGERPRINT)) {
      if (values.has(KIND)) {
        values.misplaced(KIND, "says again what the fingerprint says");
      }
      if (values.has(SUBJECT)) {
        values.misplaced(SUBJECT, "says again what the fingerprint says");
      }
    } else if (!values.has(KIND)) {
      values.missing(FINGERPRINT);
    }
    return new Entry(
        values.get(FINGERPRINT),
        values.get(KIND),
        values.get(SUBJECT),
        values.get(OWNER),
        values.get(REASON),
        values.get(UNTIL));
  }
}
