package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.projection.Outcome;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.stages.PaneHistory.Division;
import dev.constat.transforms.stages.PaneHistory.Step;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestStream;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.DefaultTrigger;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.TimestampedValue;
import org.joda.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Outcomes and cells against Beam's own pane model (spec section 5): a stream on the direct runner
 * whose watermark is moved, before each accepted event, to where the clock of its partition stood.
 * What Beam drops is TOO_LATE, what comes in a late pane REFINES, and the last pane of a window is
 * its cell.
 *
 * <p>Sessions are compared by what they hold: the pane that an event comes in tells of the session
 * as it was by then, its outcome of the event alone. Where the event is ON_TIME, the pane is.
 */
final class PaneModelTest {

  private static final int HISTORIES = 48;

  static LongStream seeds() {
    return LongStream.range(0, HISTORIES);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void panesAreCells(long seed) {
    PaneHistory history = PaneHistory.of(seed);
    RunOutcome run =
        InMemoryRun.of(history.spec())
            .shuffledBy(seed)
            .buckets(1 << seed % 3)
            .slabs(1 + seed % 7)
            .run(history.records());

    ImmutableList<String> onTime = onTimeInSessions(run);
    ImmutableList<String> expected = ImmutableList.copyOf(expected(history, run));
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=DirectRunner",
                    "--targetParallelism=2",
                    "--enforceImmutability=false",
                    "--enforceEncodability=false")
                .create());
    PCollection<String> stream = pipeline.apply(stream(history.steps()));
    PCollection<String> panes =
        PCollectionList.of(
                panes(
                    stream,
                    history.fixed(),
                    FixedWindows.of(Duration.millis(history.fixed().size()))))
            .and(
                panes(
                    stream,
                    history.sliding(),
                    SlidingWindows.of(Duration.millis(history.sliding().size()))
                        .every(Duration.millis(history.sliding().every()))))
            .and(
                panes(
                    stream,
                    history.session(),
                    Sessions.withGapDuration(Duration.millis(history.session().gap()))))
            .apply("All", Flatten.pCollections());
    PAssert.that(panes)
        .satisfies(
            lines -> {
              List<Pane> all = new ArrayList<>();
              lines.forEach(line -> all.add(Pane.of(line)));
              assertThat(seen(all)).containsExactlyElementsOf(expected);
              assertThat(inOpenSessions(all)).containsAll(onTime);
              return null;
            });
    pipeline.run().waitUntilFinish();
  }

  /** The histories hold events at each edge of what decides about them, and on both its sides. */
  @Test
  void everyEdgeIsMet() {
    Map<String, Integer> met = new TreeMap<>();
    seeds()
        .forEach(
            seed -> {
              PaneHistory history = PaneHistory.of(seed);
              for (Step step : history.steps()) {
                if (step.watermark() == null) {
                  met.merge("no watermark", 1, Integer::sum);
                } else {
                  Division fixed = history.fixed();
                  long end = Math.floorDiv(step.at(), fixed.size()) * fixed.size() + fixed.size();
                  edges("fixed", step.watermark() - end, fixed.lateness(), met);
                  Division session = history.session();
                  edges(
                      "session",
                      step.watermark() - step.at() - session.gap(),
                      session.lateness(),
                      met);
                }
              }
            });

    assertThat(met)
        .hasSize(1 + 2 * 6)
        .allSatisfy((edge, times) -> assertThat(times).isGreaterThan(9));
  }

  private static void edges(String name, long behind, long lateness, Map<String, Integer> met) {
    if (Math.abs(behind) <= 1) {
      met.merge(name + " end " + behind, 1, Integer::sum);
    }
    if (Math.abs(behind - lateness) <= 1) {
      met.merge(name + " end + L " + (behind - lateness), 1, Integer::sum);
    }
  }

  /** What the run made of the accepted events of the partition, and of their windows. */
  private static List<String> expected(PaneHistory history, RunOutcome run) {
    List<String> lines = new ArrayList<>();
    Map<String, Step> steps = new HashMap<>();
    history.steps().forEach(step -> steps.put(step.id(), step));
    int found = 0;
    for (Object[] row : run.decisions()) {
      Step step = steps.get(RunOutcome.value(Tables.DECISIONS, row, "ingestion_id"));
      List<?> windows = (List<?>) RunOutcome.value(Tables.DECISIONS, row, "windows");
      if (step == null) {
        assertThat(windows).as("windows of what is not in the stream").isEmpty();
        continue;
      }
      found++;
      Long watermark = step.watermark();
      assertThat(RunOutcome.value(Tables.DECISIONS, row, "watermark"))
          .isEqualTo(watermark == null ? null : Instant.ofEpochMilli(watermark));
      for (Object window : windows) {
        String[] parts = parts(window);
        if (!parts[3].equals(Outcome.TOO_LATE.name())) {
          lines.add(outcome(parts[0], step.id(), start(parts[0], parts[2]), parts[3]));
        }
      }
    }
    assertThat(found).as("accepted events").isEqualTo(steps.size());
    for (String name : List.of("fixed", "sliding", "session")) {
      for (Object[] cell :
          run.tables().getOrDefault("projections/" + name + "/version=1", List.of())) {
        lines.add(
            cell(
                name,
                (String) cell[0],
                ((Instant) cell[1]).toEpochMilli(),
                ((Instant) cell[2]).toEpochMilli(),
                (Long) cell[3],
                (String) cell[4]));
      }
    }
    Collections.sort(lines);
    return lines;
  }

  private static ImmutableList<String> onTimeInSessions(RunOutcome run) {
    ImmutableList.Builder<String> onTime = ImmutableList.builder();
    for (Object[] row : run.decisions()) {
      for (Object window : (List<?>) RunOutcome.value(Tables.DECISIONS, row, "windows")) {
        String[] parts = parts(window);
        if (parts[0].equals("session") && parts[3].equals(Outcome.ON_TIME.name())) {
          onTime.add((String) RunOutcome.value(Tables.DECISIONS, row, "ingestion_id"));
        }
      }
    }
    return onTime.build();
  }

  /** Projection, version, start and outcome of {@code fixed 1 2026-01-05T08:00:00Z ON_TIME}. */
  private static String[] parts(Object window) {
    return window.toString().split(" ", -1);
  }

  private static long start(String name, String window) {
    return name.equals("session") ? 0 : Instant.parse(window).toEpochMilli();
  }

  private static String outcome(String name, String id, long start, String outcome) {
    return name + " " + id + (name.equals("session") ? " counts" : " " + start + " " + outcome);
  }

  private static String cell(
      String name, String key, long start, long end, long count, String sum) {
    return name + " cell " + key + " [" + start + ", " + end + ") n=" + count + " sum=" + sum;
  }

  private static TestStream<String> stream(List<Step> steps) {
    TestStream.Builder<String> stream = TestStream.create(StringUtf8Coder.of());
    Long last = null;
    for (Step step : steps) {
      if (step.watermark() != null && !step.watermark().equals(last)) {
        stream = stream.advanceWatermarkTo(org.joda.time.Instant.ofEpochMilli(step.watermark()));
        last = step.watermark();
      }
      stream =
          stream.addElements(
              TimestampedValue.of(
                  step.id() + " " + step.key() + " " + step.session() + " " + step.qty(),
                  org.joda.time.Instant.ofEpochMilli(step.at())));
    }
    return stream.advanceWatermarkToInfinity();
  }

  /** All panes of a division, each as {@code name key start end timing id=qty id=qty ...}. */
  private static PCollection<String> panes(
      PCollection<String> stream, Division division, WindowFn<Object, ?> windows) {
    return stream
        .apply(division.name() + "Key", ParDo.of(new ToKey(division.name())))
        .apply(
            division.name() + "Window",
            Window.<KV<String, String>>into(windows)
                .withAllowedLateness(Duration.millis(division.lateness()))
                .triggering(
                    AfterWatermark.pastEndOfWindow()
                        .withLateFirings(AfterPane.elementCountAtLeast(1)))
                .accumulatingFiredPanes())
        .apply(division.name() + "Group", GroupByKey.create())
        .apply(division.name() + "Show", ParDo.of(new Show(division.name())))
        .apply(
            division.name() + "Collect",
            Window.<String>into(new GlobalWindows())
                .triggering(DefaultTrigger.of())
                .withAllowedLateness(Duration.ZERO)
                .discardingFiredPanes());
  }

  /** Keys an event as a projection does, if it has the key. */
  static final class ToKey extends DoFn<String, KV<String, String>> {

    private static final long serialVersionUID = 1L;

    private final String name;

    ToKey(String name) {
      this.name = name;
    }

    @ProcessElement
    public void processElement(@Element String event, OutputReceiver<KV<String, String>> out) {
      String[] parts = event.split(" ", -1);
      String key = parts[name.equals("session") ? 2 : 1];
      if (!key.equals("null")) {
        out.output(KV.of(key, parts[0] + "=" + parts[3]));
      }
    }
  }

  /** Writes a pane down. */
  static final class Show extends DoFn<KV<String, Iterable<String>>, String> {

    private static final long serialVersionUID = 1L;

    private final String name;

    Show(String name) {
      this.name = name;
    }

    @ProcessElement
    public void processElement(
        @Element KV<String, Iterable<String>> group,
        BoundedWindow window,
        PaneInfo pane,
        OutputReceiver<String> out) {
      IntervalWindow interval = (IntervalWindow) window;
      out.output(
          name
              + (" " + group.getKey())
              + (" " + interval.start().getMillis())
              + (" " + interval.end().getMillis())
              + (" " + pane.getTiming())
              + (" " + String.join(" ", group.getValue())));
    }
  }

  /** A pane as {@link Show} writes it. */
  private record Pane(
      String name, String key, long start, long end, String timing, List<String> events) {

    static Pane of(String line) {
      String[] parts = line.split(" ", -1);
      return new Pane(
          parts[0],
          parts[1],
          Long.parseLong(parts[2]),
          Long.parseLong(parts[3]),
          parts[4],
          Arrays.asList(parts).subList(5, parts.length));
    }

    boolean inside(Pane other) {
      return name.equals(other.name)
          && key.equals(other.key)
          && start >= other.start
          && end <= other.end;
    }

    BigDecimal sum() {
      return events.stream()
          .map(event -> new BigDecimal(event.substring(event.indexOf('=') + 1)))
          .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
  }

  /** What Beam made of the stream, in the words of {@link #expected}. */
  private static List<String> seen(List<Pane> panes) {
    TreeSet<String> seen = new TreeSet<>();
    for (Pane pane : panes) {
      boolean session = pane.name.equals("session");
      for (String event : pane.events) {
        String id = id(event);
        boolean before =
            panes.stream()
                .anyMatch(
                    other ->
                        other.inside(pane)
                            && pane.inside(other)
                            && !other.timing.equals("LATE")
                            && other.events.contains(event));
        seen.add(outcome(pane.name, id, session ? 0 : pane.start, before ? "ON_TIME" : "REFINES"));
      }
      Stream<Pane> later =
          panes.stream()
              .filter(
                  other ->
                      pane.inside(other)
                          && (!other.inside(pane) && session
                              || other.inside(pane) && other.events.size() > pane.events.size()));
      if (later.findAny().isEmpty()) {
        seen.add(
            cell(pane.name, pane.key, pane.start, pane.end, pane.events.size(), plain(pane.sum())));
      }
    }
    return new ArrayList<>(seen);
  }

  /** Which events are in a pane of a session that was not closed yet. */
  private static List<String> inOpenSessions(List<Pane> panes) {
    return panes.stream()
        .filter(pane -> pane.name.equals("session") && !pane.timing.equals("LATE"))
        .flatMap(pane -> pane.events.stream())
        .map(PaneModelTest::id)
        .toList();
  }

  private static String id(String event) {
    return event.substring(0, event.indexOf('='));
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
