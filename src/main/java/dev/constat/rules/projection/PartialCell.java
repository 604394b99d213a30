package dev.constat.rules.projection;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Ordering;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.spec.Aggregate;
import java.time.Instant;
import java.util.TreeSet;

/**
 * What is known of one cell: the contributions in force added up, the outcomes of its events
 * counted, its marks. Merging is associative, commutative and exact.
 */
final class PartialCell {

  /** Of so many contributing events, those with the smallest keys are kept by name. */
  static final int MAX_EVENTS = 1_000;

  private static final Ordering<Instant> LATEST = Ordering.<Instant>natural().nullsFirst();
  private static final Ordering<Place> SMALLEST = Ordering.<Place>natural().nullsLast();

  private final Accumulator[] columns;
  private final long[] outcomes = new long[Outcome.values().length];
  private final TreeSet<String> sequences = Texts.sorted();
  private final TreeSet<String> events = Texts.sorted();
  private final TreeSet<String> branches = Texts.sorted();
  private Window window;
  private long contributions;
  private int flags;
  private Instant lastReceived;
  private Place place;
  private int textWeight;

  /**
   * An empty one.
   *
   * @param window its window, or null where it has none
   */
  PartialCell(ImmutableMap<String, Aggregate> columns, Window window) {
    this.window = window;
    this.columns =
        columns.values().stream()
            .map(column -> Accumulator.of(column.function()))
            .toArray(Accumulator[]::new);
  }

  /** An event falls into it. */
  void outcome(Outcome outcome) {
    outcomes[outcome.ordinal()]++;
  }

  /** Contributes what an event has in each column. */
  void contribute(Projector projector, ProjectedEvent event, EventOrder order) {
    contributions++;
    place = SMALLEST.min(place, event.place());
    for (int i = 0; i < columns.length; i++) {
      if (!columns[i].add(projector.value(event, i), order)) {
        mark(CellFlag.INCOMPLETE);
      }
    }
  }

  /** Something happened to it when an event was received. */
  void touch(Instant receivedAt) {
    lastReceived = LATEST.max(lastReceived, receivedAt);
  }

  void mark(CellFlag flag) {
    flags |= flag.bit();
  }

  /** One of several values that have the same right to be the active one. */
  void branch(String value) {
    keep(branches, value == null ? CellValues.NULL : value, Accumulator.Head.MAX_CANDIDATES);
  }

  /** An event of a sequence is in it. */
  void sequence(String name) {
    keep(sequences, name, Integer.MAX_VALUE);
  }

  /** A contributing event, by name. */
  void event(String name) {
    keep(events, name, MAX_EVENTS);
  }

  private void keep(TreeSet<String> kept, String text, int limit) {
    int before = kept.size();
    Texts.keepSmallest(kept, text, limit);
    textWeight += (kept.size() - before) * (72 + text.length());
  }

  /** Takes in another part; where that contributes, the window becomes the span of both. */
  void merge(PartialCell other) {
    if (window != null && other.contributions > 0) {
      window =
          new Window(
              Ordering.natural().min(window.start(), other.window.start()),
              Ordering.natural().max(window.end(), other.window.end()));
    }
    contributions += other.contributions;
    for (int i = 0; i < outcomes.length; i++) {
      outcomes[i] += other.outcomes[i];
    }
    for (int i = 0; i < columns.length; i++) {
      columns[i].merge(other.columns[i]);
    }
    flags |= other.flags;
    lastReceived = LATEST.max(lastReceived, other.lastReceived);
    place = SMALLEST.min(place, other.place);
    other.branches.forEach(this::branch);
    other.sequences.forEach(this::sequence);
    other.events.forEach(this::event);
  }

  Window window() {
    return window;
  }

  /** How many contributions are in force; a cell without any is no cell. */
  long contributions() {
    return contributions;
  }

  long count(Outcome outcome) {
    return outcomes[outcome.ordinal()];
  }

  int flags() {
    return flags;
  }

  Instant lastReceived() {
    return lastReceived;
  }

  /** The smallest place of a contributing event, or null. */
  Place place() {
    return place;
  }

  Accumulator column(int index) {
    return columns[index];
  }

  int width() {
    return columns.length;
  }

  TreeSet<String> branches() {
    return branches;
  }

  TreeSet<String> sequences() {
    return sequences;
  }

  /** Contributing events by name, as far as they are kept; empty where nobody asks for them. */
  TreeSet<String> events() {
    return events;
  }

  /** About how many bytes it holds. */
  int weight() {
    int weight = 448 + textWeight;
    for (Accumulator column : columns) {
      weight += column.weight();
    }
    return weight;
  }

  /** Appends all but the start of its window. */
  void write(KeyWriter out) {
    if (window != null) {
      out.instant(window.end());
    }
    out.octet(flags).nullableInstant(lastReceived);
    for (long count : outcomes) {
      out.nullableSigned(count == 0 ? null : count);
    }
    out.nullableSigned(contributions == 0 ? null : contributions);
    if (contributions > 0) {
      place.write(out);
      for (Accumulator column : columns) {
        column.write(out);
      }
    }
    write(branches, out);
    write(sequences, out);
    write(events, out);
  }

  private static void write(TreeSet<String> texts, KeyWriter out) {
    out.nullableSigned(texts.isEmpty() ? null : (long) texts.size());
    texts.forEach(out::text);
  }

  /** Reads what {@link #write} wrote; {@code start} is null where there is no window. */
  static PartialCell read(ImmutableMap<String, Aggregate> columns, Instant start, KeyReader in) {
    Window window = start == null ? null : new Window(start, in.instant());
    PartialCell cell = new PartialCell(columns, window);
    cell.flags = in.octet();
    cell.lastReceived = in.nullableInstant();
    for (int i = 0; i < cell.outcomes.length; i++) {
      cell.outcomes[i] = count(in);
    }
    cell.contributions = count(in);
    if (cell.contributions > 0) {
      cell.place = Place.read(in);
      for (Accumulator column : cell.columns) {
        column.read(in);
      }
    }
    for (long left = count(in); left > 0; left--) {
      cell.branch(in.text());
    }
    for (long left = count(in); left > 0; left--) {
      cell.sequence(in.text());
    }
    for (long left = count(in); left > 0; left--) {
      cell.event(in.text());
    }
    return cell;
  }

  private static long count(KeyReader in) {
    Long count = in.nullableSigned();
    return count == null ? 0 : count;
  }
}
