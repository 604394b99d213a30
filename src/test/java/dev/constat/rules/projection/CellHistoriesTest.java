package dev.constat.rules.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.spec.Aggregate;
import dev.constat.rules.spec.Aggregate.Function;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.WindowRule;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories: whatever is held how long, and in whatever order events come, the cells are
 * those of an implementation that keeps everything in maps and looks at it at the end.
 */
class CellHistoriesTest {

  private static final Instant BASE = Instant.parse("1970-01-01T00:00:00Z");
  private static final String[] KEYS = {"a", "b", "", "\u0000", "\uD83D\uDE00"};

  /** One thing that happens: an event with what is said about it. */
  private record Fact(
      ProjectedEvent event, boolean counted, int contributes, CellFlag mark, EventOrder order) {}

  private static ImmutableList<ProjectionRule> rules() {
    ImmutableMap<String, Aggregate> columns =
        Arrays.stream(Function.values())
            .collect(
                ImmutableMap.toImmutableMap(
                    function -> "c" + function.name(),
                    function -> new Aggregate(function, function == Function.COUNT ? "" : "/v")));
    List<WindowRule> windows =
        List.of(
            new WindowRule.Fixed(Duration.ofSeconds(10)),
            new WindowRule.Sliding(Duration.ofSeconds(12), Duration.ofSeconds(5)),
            new WindowRule.Session(Duration.ofSeconds(3)),
            new WindowRule.Days(ZoneId.of("Asia/Tokyo")));
    ImmutableList.Builder<ProjectionRule> rules = ImmutableList.builder();
    for (WindowRule window : windows) {
      rules.add(
          new ProjectionRule(
              "w" + windows.indexOf(window),
              "1",
              ProjectionRule.WINDOWED,
              Fixture.KEY,
              window,
              Duration.ofSeconds(4),
              columns,
              null,
              ImmutableList.of(),
              ImmutableMap.of()));
    }
    return rules.add(Fixture.current("/v")).build();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void cellsAreThoseOfTheWholeHistory(long seed) {
    Random random = new Random(seed);
    ImmutableList<Projector> projectors = Projector.all(rules());
    for (int round = 0; round < 40; round++) {
      List<Fact> facts = history(random);
      Gaps gaps =
          (sequence, start, end) -> sequence.equals("s1") && start.isBefore(BASE.plusSeconds(20));
      List<String> expected = new ArrayList<>();
      for (Projector projector : projectors) {
        expected.addAll(new Whole(projector, gaps).cells(facts));
      }
      for (int limit : new int[] {1, 3, 1_000}) {
        Collections.shuffle(facts, random);
        long bytes = limit == 3 ? 2_000 : 1_000_000;
        assertThat(folded(projectors, gaps, facts, new PartialCells.Limits(limit, bytes)))
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  private static List<Fact> history(Random random) {
    List<Fact> facts = new ArrayList<>();
    for (int i = random.nextInt(25); i >= 0; i--) {
      Instant at = BASE.plusMillis(random.nextInt(40_000) - 10_000).plusNanos(random.nextInt(3));
      at = random.nextBoolean() ? BASE.plusSeconds(random.nextInt(30)) : at;
      int sequence = random.nextInt(4);
      EventOrder order =
          sequence > 2
              ? EventOrder.at(at)
              : new EventOrder("s" + sequence, random.nextInt(2), random.nextInt(4), at);
      ProjectedEvent event =
          new ProjectedEvent(
              "S",
              "{\"source_event_id\":\"" + i + "\"}",
              at.plusMillis(random.nextInt(100)),
              random.nextInt(3) == 0 ? null : at.plusMillis(random.nextInt(30_000) - 10_000),
              order,
              random.nextInt(10) > 0,
              true,
              false,
              random.nextInt(10) == 0,
              Arrays.asList(
                  AccumulatorTest.value(random),
                  random.nextInt(10) == 0 ? null : KEYS[random.nextInt(KEYS.length)]),
              new Place(Input.EVENTS.ordinal(), 0, 0, i, 0));
      CellFlag mark = random.nextInt(6) > 0 ? null : CellFlag.values()[random.nextInt(3)];
      EventOrder root =
          random.nextInt(5) > 0
              ? order
              : new EventOrder(order.sequence(), order.epoch(), order.number(), at.minusSeconds(7));
      facts.add(new Fact(event, random.nextInt(8) > 0, random.nextInt(8), mark, root));
    }
    return facts;
  }

  /** By way of records, sorted as the stages do. */
  private static List<String> folded(
      ImmutableList<Projector> projectors,
      Gaps gaps,
      List<Fact> facts,
      PartialCells.Limits limits) {
    TreeMap<byte[], List<byte[][]>> groups = new TreeMap<>(Arrays::compareUnsigned);
    PartialCells cells =
        new PartialCells(
            projectors,
            limits,
            name -> true,
            rule -> true,
            (group, order, kind, body) ->
                groups
                    .computeIfAbsent(group.toBytes(), k -> new ArrayList<>())
                    .add(new byte[][] {order.toBytes(), {(byte) kind}, body.toBytes()}));
    for (Fact fact : facts) {
      for (int rule = 0; rule < projectors.size(); rule++) {
        say(cells, rule, fact);
      }
    }
    cells.flush();
    Rows rows = new Rows(projectors);
    CellFold fold = new CellFold(projectors, gaps, rows);
    groups.forEach(
        (group, records) -> {
          records.sort(
              Comparator.<byte[][], byte[]>comparing(r -> r[0], Arrays::compareUnsigned)
                  .thenComparing(r -> r[2], Arrays::compareUnsigned));
          fold.begin(new KeyReader(group));
          records.forEach(r -> fold.next(r[1][0], new KeyReader(r[0]), new KeyReader(r[2])));
          fold.end();
        });
    return rows.rows;
  }

  private static void say(PartialCells cells, int rule, Fact fact) {
    boolean plain = fact.order.equals(fact.event.order());
    if (fact.counted && plain && fact.contributes > 0 && fact.contributes < 6) {
      cells.accept(rule, copy(fact.event));
    } else {
      sayInParts(cells, rule, fact);
    }
    if (fact.mark != null) {
      cells.mark(rule, fact.event, fact.mark);
    }
  }

  private static void sayInParts(PartialCells cells, int rule, Fact fact) {
    if (fact.counted) {
      cells.outcomes(rule, copy(fact.event));
    }
    if (fact.contributes == 0) {
      cells.contributeEverywhere(rule, copy(fact.event), fact.order);
    } else if (fact.contributes < 6) {
      cells.contribute(rule, copy(fact.event), fact.order);
    }
  }

  /** The event as it comes out of a record. */
  private static ProjectedEvent copy(ProjectedEvent event) {
    KeyWriter out = new KeyWriter();
    event.write(out);
    return ProjectedEvent.read(new KeyReader(out.toBytes()), event.values().size());
  }

  /** Takes rows, with the name of their rule. */
  private static final class Rows implements CellLedger {

    private final ImmutableList<Projector> projectors;
    private final List<String> rows = new ArrayList<>();

    Rows(ImmutableList<Projector> projectors) {
      this.projectors = projectors;
    }

    @Override
    public void cell(Cell cell, Object[] row) {
      rows.add(
          "%s %s %s %s"
              .formatted(
                  projectors.get(cell.rule()).rule().name(),
                  Arrays.toString(row),
                  cell.place().position(),
                  cell.lastReceived()));
    }

    @Override
    public void outcomes(int rule, long onTime, long refined, long tooLate) {
      // the counts of cells are looked at
    }

    @Override
    public void recorded(boolean copy) {
      // rows are counted where they are read
    }

    @Override
    public boolean comparesRecorded(int rule) {
      return false;
    }

    @Override
    public boolean settled(Kind check, Window window, Instant time) {
      throw new AssertionError("Nothing is compared");
    }

    @Override
    public void judged(Kind check) {
      throw new AssertionError("Nothing is compared");
    }

    @Override
    public void notJudged(Kind check, String reason) {
      throw new AssertionError("Nothing is compared");
    }

    @Override
    public void finding(Finding finding) {
      throw new AssertionError("Nothing is compared");
    }
  }

  /** The same cells from the history as a whole, as plainly as can be. */
  private static final class Whole {

    private final Projector projector;
    private final Gaps gaps;

    Whole(Projector projector, Gaps gaps) {
      this.projector = projector;
      this.gaps = gaps;
    }

    /** What is known of a cell. */
    private static final class Known {

      private Window window;
      private Instant lastReceived = Instant.MIN;
      private final List<Fact> contributions = new ArrayList<>();
      private final Map<Outcome, Integer> outcomes = new HashMap<>();
      private final Set<CellFlag> flags = new TreeSet<>();
      private final Set<String> sequences = new HashSet<>();
      private final Set<String> branches = new TreeSet<>(Texts.BY_UTF8);
    }

    List<String> cells(List<Fact> facts) {
      List<String> rows = new ArrayList<>();
      for (String key : KEYS) {
        List<Fact> mine =
            facts.stream().filter(fact -> key.equals(projector.key(fact.event))).toList();
        for (Known cell : known(mine)) {
          if (!cell.contributions.isEmpty()) {
            rows.add(projector.rule().name() + " " + row(key, cell));
          }
        }
      }
      return rows;
    }

    private List<Known> known(List<Fact> facts) {
      List<Known> cells = new ArrayList<>();
      for (Window window : windows(facts)) {
        Known cell = new Known();
        cell.window = window;
        for (Fact fact : facts) {
          boolean projected = projector.projects(fact.event);
          boolean contributes = projected && !fact.event.withdrawn() && fact.contributes < 6;
          for (Placement placement : placements(fact)) {
            if (!touches(placement.window(), window)) {
              continue;
            }
            Outcome outcome = placement.outcome();
            boolean late = outcome == Outcome.TOO_LATE;
            if (fact.mark != null) {
              cell.flags.add(fact.mark);
            }
            if (contributes && (fact.contributes == 0 || !late)) {
              cell.contributions.add(fact);
              cell.sequences.add(fact.event.order().sequence());
            }
            boolean inside = window == null || !fact.event.occurredAt().isBefore(window.start());
            if (projected && fact.counted && inside) {
              cell.outcomes.merge(outcome, 1, Integer::sum);
              cell.sequences.add(fact.event.order().sequence());
            }
          }
          boolean counts = projected && fact.counted;
          if (contributes || counts || fact.mark != null) {
            Instant received = fact.event.receivedAt();
            cell.lastReceived = received.isAfter(cell.lastReceived) ? received : cell.lastReceived;
          }
          if (window == null && fact.mark == CellFlag.AMBIGUOUS) {
            cell.branches.add(value(fact.event));
          }
        }
        cells.add(cell);
      }
      return cells;
    }

    /** Without windows, the one placement is over all time. */
    private List<Placement> placements(Fact fact) {
      return projector.rule().window() == null
          ? List.of(new Placement(null, Outcome.ON_TIME))
          : projector.placements(fact.event);
    }

    private boolean touches(Window one, Window cell) {
      if (projector.rule().window() instanceof WindowRule.Session) {
        return one.start().isBefore(cell.end()) && cell.start().isBefore(one.end());
      }
      return cell == null || one.equals(cell);
    }

    /** All windows with contributions; sessions merged until nothing overlaps. */
    private List<Window> windows(List<Fact> facts) {
      if (projector.rule().window() == null) {
        return new ArrayList<>(Collections.singletonList(null));
      }
      Set<Window> windows =
          new TreeSet<>(Comparator.comparing(Window::start).thenComparing(Window::end));
      for (Fact fact : facts) {
        for (Placement placement : projector.placements(fact.event)) {
          boolean late = placement.outcome() == Outcome.TOO_LATE;
          if (projector.projects(fact.event)
              && !fact.event.withdrawn()
              && fact.contributes < 6
              && (fact.contributes == 0 || !late)) {
            windows.add(placement.window());
          }
        }
      }
      if (!(projector.rule().window() instanceof WindowRule.Session)) {
        return new ArrayList<>(windows);
      }
      List<Window> merged = new ArrayList<>(windows);
      for (int i = 0; i < merged.size(); i++) {
        for (int j = i + 1; j < merged.size(); j++) {
          Window a = merged.get(i);
          Window b = merged.get(j);
          if (touches(a, b)) {
            Instant start = a.start().isBefore(b.start()) ? a.start() : b.start();
            Instant end = a.end().isAfter(b.end()) ? a.end() : b.end();
            merged.remove(j);
            merged.set(i, new Window(start, end));
            i = -1;
            break;
          }
        }
      }
      return merged;
    }

    private String row(String key, Known cell) {
      boolean windowed = cell.window != null;
      boolean forked = !windowed && cell.flags.contains(CellFlag.AMBIGUOUS);
      List<Object> row = new ArrayList<>();
      row.add(key);
      row.add(windowed ? cell.window.start() : null);
      row.add(windowed ? cell.window.end() : null);
      List<String> candidates = new ArrayList<>();
      for (Map.Entry<String, Aggregate> column : projector.columns().entrySet()) {
        Set<String> heads = new TreeSet<>(Texts.BY_UTF8);
        row.add(column(column.getValue().function(), cell, heads));
        if (forked) {
          heads.addAll(cell.branches);
          row.set(row.size() - 1, null);
        }
        if (heads.size() > 1 || forked) {
          cell.flags.add(CellFlag.AMBIGUOUS);
          heads.stream()
              .limit(10)
              .map(value -> (windowed ? column.getKey() + "=" : "") + CellValues.shown(value))
              .forEach(candidates::add);
        }
      }
      if (windowed && cell.sequences.stream().anyMatch(s -> s != null && meets(s, cell.window))) {
        cell.flags.add(CellFlag.INCOMPLETE);
      }
      for (Outcome outcome : Outcome.values()) {
        row.add(windowed ? cell.outcomes.getOrDefault(outcome, 0) : null);
      }
      row.add(cell.flags);
      row.add(candidates);
      long place =
          cell.contributions.stream()
              .mapToLong(f -> f.event.place().position())
              .min()
              .orElseThrow();
      return row + " " + place + " " + (windowed ? null : cell.lastReceived);
    }

    private boolean meets(String sequence, Window window) {
      return gaps.meets(sequence, window.start(), window.end());
    }

    private String value(ProjectedEvent event) {
      String value = event.values().get(0);
      return value == null ? "null" : value;
    }

    private Object column(Function function, Known cell, Set<String> heads) {
      List<String> values =
          cell.contributions.stream()
              .map(fact -> value(fact.event))
              .filter(value -> !value.equals("null"))
              .toList();
      return switch (function) {
        case COUNT -> cell.contributions.size();
        case DISTINCT -> new HashSet<>(values).size();
        case SUM -> plain(numbers(values, cell).stream().reduce(BigDecimal::add).orElse(null));
        case MIN ->
            plain(numbers(values, cell).stream().min(Comparator.naturalOrder()).orElse(null));
        case MAX ->
            plain(numbers(values, cell).stream().max(Comparator.naturalOrder()).orElse(null));
        case FIRST, LAST -> head(function == Function.LAST ? 1 : -1, cell, heads);
      };
    }

    private static List<BigDecimal> numbers(List<String> values, Known cell) {
      List<BigDecimal> numbers = new ArrayList<>();
      for (String value : values) {
        String text = value.replaceAll("^\"|\"$", "");
        if (CanonicalJson.isNumber(text) && !text.equals("1e99999")) {
          numbers.add(new BigDecimal(text));
        } else {
          cell.flags.add(CellFlag.INCOMPLETE);
        }
      }
      return numbers;
    }

    private static String plain(BigDecimal value) {
      return value == null ? null : CellValues.plain(value);
    }

    private String head(int sign, Known cell, Set<String> heads) {
      List<List<Fact>> lasts = new ArrayList<>();
      for (String sequence : new String[] {null, "s0", "s1", "s2"}) {
        List<Fact> mine =
            cell.contributions.stream()
                .filter(fact -> Objects.equals(fact.order.sequence(), sequence))
                .toList();
        List<Fact> last =
            mine.stream()
                .filter(
                    fact ->
                        mine.stream().allMatch(o -> sign * fact.order.compareWithin(o.order) >= 0))
                .toList();
        if (!last.isEmpty()) {
          lasts.add(last);
        }
      }
      Comparator<Instant> time = sign > 0 ? Comparator.naturalOrder() : Comparator.reverseOrder();
      Instant best = lasts.stream().map(last -> latest(last, time)).max(time).orElseThrow();
      lasts.stream()
          .filter(last -> latest(last, time).equals(best))
          .forEach(last -> last.forEach(fact -> heads.add(value(fact.event))));
      String only = heads.size() == 1 ? heads.iterator().next() : "null";
      return CellValues.text(only);
    }

    private static Instant latest(List<Fact> facts, Comparator<Instant> time) {
      return facts.stream().map(fact -> fact.order.occurredAt()).max(time).orElseThrow();
    }
  }
}
