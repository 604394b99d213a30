package dev.constat.rules.diff;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Ordering;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Folds the {@link DiffRecords} of one key, in their order, into rows of {@link
 * DiffTables#PROJECTION_DIFF}: {@link #begin}, {@link #next} for every record, {@link #end}. The
 * first version is compared with each other one, by value: 2.5, 2.50 and the text "2.50" are the
 * same. A value that is AMBIGUOUS is null, and is compared as that.
 *
 * <p>The cells that begin at one instant are in memory at a time, and of the events that explain a
 * difference the first {@link #MAX_EVENTS}.
 */
public final class DiffFold {

  /** Of the events that explain a difference, so many are listed, those with the smallest keys. */
  public static final int MAX_EVENTS = 100;

  /** Sum, by version compared with the first: cells that differ. */
  public static final String CELLS = "differing cells";

  /** Sum, by version compared with the first: rows. */
  public static final String ROWS = "differences";

  /** Sum, by version compared with the first and cause: rows. */
  public static final String CAUSES = "causes of differences";

  private static final Comparator<String> BY_UTF8 =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private final ImmutableList<ProjectionRule> rules;
  private final List<ImmutableList<Column>> columns = new ArrayList<>();
  private final ImmutableList<String> baseColumns;
  private final List<Pair> pairs = new ArrayList<>();
  private final Tally tally;
  private final Consumer<Object[]> rows;
  private final TreeMap<Instant, Cell> byEnd =
      new TreeMap<>(Ordering.<Instant>natural().nullsFirst());

  private String key;
  private boolean begun;
  private Instant start;

  /**
   * A fold.
   *
   * @param rules the versions, in the order in which they are asked for
   * @param tally where to count
   * @param rows takes rows
   */
  public DiffFold(ImmutableList<ProjectionRule> rules, Tally tally, Consumer<Object[]> rows) {
    this.rules = rules;
    this.tally = tally;
    this.rows = rows;
    rules.forEach(rule -> columns.add(DiffTables.computed(rule)));
    this.baseColumns = DiffTables.names(rules.get(0));
    for (int other = 1; other < rules.size(); other++) {
      pairs.add(new Pair(other));
    }
    pairs.sort(Comparator.comparing(pair -> rules.get(pair.other).version(), BY_UTF8));
  }

  /** The first version and another. */
  private final class Pair {

    private final int other;

    /** The columns that both compute, by name. */
    private final List<Compared> compared = new ArrayList<>();

    Pair(int other) {
      this.other = other;
      ImmutableList<String> theirs = DiffTables.names(rules.get(other));
      for (String column : ImmutableList.sortedCopyOf(BY_UTF8, baseColumns)) {
        if (theirs.contains(column)) {
          compared.add(
              new Compared(
                  column,
                  baseColumns.indexOf(column),
                  theirs.indexOf(column),
                  Definitions.alike(rules.get(0), rules.get(other), column)));
        }
      }
    }
  }

  /** A column, where it stands in two versions, and whether they compute it alike. */
  private record Compared(String name, int ours, int theirs, boolean alike) {}

  /** What explains a difference. */
  private static final class Explanation {

    private final EnumSet<Cause> causes = EnumSet.noneOf(Cause.class);
    private final List<String> events = new ArrayList<>();
    private long count;

    void event(String event, Cause cause) {
      causes.add(cause);
      count++;
      if (events.size() < MAX_EVENTS) {
        events.add(event); // they come by key
      }
    }
  }

  /** One key and window in all versions. */
  private final class Cell {

    private final Instant end;
    private final String[][] values = new String[rules.size()][];

    /** By pair; the columns of {@link Pair#compared}, behind them the cell as a whole. */
    private Explanation[][] explanations;

    private String lastEvent;

    Cell(Instant end) {
      this.end = end;
    }

    /** Finds where versions differ, once all of them are known. */
    private void compare() {
      if (explanations != null) {
        return;
      }
      explanations = new Explanation[pairs.size()][];
      for (int i = 0; i < explanations.length; i++) {
        Pair pair = pairs.get(i);
        explanations[i] = new Explanation[pair.compared.size() + 1];
        String[] ours = values[0];
        String[] theirs = values[pair.other];
        if (ours == null || theirs == null) {
          if (ours != null || theirs != null) {
            explanations[i][pair.compared.size()] = new Explanation();
          }
          continue;
        }
        for (int c = 0; c < pair.compared.size(); c++) {
          Compared column = pair.compared.get(c);
          if (!same(ours[column.ours], theirs[column.theirs])) {
            explanations[i][c] = new Explanation();
          }
        }
      }
    }

    void event(String event, KeyReader body) {
      compare();
      if (event.equals(lastEvent)) {
        return; // it is known in several sessions of these bounds
      }
      lastEvent = event;
      Standing[] standings = new Standing[rules.size()];
      boolean[][] uses = new boolean[rules.size()][baseColumns.size()];
      for (int version = 0; version < standings.length; version++) {
        standings[version] = Standing.at(body.octet());
        for (int column = 0; column < baseColumns.size(); column++) {
          uses[version][column] = body.bool();
        }
      }
      for (int i = 0; i < explanations.length; i++) {
        Pair pair = pairs.get(i);
        Standing ours = standings[0];
        Standing theirs = standings[pair.other];
        boolean oursCounts = ours.counts(values[0] != null);
        boolean theirsCounts = theirs.counts(values[pair.other] != null);
        for (int c = 0; c < explanations[i].length; c++) {
          Explanation explanation = explanations[i][c];
          if (explanation == null) {
            continue;
          }
          boolean whole = c == pair.compared.size();
          boolean oursUses = oursCounts && (whole || uses(pair, c, 0, uses, !theirsCounts));
          boolean theirsUses =
              theirsCounts && (whole || uses(pair, c, pair.other, uses, !oursCounts));
          if (oursUses != theirsUses) {
            Standing lacking = oursUses ? theirs : ours;
            boolean lackingCounts = oursUses ? theirsCounts : oursCounts;
            explanation.event(event, lackingCounts ? Cause.SCHEMA : lacking.cause());
          }
        }
      }
    }

    /**
     * Whether a column of a version makes something of an event that counts. For the first and the
     * last of some events, one without a value is one of them, so it matters where it alone counts.
     */
    private boolean uses(Pair pair, int column, int version, boolean[][] uses, boolean alone) {
      Compared compared = pair.compared.get(column);
      return uses[version][compared.ours]
          || alone && Definitions.isHead(rules.get(version), compared.name);
    }

    void close() {
      compare();
      for (int i = 0; i < explanations.length; i++) {
        Pair pair = pairs.get(i);
        boolean differs = false;
        Explanation whole = explanations[i][pair.compared.size()];
        if (whole != null) {
          differs = true;
          row(pair, null, object(0), object(pair.other), whole);
        }
        for (int c = 0; c < pair.compared.size(); c++) {
          Compared column = pair.compared.get(c);
          if (explanations[i][c] != null) {
            differs = true;
            if (!column.alike) {
              explanations[i][c].causes.add(Cause.DEFINITION);
            }
            row(
                pair,
                column.name,
                values[0][column.ours],
                values[pair.other][column.theirs],
                explanations[i][c]);
          }
        }
        if (differs) {
          tally.add(1, CELLS, rules.get(pair.other).version());
        }
      }
    }

    /** All columns of a version as an object, or null where it has no such cell. */
    private String object(int version) {
      if (values[version] == null) {
        return null;
      }
      JsonObject object = new JsonObject();
      for (int i = 0; i < values[version].length; i++) {
        Column column = columns.get(version).get(i);
        String value = values[version][i];
        if (value != null && column.type() == Type.LONG) {
          object.put(column.name(), Long.parseLong(value));
        } else {
          object.put(column.name(), value);
        }
      }
      return object.toString();
    }

    private void row(Pair pair, String column, String ours, String theirs, Explanation why) {
      if (why.causes.isEmpty()) {
        why.causes.add(Cause.DEFINITION);
      }
      String version = rules.get(pair.other).version();
      tally.add(1, ROWS, version);
      why.causes.forEach(cause -> tally.add(1, CAUSES, version, cause.key()));
      rows.accept(
          new Object[] {
            rules.get(0).name(),
            rules.get(0).version(),
            version,
            key,
            start,
            end,
            column,
            ours,
            theirs,
            why.causes.stream().map(Cause::key).toList(),
            why.events,
            why.count
          });
    }
  }

  /** Begins with a key. */
  public void begin(KeyReader group) {
    key = group.text();
    begun = false;
    byEnd.clear();
  }

  /** The next record. */
  public void next(int kind, KeyReader order, KeyReader body) {
    Instant nextStart = order.nullableInstant();
    order.octet();
    if (!begun || !Objects.equals(nextStart, start)) {
      close();
      begun = true;
      start = nextStart;
    }
    Instant end = order.nullableInstant();
    switch (kind) {
      case DiffRecords.CELL -> {
        int version = order.octet() << 8 | order.octet();
        String[] values = new String[columns.get(version).size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = body.nullableText();
        }
        byEnd.computeIfAbsent(end, Cell::new).values[version] = values;
      }
      case DiffRecords.EVENT -> {
        Cell cell = byEnd.get(end);
        if (cell != null) {
          cell.event(order.text(), body);
        }
      }
      default -> throw new IllegalStateException("[BUG] An unknown kind of record: " + kind);
    }
  }

  /** Ends the key. */
  public void end() {
    close();
  }

  private void close() {
    byEnd.values().forEach(Cell::close);
    byEnd.clear();
  }

  private static boolean same(String a, String b) {
    if (a == null || b == null || a.equals(b)) {
      return Objects.equals(a, b);
    }
    return isNumber(a) && isNumber(b) && CanonicalJson.number(a).equals(CanonicalJson.number(b));
  }

  private static boolean isNumber(String text) {
    return CanonicalJson.isNumber(text) && StrictJson.hasBoundedExponent(text);
  }
}
