package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Ordering;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.spec.WindowRule;
import dev.constat.rules.table.TableSchema.Column;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Folds the records of one key of one projection, in their order, into its cells and holds these
 * against the recorded ones: {@link #begin}, {@link #next} for every record, {@link #end}. One
 * window, or one session, is in memory at a time; a kind found at run time keeps what it likes.
 *
 * <p>A cell without a contribution in force is no cell: marks and counts alone make none. Sessions
 * that overlap are one; [a, b) and [b, c) are two. An event that counts but does not contribute
 * counts in the session that it happened in, if any.
 */
public final class CellFold {

  private static final Ordering<Instant> LATEST = Ordering.<Instant>natural().nullsFirst();

  private final Gaps gaps;
  private final CellLedger ledger;
  private final List<Rule> rules;

  private Rule rule;
  private String key;
  private boolean begun;
  private Instant start;
  private PartialCell part;
  private RecordedRows recorded;
  private RecordedCell previous;
  private Session session;
  private Extension extension;

  /** A rule with what follows from it alone. */
  private record Rule(
      int index, Projector projector, ImmutableList<Column> columns, CellJudge judge) {}

  /**
   * A fold.
   *
   * @param projectors of all rules, in the order of the run spec
   */
  public CellFold(ImmutableList<Projector> projectors, Gaps gaps, CellLedger ledger) {
    this.gaps = gaps;
    this.ledger = ledger;
    ImmutableList.Builder<Rule> known = ImmutableList.builder();
    for (int i = 0; i < projectors.size(); i++) {
      ImmutableList<Column> columns = ProjectionTables.columns(projectors.get(i).rule());
      CellJudge judge = new CellJudge(i, projectors.get(i).rule(), columns, ledger);
      known.add(new Rule(i, projectors.get(i), columns, judge));
    }
    this.rules = known.build();
  }

  /** Begins with a group. */
  public void begin(KeyReader group) {
    int index = group.octet() << 8 | group.octet();
    rule = index == CellRecords.UNKNOWN_RULE ? null : rules.get(index);
    if (rule == null) {
      group.nullableText();
      group.nullableText();
    }
    key = group.nullableText();
    begun = false;
    part = null;
    recorded = null;
    previous = null;
    session = null;
    extension = null;
    if (rule != null) {
      rule.judge.begin();
    }
  }

  /** The next record. */
  public void next(int kind, KeyReader order, KeyReader body) {
    Instant nextStart = order.nullableInstant();
    order.octet();
    if (!begun || !Objects.equals(nextStart, start)) {
      endOfStart();
      begun = true;
      start = nextStart;
    }
    switch (kind) {
      case CellRecords.PARTIAL -> {
        PartialCell next = PartialCell.read(rule.projector.columns(), start, body);
        if (part == null) {
          part = next;
        } else {
          part.merge(next);
        }
      }
      case CellRecords.EVENT -> {
        extension = extension == null ? new Extension() : extension;
        extension.next(order, body);
      }
      case CellRecords.RECORDED -> recorded(RecordedCell.read(body));
      default -> throw new IllegalStateException("[BUG] An unknown kind of record: " + kind);
    }
  }

  /** Ends the group. */
  public void end() {
    endOfStart();
    if (session != null) {
      session.end();
    }
    if (extension != null) {
      extension.end();
    }
  }

  private void recorded(RecordedCell row) {
    boolean copy = row.copies(previous);
    previous = row;
    ledger.recorded(copy);
    if (copy) {
      return;
    }
    if (rule == null) {
      ledger.notJudged(Kind.PROJECTION_DRIFT, "the run spec has no such projection and version");
    } else if (!row.windowStart().known() && !rule.projector.current()) {
      // Rows of different windows meet here, so each counts by itself; they come before all others.
      rule.judge.unplaced();
      rule.judge.unexpected(row, ImmutableSortedSet.of(), null);
      return;
    }
    recorded = recorded == null ? new RecordedRows() : recorded;
    recorded.next(row);
  }

  private void endOfStart() {
    if (!begun) {
      return;
    }
    RecordedCell latest = recorded == null ? null : recorded.end(ledger);
    PartialCell at = part;
    if (at != null && at.window() != null) {
      ledger.outcomes(
          rule.index,
          at.count(Outcome.ON_TIME),
          at.count(Outcome.REFINES),
          at.count(Outcome.TOO_LATE));
    }
    part = null;
    recorded = null;
    if (rule == null) {
      return;
    }
    if (rule.projector.extended()) {
      extension = extension == null ? new Extension() : extension;
      extension.at(at, latest);
    } else if (rule.projector.rule().window() instanceof WindowRule.Session) {
      session = session == null ? new Session() : session;
      session.at(at, latest);
    } else {
      close(at, latest, at == null ? 0 : at.flags());
    }
  }

  /** Makes a cell of what is known of it, if it is one, and judges it. */
  private void close(PartialCell partial, RecordedCell latest, int flags) {
    if (partial == null || partial.contributions() == 0) {
      if (latest != null) {
        Instant received = partial == null ? null : partial.lastReceived();
        rule.judge.unexpected(latest, CellFlag.of(flags), received);
      }
      return;
    }
    Cell cell = cell(partial, flags);
    write(cell);
    judge(cell, latest);
  }

  private void write(Cell cell) {
    ledger.cell(cell, cell.row(rule.columns, rule.projector.rule().windowed()));
  }

  private void judge(Cell cell, RecordedCell latest) {
    if (latest == null) {
      rule.judge.missing(cell);
    } else {
      rule.judge.both(cell, latest);
    }
  }

  private Cell cell(PartialCell partial, int marks) {
    boolean current = partial.window() == null;
    String[] values = new String[partial.width()];
    ImmutableList.Builder<String> candidates = ImmutableList.builder();
    int flags = marks;
    for (int i = 0; i < values.length; i++) {
      values[i] = partial.column(i).result();
      TreeSet<String> several = partial.column(i).candidates();
      boolean forked = current && CellFlag.AMBIGUOUS.in(marks);
      if (forked) {
        several.addAll(partial.branches());
      }
      if (!forked && several.size() < 2) {
        continue;
      }
      values[i] = null;
      flags |= CellFlag.AMBIGUOUS.bit();
      String name = current ? "" : rule.columns.get(i).name() + "=";
      several.stream()
          .limit(Accumulator.Head.MAX_CANDIDATES)
          .forEach(value -> candidates.add(name + CellValues.shown(value)));
    }
    if (hasGap(partial)) {
      flags |= CellFlag.INCOMPLETE.bit();
    }
    return new Cell(
        rule.index,
        key,
        partial.window(),
        Collections.unmodifiableList(Arrays.asList(values)),
        partial.count(Outcome.ON_TIME),
        partial.count(Outcome.REFINES),
        partial.count(Outcome.TOO_LATE),
        CellFlag.of(flags),
        candidates.build(),
        partial.contributions(),
        partial.lastReceived(),
        partial.events(),
        partial.place());
  }

  private boolean hasGap(PartialCell partial) {
    Window window = partial.window();
    return window != null
        && partial.sequences().stream()
            .anyMatch(sequence -> gaps.meets(sequence, window.start(), window.end()));
  }

  /** Merges what overlaps, in the order of starts. */
  private final class Session {

    private PartialCell open;
    private RecordedCell openRecorded;
    private int openFlags;
    private final Map<CellFlag, Instant> markedUntil = new HashMap<>();

    /** Everything that begins at one instant. */
    void at(PartialCell at, RecordedCell latest) {
      boolean inside = open != null && start != null && start.isBefore(open.window().end());
      boolean contributes = at != null && at.contributions() > 0;
      if (!inside && contributes) {
        end();
        open = at;
        openRecorded = latest;
        openFlags = at.flags() | marksUntil(start);
        return;
      }
      if (inside && at != null) {
        openFlags |= at.flags();
        open.merge(at);
      }
      if (at != null && !contributes) {
        CellFlag.of(at.flags())
            .forEach(flag -> markedUntil.merge(flag, at.window().end(), LATEST::max));
      }
      if (latest != null) {
        int flags = at == null ? 0 : at.flags();
        rule.judge.unexpected(latest, CellFlag.of(inside ? openFlags : flags), null);
      }
    }

    /** The marks on a session that begins, of events before it that it overlaps. */
    private int marksUntil(Instant begins) {
      int bits = 0;
      for (CellFlag flag : CellFlag.values()) {
        Instant until = markedUntil.get(flag);
        bits |= until != null && until.isAfter(begins) ? flag.bit() : 0;
      }
      return bits;
    }

    void end() {
      if (open != null) {
        close(open, openRecorded, openFlags);
        open = null;
      }
    }
  }

  /** Hands the contributions of a key to an implementation found at run time. */
  private final class Extension {

    private final TreeMap<Instant, Cell> cells =
        new TreeMap<>(Ordering.<Instant>natural().nullsFirst());
    private Projection.Fold fold;
    private PartialCell marks;

    void next(KeyReader order, KeyReader body) {
      if (fold == null) {
        fold =
            Projections.named(rule.projector.rule().kind()).begin(rule.projector.rule().options());
      }
      EventOrder standing = EventOrder.read(order);
      String event = order.text();
      ImmutableList<String> pointers = rule.projector.rule().fields();
      String[] values = new String[pointers.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = body.nullableText();
      }
      fold.next(new Contributed(event, standing, pointers, Arrays.asList(values)));
    }

    /** The recorded cell of a start; what the rules make is known from the first one on. */
    void at(PartialCell at, RecordedCell latest) {
      if (at != null) {
        marks = at;
      }
      if (fold != null) {
        results(fold.end());
        fold = null;
      }
      if (latest == null) {
        return;
      }
      Cell cell = cells.remove(start);
      if (cell == null) {
        rule.judge.unexpected(
            latest,
            CellFlag.of(marks == null ? 0 : marks.flags()),
            marks == null ? null : marks.lastReceived());
      } else {
        rule.judge.both(cell, latest);
      }
    }

    private void results(List<Projection.Result> results) {
      for (Projection.Result result : results) {
        Cell cell = cell(result);
        Instant begins = result.window() == null ? null : result.window().start();
        if (cells.put(begins, cell) != null) {
          throw new IllegalStateException(
              "Kind %s makes two rows of one window".formatted(rule.projector.rule().kind()));
        }
      }
      cells.values().forEach(CellFold.this::write);
    }

    private Cell cell(Projection.Result result) {
      String[] values = new String[rule.columns.size()];
      for (int i = 0; i < values.length; i++) {
        Object value = result.values().get(i);
        values[i] = value instanceof String text ? RecordedCell.quoted(text) : null;
        values[i] = value instanceof Long number ? number.toString() : values[i];
      }
      return new Cell(
          rule.index,
          key,
          result.window(),
          Collections.unmodifiableList(Arrays.asList(values)),
          0,
          0,
          0,
          CellFlag.of(marks.flags()),
          ImmutableList.of(),
          marks.contributions(),
          marks.lastReceived(),
          marks.events(),
          marks.place());
    }

    void end() {
      cells.values().forEach(rule.judge::missing);
    }
  }

  /** A contribution as an implementation sees it. */
  private record Contributed(
      String event, EventOrder order, ImmutableList<String> pointers, List<String> values)
      implements Projection.Contribution {

    @Override
    public String value(String pointer) {
      int index = pointers.indexOf(pointer);
      if (index < 0) {
        throw new IllegalArgumentException("The fields of the projection lack " + pointer);
      }
      return values.get(index);
    }
  }
}
