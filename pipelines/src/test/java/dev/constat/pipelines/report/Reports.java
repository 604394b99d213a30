package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.pipelines.output.Evidence;
import dev.constat.pipelines.output.Execution;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.output.TaskReport;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.LagBuckets;
import dev.constat.rules.reconcile.SideChannels;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.time.SweepRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Results as tests of the page need them: of nothing, and of too much. */
final class Reports {

  static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  static final ImmutableList<Execution.InputFile> FILES =
      ImmutableList.of(new Execution.InputFile("events", "events/a.jsonl", 3, 345, "ff00"));

  static final RunSpec EVENTS_ALONE =
      RunSpecParser.parse(
          "constat: 1\narchives: {events: {files: a.jsonl}}\n", "constat.yaml", "shop");

  static final RunSpec ALL =
      RunSpecParser.parse(
          """
          constat: 1
          archives:
            events: {files: a.jsonl}
            outbox: {files: b.jsonl}
            acknowledgements: {files: c.jsonl}
            replays: {files: d.jsonl}
          effects:
            - {type: notify, when: {topic: trade}, consumers: [mailer]}
          """,
          "constat.yaml",
          "shop");

  private Reports() {}

  /** Of a run that read a little and found nothing. */
  static RunReport empty() {
    return new RunReport(
        "shop",
        "1.2.3",
        NOON,
        Verdict.MATCH,
        ImmutableList.of(),
        ImmutableList.of(
            new RunReport.InputFacts(
                "events", 3, 0, NOON.minusSeconds(60), NOON, null, NOON, true, null)),
        ImmutableSortedMap.of(),
        ImmutableSortedMap.of(),
        ImmutableList.of(),
        ImmutableSortedMap.of(),
        ImmutableList.of(
            new Book(Sentence.of("events read"), 3, ImmutableList.of(new Book.Line("kept", 3)))),
        ImmutableList.of(new RunReport.Coverage("BROKEN_CHAIN", 3, ImmutableSortedMap.of())),
        ImmutableList.of(),
        ImmutableList.of(),
        ImmutableList.of(),
        OrderReport.NONE,
        DeliveryReport.NONE,
        ImmutableList.of(),
        ImmutableList.of(),
        null);
  }

  /** Of a run that found {@code each} findings of every kind, with as much of everything else. */
  static RunReport of(int each, String name) {
    List<RunReport.KindCount> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      kinds.add(new RunReport.KindCount(kind, kind.level(), each, each + 1L, 0));
    }
    List<Book> books = new ArrayList<>();
    List<RunReport.Coverage> coverage = new ArrayList<>();
    List<RunReport.SourceFacts> sources = new ArrayList<>();
    List<SweepRow> lateness = new ArrayList<>();
    List<RunReport.EffectFacts> effects = new ArrayList<>();
    List<RunReport.ReplayFacts> replays = new ArrayList<>();
    List<RunReport.Cause> causes = new ArrayList<>();
    List<SideChannels.OfConsumer> consumers = new ArrayList<>();
    ImmutableSortedMap.Builder<String, Long> silent = ImmutableSortedMap.naturalOrder();
    Long[] lags = Collections.nCopies(LagBuckets.BOUNDS.length() + 1, 7L).toArray(Long[]::new);
    for (int i = 0; i < each; i++) {
      String named = name + i;
      books.add(
          new Book(
              Sentence.ofConfigured(named),
              10,
              ImmutableList.of(new Book.Line(named, i == 7 ? 9 : 10))));
      coverage.add(
          new RunReport.Coverage(
              "CHECK_" + i, i, ImmutableSortedMap.of("because of " + named, 7L)));
      sources.add(
          new RunReport.SourceFacts(
              named,
              i % 2 == 0 ? null : named,
              ImmutableSortedMap.of("ACCEPTED", 2L, "EXACT_DUPLICATE", 1L),
              ImmutableSortedMap.of("LATE", 1L, "ON_TIME", 2L),
              2,
              1,
              1,
              NOON.minusMillis(90_500),
              i % 2 != 0,
              ImmutableList.copyOf(lags),
              3_250));
      for (int rung = 0; rung < 4; rung++) {
        lateness.add(
            new SweepRow(
                named,
                Duration.ofMinutes(rung * 5L),
                100,
                40 - rung * 10L,
                rung,
                ImmutableList.of(new SweepRow.Restated("volume version 1", 3, 2, 1))));
      }
      effects.add(
          new RunReport.EffectFacts(
              named, ImmutableSortedMap.of("DISPATCHED", 4L, "DLQ", 1L), i % 2));
      replays.add(
          new RunReport.ReplayFacts(
              named,
              named,
              NOON,
              null,
              i % 2 == 0,
              i % 3 == 0 ? null : i % 3 == 1,
              "own",
              new RunReport.ReplayActivityFacts(1, 2, 3, 4, 5, 6, 7, 8, NOON, NOON),
              i % 2 == 0 ? 9L : null,
              3));
      causes.add(new RunReport.Cause(Kind.MISSING_ACK, "source", named, 7));
      consumers.add(new SideChannels.OfConsumer(named, false, 1, NOON, NOON));
      silent.put("IN_FLIGHT CHECK_" + i, 3L);
    }
    return new RunReport(
        name,
        "1.2.3",
        NOON,
        Verdict.INCONCLUSIVE,
        ImmutableList.of("7 records or files of events are unreadable", name),
        ImmutableList.of(
            new RunReport.InputFacts(
                "events", 3_000_000, 7, NOON, NOON, NOON, NOON, true, Duration.ofDays(3)),
            new RunReport.InputFacts("outbox", 1, 0, NOON, NOON, null, NOON, false, null)),
        ImmutableSortedMap.of("ACCEPTED", 2L),
        ImmutableSortedMap.of("LATE", 1L, "ON_TIME", 2L),
        ImmutableList.copyOf(kinds),
        silent.buildOrThrow(),
        ImmutableList.copyOf(books),
        ImmutableList.copyOf(coverage),
        ImmutableList.copyOf(sources),
        ImmutableList.copyOf(lateness),
        ImmutableList.copyOf(effects),
        new OrderReport("text", ImmutableList.of()),
        new DeliveryReport(
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of(),
            new SideChannels(ImmutableList.copyOf(consumers), ImmutableList.of())),
        ImmutableList.copyOf(replays),
        ImmutableList.copyOf(causes),
        null);
  }

  static Examples noExamples() {
    return new Examples(20, place -> new Evidence.File("a.jsonl"));
  }

  static byte[] page(
      RunSpec spec,
      RunReport report,
      TaskReport task,
      ImmutableList<Execution.InputFile> files,
      Examples examples) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ReportPage.write(spec, report, task, files, examples, out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
