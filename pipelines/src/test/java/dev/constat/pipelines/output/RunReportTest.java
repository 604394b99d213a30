package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.pipelines.output.RunReport.Cause;
import dev.constat.pipelines.output.RunReport.Coverage;
import dev.constat.pipelines.output.RunReport.EffectFacts;
import dev.constat.pipelines.output.RunReport.InputFacts;
import dev.constat.pipelines.output.RunReport.KindCount;
import dev.constat.pipelines.output.RunReport.ReplayActivityFacts;
import dev.constat.pipelines.output.RunReport.ReplayFacts;
import dev.constat.pipelines.output.RunReport.SourceFacts;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.order.OrderTally;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.LagBuckets;
import dev.constat.rules.time.SweepRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RunReportTest {

  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  private static final ReplayFacts REPLAY =
      new ReplayFacts(
          "r1",
          null,
          NOON.minusSeconds(60),
          NOON,
          true,
          true,
          "original",
          new ReplayActivityFacts(3, 1, 9, 2, 4, 1, 1, 1, NOON.minusSeconds(30), NOON),
          7L,
          5);

  static final RunReport REPORT =
      new RunReport(
          "shop",
          "1.2.3",
          NOON,
          Verdict.DISCREPANCIES,
          ImmutableList.of(),
          ImmutableList.of(
              new InputFacts(
                  "events",
                  12,
                  1,
                  NOON.minusSeconds(3600),
                  NOON,
                  null,
                  NOON.plusNanos(1),
                  true,
                  Duration.ofDays(30))),
          ImmutableSortedMap.of("ACCEPTED", 7L, "EXACT_DUPLICATE", 3L),
          ImmutableSortedMap.of("LATE", 2L, "ON_TIME", 5L),
          ImmutableList.of(new KindCount(Kind.MISSING_OUTBOX, Level.ERROR, 2, 2, 0)),
          ImmutableSortedMap.of("IN_FLIGHT", 1L),
          ImmutableList.of(
              new Book(
                  Sentence.of("events"),
                  11,
                  ImmutableList.of(
                      new Book.Line("ACCEPTED", 7), new Book.Line("EXACT_DUPLICATE", 3)))),
          ImmutableList.of(
              new Coverage("MISSING_ACK", 0, ImmutableSortedMap.of("no acknowledgements", 7L))),
          ImmutableList.of(
              source("a\u001b[31m\"\\\n", null, 0),
              source("a\u001b[31m\"\\\n", "", 1),
              source("b", "1", 0)),
          ImmutableList.of(
              new SweepRow(
                  "b",
                  Duration.ofMinutes(5),
                  3,
                  1,
                  0,
                  ImmutableList.of(new SweepRow.Restated("volume version 1", 3, 2, 1)))),
          ImmutableList.of(new EffectFacts("notify", ImmutableSortedMap.of("DISPATCHED", 4L), 1)),
          new OrderReport(
              "text",
              ImmutableList.of(
                  new OrderReport.OfType(
                      "notify",
                      true,
                      4,
                      ImmutableSortedMap.of("PRIORITY", 1L, "UNKNOWN", 0L),
                      1,
                      3,
                      1,
                      1,
                      new OrderTally.Longest(Duration.ofMillis(90_500), "o1")),
                  new OrderReport.OfType(
                      "mail", false, 2, ImmutableSortedMap.of("UNKNOWN", 1L), 0, 0, 0, 0, null))),
          DeliveryReport.NONE,
          ImmutableList.of(REPLAY),
          ImmutableList.of(new Cause(Kind.MISSING_OUTBOX, "source", "b", 2)),
          null);

  static final Execution EXECUTION =
      new Execution(
          "0123",
          "reconcile",
          ImmutableList.of("constat.yaml"),
          new Execution.UserFile("constat.yaml", "00"),
          null,
          ImmutableList.of(new Execution.InputFile("events", "events/a.parquet", 12, 345, "ff")),
          64,
          ImmutableMap.of("nesting", 1_000),
          ImmutableSortedMap.of("java", "17"),
          ImmutableSortedMap.of("cores", "2"),
          null,
          NOON,
          NOON.plusSeconds(5));

  private static SourceFacts source(String source, String version, long conflicting) {
    Long[] lags = Collections.nCopies(LagBuckets.BOUNDS.length() + 1, 0L).toArray(Long[]::new);
    lags[0] = 1L;
    lags[5] = 2L;
    return new SourceFacts(
        source,
        version,
        ImmutableSortedMap.of("ACCEPTED", 2L, "EXACT_DUPLICATE", 1L),
        ImmutableSortedMap.of("LATE", 1L, "ON_TIME", 2L),
        2,
        conflicting,
        conflicting,
        conflicting == 0 ? null : NOON.minusMillis(90_500),
        version != null,
        ImmutableList.copyOf(lags),
        3_250);
  }

  @Test
  void summaryHasFixedKeysInFixedOrder() throws Exception {
    RunReport report =
        new RunReport(
            REPORT.name(),
            REPORT.version(),
            REPORT.asOf(),
            REPORT.verdict(),
            REPORT.reasons(),
            REPORT.inputs(),
            REPORT.decisions(),
            REPORT.timeliness(),
            REPORT.findings(),
            REPORT.silent(),
            REPORT.books(),
            REPORT.coverage(),
            ImmutableList.of(),
            REPORT.lateness(),
            REPORT.effects(),
            REPORT.order(),
            REPORT.deliveries(),
            REPORT.replays(),
            REPORT.causes(),
            null);
    assertThat(summary(report))
        .isEqualTo(
            """
            {
              "name": "shop",
              "version": "1.2.3",
              "as_of": "2026-01-05T12:00:00Z",
              "verdict": "DISCREPANCIES",
              "reasons": [],
              "inputs": [
                {
                  "input": "events",
                  "rows": 12,
                  "unreadable": 1,
                  "first": "2026-01-05T11:00:00Z",
                  "last": "2026-01-05T12:00:00Z",
                  "start": null,
                  "cut": "2026-01-05T12:00:00.000000001Z",
                  "cut_inferred": true,
                  "retention": "PT720H"
                }
              ],
              "decisions": {
                "ACCEPTED": 7,
                "EXACT_DUPLICATE": 3
              },
              "timeliness": {
                "LATE": 2,
                "ON_TIME": 5
              },
              "findings": {
                "MISSING_OUTBOX": {
                  "level": "error",
                  "findings": 2,
                  "occurrences": 2
                }
              },
              "silent": {
                "IN_FLIGHT": 1
              },
              "books": [
                {
                  "book": "events",
                  "total": 11,
                  "lines": {
                    "ACCEPTED": 7,
                    "EXACT_DUPLICATE": 3
                  },
                  "residue": 1
                }
              ],
              "coverage": [
                {
                  "check": "MISSING_ACK",
                  "judged": 0,
                  "not_judged": {
                    "no acknowledgements": 7
                  }
                }
              ],
              "external_effects": {
                "statement": "Nothing was published, sent or called: there is no code here that \
            does. Files were written to the output folder, and to the temporary folder while the \
            run lasted.",
                "code_of_others": []
              },
              "sources": [],
              "lateness": [
                {
                  "source": "b",
                  "budget": "PT5M",
                  "events": 3,
                  "late": 1,
                  "changed": 0,
                  "windows": [
                    {
                      "projection": "volume version 1",
                      "windows": 3,
                      "refines": 2,
                      "too_late": 1
                    }
                  ]
                }
              ],
              "order": {
                "id_order": "text",
                "effects": [
                  {
                    "effect_type": "notify",
                    "order": "aggregate",
                    "delivered": 4,
                    "overtakings": {
                      "PRIORITY": 1,
                      "UNKNOWN": 0
                    },
                    "priority_inversions": 1,
                    "heads": 3,
                    "heads_freed_by_dlq": 1,
                    "heads_blocking": 1,
                    "longest_block": "PT1M30.5S",
                    "longest_block_by": "o1"
                  },
                  {
                    "effect_type": "mail",
                    "order": "none",
                    "delivered": 2,
                    "overtakings": {
                      "UNKNOWN": 1
                    },
                    "priority_inversions": 0
                  }
                ]
              },
              "leases": [],
              "dead_letters": [],
              "dedup_memory": [],
              "side_channels": {
                "consumers": [],
                "unwritten": [],
                "effect_types": []
              },
              "replays": [
                {
                  "replay_id": "r1",
                  "registered": true,
                  "topic": null,
                  "from": "2026-01-05T11:59:00Z",
                  "to": "2026-01-05T12:00:00Z",
                  "effects_authorised": true,
                  "effect_keys": "original",
                  "first_at": "2026-01-05T11:59:30Z",
                  "last_at": "2026-01-05T12:00:00Z",
                  "receptions": 3,
                  "rows": 1,
                  "acks": 9,
                  "effects": 2,
                  "redeliveries": 4,
                  "further_effects": 1,
                  "unauthorised": 1,
                  "restarts": 1,
                  "scope_events": 7,
                  "seen_events": 5
                }
              ],
              "causes": [
                {
                  "kind": "MISSING_OUTBOX",
                  "by": "source",
                  "value": "b",
                  "findings": 2
                }
              ]
            }
            """);
  }

  @Test
  void summaryNamesCodeThatIsNotOursAndTablesThatWereAsked() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SummaryJson.write(
        REPORT,
        null,
        new ExternalEffects(
            ImmutableSortedSet.of("trend", "average"), ImmutableSortedSet.of("shop.outbox")),
        out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("lasted. Databases were asked for rows of tables, by connections that only read.")
        .contains("    \"code_of_others\": [\n      \"average\",\n      \"trend\"\n    ],\n")
        .contains("    \"tables\": [\n      \"shop.outbox\"\n    ]\n");
  }

  @Test
  void runListsItsFiles() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RunJson.write(
        REPORT,
        EXECUTION,
        ImmutableList.of(
            new RunFile("decisions/part-00000-of-00001.parquet", OptionalLong.of(7), 100, "aa"),
            new RunFile("summary.json", OptionalLong.empty(), 10, "bb")),
        out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("{\n  \"constat\": 1,\n  \"run_id\": \"0123\",\n")
        .contains("\"started_at\": \"2026-01-05T12:00:00Z\"")
        .contains(
            "\"inputs_sha256\":"
                + " \"6d55eed06470f393c1c675ab91ffe5174b969b35ec787e8a519070813ac0590b\"")
        .contains("\"limits\": {\n    \"nesting\": 1000\n  },\n")
        .endsWith(
            """
              "files": [
                {
                  "file": "decisions/part-00000-of-00001.parquet",
                  "rows": 7,
                  "bytes": 100,
                  "sha256": "aa"
                },
                {
                  "file": "summary.json",
                  "bytes": 10,
                  "sha256": "bb"
                }
              ],
              "files_sha256": "a98cea9a3da1fb2de8ca4d61afaf9884331b769e67e48093f09f3400192344fa"
            }
            """
                .indent(0));
  }

  @Test
  void documentsHoldNothingThatATerminalObeys() throws Exception {
    assertThat(summary(REPORT)).doesNotContain("\u001b").contains("a\\u001B[31m\\\"\\\\\\n");
    assertThat(metrics()).doesNotContain("\u001b").contains("source=\"a\\\\u001b[31m\\\"\\\\\\n\"");
  }

  @Test
  void metricsFollowTheTextFormat() throws Exception {
    Pattern sample =
        Pattern.compile(
            "([a-z_]+)(\\{[a-z_]+=\"([^\"\\\\]|\\\\[\\\\\"n])*\""
                + "(,[a-z_]+=\"([^\"\\\\]|\\\\[\\\\\"n])*\")*\\})? -?[0-9]+(\\.[0-9]+)?");
    Set<String> series = new HashSet<>();
    String family = "";
    String type = "";
    assertThat(metrics()).endsWith("\n").doesNotContain("\n\n");
    for (String line : metrics().lines().toList()) {
      if (line.startsWith("# HELP ")) {
        family = word(line, 2);
        assertThat(series.add("family " + family)).as(line).isTrue();
      } else if (line.startsWith("# TYPE ")) {
        assertThat(word(line, 2)).isEqualTo(family);
        type = word(line, 3);
        assertThat(type).isIn("gauge", "histogram");
      } else {
        Matcher matcher = sample.matcher(line);
        assertThat(matcher.matches()).as(line).isTrue();
        assertThat(type.equals("gauge") ? matcher.group(1) : matcher.group(1) + "|")
            .as(line)
            .matches(
                type.equals("gauge")
                    ? Pattern.quote(family)
                    : Pattern.quote(family) + "_(bucket|sum|count)\\|");
        assertThat(series.add(line.substring(0, line.lastIndexOf(' ')))).as(line).isTrue();
      }
    }
  }

  private static String word(String line, int index) {
    return Splitter.on(' ').splitToList(line).get(index);
  }

  @Test
  void metricsSayWhatTheSeedAsksFor() throws Exception {
    assertThat(metrics().lines())
        .contains(
            "constat_verdict{verdict=\"DISCREPANCIES\"} 1",
            "constat_verdict{verdict=\"MATCH\"} 0",
            "constat_as_of_timestamp_seconds 1767614400",
            "constat_findings{kind=\"MISSING_OUTBOX\",level=\"error\"} 2",
            "constat_book_residue{book=\"events\"} 1",
            "constat_receptions{source=\"b\",schema_version=\"1\",decision=\"ACCEPTED\"} 2",
            "constat_exact_duplicate_ratio{source=\"b\"} 0.333333",
            "constat_late_ratio{source=\"b\"} 0.333333",
            "constat_quarantine_oldest_age_seconds{source=\"a\\\\u001b[31m\\\"\\\\\\n\","
                + "schema_version=\"\\\"\\\"\"} 90.5",
            "constat_unknown_schema_receptions{source=\"a\\\\u001b[31m\\\"\\\\\\n\"} 3",
            "constat_arrival_lag_seconds_bucket{source=\"b\",schema_version=\"1\",le=\"0\"} 1",
            "constat_arrival_lag_seconds_bucket{source=\"b\",schema_version=\"1\",le=\"10\"} 1",
            "constat_arrival_lag_seconds_bucket{source=\"b\",schema_version=\"1\",le=\"30\"} 3",
            "constat_arrival_lag_seconds_bucket{source=\"b\",schema_version=\"1\",le=\"+Inf\"} 3",
            "constat_arrival_lag_seconds_sum{source=\"b\",schema_version=\"1\"} 3.25",
            "constat_arrival_lag_seconds_count{source=\"b\",schema_version=\"1\"} 3",
            "constat_outbox_rows{effect_type=\"notify\",state=\"DISPATCHED\"} 4",
            "constat_outbox_retried_rows{effect_type=\"notify\"} 1",
            "constat_order_delivered_rows{effect_type=\"mail\",order=\"none\"} 2",
            "constat_order_overtakings{effect_type=\"notify\",order=\"aggregate\",cause=\"PRIORITY\"} 1",
            "constat_order_priority_inversions{effect_type=\"notify\",order=\"aggregate\"} 1",
            "constat_order_heads{effect_type=\"notify\",freed_by=\"DELIVERY\"} 1",
            "constat_order_heads{effect_type=\"notify\",freed_by=\"nobody\"} 1",
            "constat_order_longest_block_seconds{effect_type=\"notify\"} 90.5",
            "constat_replay_to_timestamp_seconds{replay_id=\"r1\"} 1767614400",
            "constat_replay_last_timestamp_seconds{replay_id=\"r1\"} 1767614400",
            "constat_replay_registered{replay_id=\"r1\"} 1",
            "constat_replay_effects_authorised{replay_id=\"r1\"} 1",
            "constat_replay_acknowledgements{outcome=\"redelivery\",replay_id=\"r1\"} 4",
            "constat_replay_restarts{replay_id=\"r1\"} 1",
            "constat_replay_scope_events{replay_id=\"r1\"} 7",
            "constat_replay_seen_events{replay_id=\"r1\"} 5");
  }

  private static String summary(RunReport report) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SummaryJson.write(report, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String metrics() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MetricsText.write(REPORT, out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
