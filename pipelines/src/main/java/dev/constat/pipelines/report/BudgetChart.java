package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.Lateness;
import dev.constat.rules.time.SweepRow;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

/** What each lateness budget of a ladder would have made of the events of a source. */
final class BudgetChart {

  private static final int LEFT = 44;
  private static final int RIGHT = 384;
  private static final int TOP = 28;
  private static final int BOTTOM = 190;
  private static final int HEIGHT = 244;

  /** Where the entry of each curve begins in the legend. */
  private static final ImmutableList<Integer> LEGEND = ImmutableList.of(16, 106, 236);

  /**
   * A curve.
   *
   * @param name what it shows, in the legend
   * @param style the class of its line
   * @param value of a budget
   */
  private record Curve(String name, String style, ToLongFunction<SweepRow> value) {}

  private static final ImmutableList<Curve> CURVES =
      ImmutableList.of(
          new Curve("late events", "late", SweepRow::late),
          new Curve("windows refined", "refines", BudgetChart::refines),
          new Curve("too late for a window", "toolate", BudgetChart::tooLate));

  private final String id;
  private final String source;
  private final List<SweepRow> ladder;
  private final List<Lateness.Budget> budgets;
  private final long most;

  private BudgetChart(
      String id, String source, List<SweepRow> ladder, List<Lateness.Budget> budgets) {
    this.id = id;
    this.source = source;
    this.ladder = ladder;
    this.budgets = budgets;
    long highest = 1;
    for (SweepRow row : ladder) {
      for (Curve curve : CURVES) {
        highest = Math.max(highest, curve.value().applyAsLong(row));
      }
    }
    this.most = nice(highest);
  }

  /**
   * Writes the chart and the same as a table.
   *
   * @param id unique in the page
   * @param ladder the rows of the source, by budget
   * @param budgets those that are configured
   */
  static void into(
      Html html, String id, String source, List<SweepRow> ladder, List<Lateness.Budget> budgets) {
    new BudgetChart(id, source, ladder, budgets).write(html);
  }

  private static long refines(SweepRow row) {
    return row.restated().stream().mapToLong(SweepRow.Restated::refines).sum();
  }

  private static long tooLate(SweepRow row) {
    return row.restated().stream().mapToLong(SweepRow.Restated::tooLate).sum();
  }

  /** Whether no budget makes anything late, refined or too late. */
  static boolean isAllZero(List<SweepRow> ladder) {
    return ladder.stream()
        .allMatch(row -> CURVES.stream().allMatch(c -> c.value().applyAsLong(row) == 0));
  }

  private void write(Html html) {
    html.open("figure");
    html.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 400 " + HEIGHT,
        "role",
        "img",
        "aria-labelledby",
        id + "-title " + id + "-text");
    html.element(
        "title", "What each budget makes of " + Values.beginning(source, 64), "id", id + "-title");
    html.element("desc", description(), "id", id + "-text");
    axes(html);
    budgets.stream().filter(budget -> !isBeyond(budget)).forEach(budget -> mark(html, budget));
    for (int i = 0; i < CURVES.size(); i++) {
      curve(html, CURVES.get(i));
      legend(html, CURVES.get(i), LEGEND.get(i));
    }
    html.close().line();
    html.open("figcaption")
        .text("If the budget had been longer or shorter; the upright line is the one in force");
    if (budgets.stream().anyMatch(this::isBeyond)) {
      html.text(", where it is not longer than any of these");
    }
    html.close();
    html.open("details").element("summary", "The same as a table");
    table().into(html, "summary.json has all");
    html.close().close().line();
  }

  private String description() {
    SweepRow first = ladder.get(0);
    SweepRow last = ladder.get(ladder.size() - 1);
    return "Late events: "
        + Units.count(first.late())
        + " with a budget of "
        + Units.duration(first.budget())
        + ", "
        + Units.count(last.late())
        + " with "
        + Units.duration(last.budget());
  }

  private Table table() {
    Table table =
        Table.of("Budgets for " + Values.beginning(source, 64))
            .column("budget")
            .number("late events")
            .number("changed")
            .number("windows refined")
            .number("too late for a window");
    for (SweepRow row : ladder) {
      boolean inForce = budgets.stream().anyMatch(b -> b.length().equals(row.budget()));
      table.row(
          html -> {
            Values.duration(html, row.budget());
            html.text(inForce ? " (in force)" : "");
          },
          Table.count(row.late()),
          Table.count(row.changed()),
          Table.count(refines(row)),
          Table.count(tooLate(row)));
    }
    return table;
  }

  private void axes(Html html) {
    for (int i = 0; i <= 2; i++) {
      long value = most * i / 2;
      int y = y(value);
      line(html, "grid", LEFT, y, RIGHT, y);
      text(html, Units.count(value), "tick", LEFT - 5, y + 4, "end");
    }
    int step = Math.max(1, (ladder.size() + 4) / 5);
    for (int i = 0; i < ladder.size(); i += step) {
      text(html, Units.duration(ladder.get(i).budget()), "tick", x(i), BOTTOM + 16, "middle");
    }
  }

  /** Whether a budget is longer than all of the ladder, and so has no place in the chart. */
  private boolean isBeyond(Lateness.Budget budget) {
    return budget.length().compareTo(ladder.get(ladder.size() - 1).budget()) > 0;
  }

  private void mark(Html html, Lateness.Budget budget) {
    double at = position(budget.length());
    int x = (int) Math.round(LEFT + (RIGHT - LEFT) * at / Math.max(1, ladder.size() - 1));
    line(html, "inforce", x, TOP - 8, x, BOTTOM);
    boolean right = x > (LEFT + RIGHT) / 2;
    text(
        html,
        Units.duration(budget.length()),
        "label",
        right ? x - 4 : x + 4,
        TOP - 4,
        right ? "end" : "start");
  }

  /** Where a budget lies on the ladder, between rungs in proportion. */
  private double position(Duration budget) {
    for (int i = 0; i < ladder.size(); i++) {
      Duration rung = ladder.get(i).budget();
      if (budget.compareTo(rung) <= 0) {
        if (i == 0 || budget.equals(rung)) {
          return i;
        }
        Duration before = ladder.get(i - 1).budget();
        return i
            - 1
            + (double) budget.minus(before).toMillis() / Math.max(1, rung.minus(before).toMillis());
      }
    }
    throw new IllegalStateException("[BUG] No place on the ladder for " + budget);
  }

  private void curve(Html html, Curve curve) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < ladder.size(); i++) {
      points
          .append(i == 0 ? "" : " ")
          .append(x(i))
          .append(',')
          .append(y(curve.value().applyAsLong(ladder.get(i))));
    }
    html.leaf("polyline", "class", "curve " + curve.style(), "points", points.toString());
  }

  private static void legend(Html html, Curve curve, int x) {
    int y = HEIGHT - 14;
    line(html, "curve " + curve.style(), x, y, x + 18, y);
    text(html, curve.name(), "tick", x + 22, y + 4, "start");
  }

  private int x(int rung) {
    return LEFT + (RIGHT - LEFT) * rung / Math.max(1, ladder.size() - 1);
  }

  private int y(long value) {
    return BOTTOM - (int) Math.round((BOTTOM - TOP) * (double) value / most);
  }

  /** The next even number that is short to read. */
  private static long nice(long highest) {
    long unit = 1;
    while (highest / unit >= 20) {
      unit *= 10;
    }
    long rounded = (highest + unit - 1) / unit * unit;
    return rounded % 2 == 0 ? rounded : rounded + unit;
  }

  private static void line(Html html, String style, int x1, int y1, int x2, int y2) {
    html.leaf(
        "line",
        "class",
        style,
        "x1",
        Integer.toString(x1),
        "y1",
        Integer.toString(y1),
        "x2",
        Integer.toString(x2),
        "y2",
        Integer.toString(y2));
  }

  private static void text(Html html, String words, String style, int x, int y, String anchor) {
    html.element(
        "text",
        words,
        "class",
        style,
        "x",
        Integer.toString(x),
        "y",
        Integer.toString(y),
        "text-anchor",
        anchor);
  }
}
