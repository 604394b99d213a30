package dev.constat.rules.projection;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Adds events up to cells before cells are grouped, in bounded memory: an event becomes a record of
 * its own only where an implementation found at run time wants to see it. Whatever the limits and
 * the order of calls, {@link CellFold} makes the same cells of the records.
 *
 * <p>Sessions are added up by the window that an event would have to itself; overlapping ones are
 * merged in the fold. Not safe for use by several threads.
 */
public final class PartialCells {

  private final ImmutableList<Projector> projectors;
  private final Limits limits;
  private final Predicate<String> gaps;
  private final IntPredicate provenance;
  private final CellSink sink;
  private final HashMap<Address, PartialCell> cells = new HashMap<>();
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();
  private long bytes;

  /**
   * How much is held before it is handed on.
   *
   * @param cells at most so many cells
   * @param bytes at most about so many bytes
   */
  public record Limits(int cells, long bytes) {}

  /** Where a cell stands; {@code start} is null where it has no window. */
  private record Address(int rule, String key, Instant start) {

    // What the compiler makes of a record is slow where it is asked for each event.
    @Override
    public boolean equals(Object other) {
      return other instanceof Address address
          && rule == address.rule
          && key.equals(address.key)
          && Objects.equals(start, address.start);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * rule + key.hashCode()) + Objects.hashCode(start);
    }
  }

  /**
   * Adds up for the rules of a run.
   *
   * @param projectors of all rules, in the order of the run spec
   * @param gaps which sequences have gaps that make cells INCOMPLETE
   * @param provenance of which rules the contributing events are kept by name, because recorded
   *     cells say what they consumed
   */
  public PartialCells(
      ImmutableList<Projector> projectors,
      Limits limits,
      Predicate<String> gaps,
      IntPredicate provenance,
      CellSink sink) {
    Preconditions.checkArgument(
        projectors.size() < CellRecords.UNKNOWN_RULE,
        "Too many projections: %s, must be fewer than %s",
        projectors.size(),
        CellRecords.UNKNOWN_RULE);
    this.projectors = projectors;
    this.limits = limits;
    this.gaps = gaps;
    this.provenance = provenance;
    this.sink = sink;
  }

  /**
   * Takes an accepted event in whose contribution is in force and that nothing corrects: {@link
   * #outcomes} and {@link #contribute} in one.
   *
   * @return its windows with their outcomes; none where it is not projected, or has no windows
   */
  public ImmutableList<Placement> accept(int rule, ProjectedEvent event) {
    return take(rule, event, !event.withdrawn());
  }

  /**
   * Counts the outcomes of an accepted event in its windows, be it in force or not.
   *
   * @return its windows with their outcomes; none where it is not projected, or has no windows
   */
  public ImmutableList<Placement> outcomes(int rule, ProjectedEvent event) {
    return take(rule, event, false);
  }

  private ImmutableList<Placement> take(int rule, ProjectedEvent event, boolean contributes) {
    Projector projector = projectors.get(rule);
    if (!projector.projects(event)) {
      return ImmutableList.of();
    }
    ImmutableList<Placement> placements = projector.placements(event);
    for (Placement placement : placements) {
      PartialCell cell = cell(rule, event, placement.window());
      long before = cell.weight();
      cell.outcome(placement.outcome());
      if (contributes && placement.outcome() != Outcome.TOO_LATE) {
        add(cell, rule, event, event.order());
      }
      touch(cell, event);
      grown(cell.weight() - before);
    }
    if (projector.rule().window() == null) {
      touch(cell(rule, event, null), event);
      if (contributes) {
        withoutWindow(rule, event, event.order());
      }
    }
    return placements;
  }

  /**
   * Adds what an event contributes to the windows for which it is not TOO_LATE.
   *
   * @param at where it stands in the order of {@code current}: where the root of its chain does
   */
  public void contribute(int rule, ProjectedEvent event, EventOrder at) {
    Projector projector = projectors.get(rule);
    if (!contributes(projector, event)) {
      return;
    }
    for (Placement placement : projector.placements(event)) {
      if (placement.outcome() != Outcome.TOO_LATE) {
        add(rule, event, placement.window(), at);
      }
    }
    withoutWindow(rule, event, at);
  }

  /** Adds what an event contributes to all its windows, TOO_LATE or not. */
  public void contributeEverywhere(int rule, ProjectedEvent event, EventOrder at) {
    Projector projector = projectors.get(rule);
    if (!contributes(projector, event)) {
      return;
    }
    for (Window window : projector.windows(event)) {
      add(rule, event, window, at);
    }
    withoutWindow(rule, event, at);
  }

  /** A withdrawal adds nothing. */
  private static boolean contributes(Projector projector, ProjectedEvent event) {
    return projector.projects(event) && !event.withdrawn();
  }

  private void withoutWindow(int rule, ProjectedEvent event, EventOrder at) {
    Projector projector = projectors.get(rule);
    if (projector.rule().window() == null) {
      add(rule, event, null, at);
      if (projector.extended()) {
        append(rule, event, at);
      }
    }
  }

  private void add(int rule, ProjectedEvent event, Window window, EventOrder at) {
    PartialCell cell = cell(rule, event, window);
    long before = cell.weight();
    add(cell, rule, event, at);
    touch(cell, event);
    grown(cell.weight() - before);
  }

  private void add(PartialCell cell, int rule, ProjectedEvent event, EventOrder at) {
    cell.contribute(projectors.get(rule), event, at);
    if (provenance.test(rule)) {
      cell.event(event.event());
    }
  }

  /**
   * Marks the cells that an event touches, fit or not: those of all its windows, or of its key. Of
   * an AMBIGUOUS event, the value is a candidate for the active one.
   */
  public void mark(int rule, ProjectedEvent event, CellFlag flag) {
    Projector projector = projectors.get(rule);
    if (projector.key(event) == null) {
      return;
    }
    for (Window window : projector.windows(event)) {
      cell(rule, event, window).mark(flag);
    }
    if (projector.rule().window() == null) {
      PartialCell cell = cell(rule, event, null);
      long before = cell.weight();
      cell.mark(flag);
      touch(cell, event);
      if (flag == CellFlag.AMBIGUOUS && cell.width() > 0) {
        cell.branch(projector.value(event, 0));
      }
      grown(cell.weight() - before);
    }
  }

  private void touch(PartialCell cell, ProjectedEvent event) {
    if (cell.window() == null) {
      cell.touch(event.receivedAt());
      return;
    }
    String sequence = event.order().sequence();
    if (sequence != null && gaps.test(sequence)) {
      cell.sequence(sequence);
    }
  }

  /** Hands everything on that is held. */
  public void flush() {
    List<Held> sorted = new ArrayList<>(cells.size());
    for (Map.Entry<Address, PartialCell> entry : cells.entrySet()) {
      sorted.add(new Held(entry.getKey(), entry.getValue(), position(entry.getKey())));
    }
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.position, b.position));
    for (Held held : sorted) {
      position(held.address);
      held.cell.write(body.clear());
      sink.append(group, order, CellRecords.PARTIAL, body);
    }
    cells.clear();
    bytes = 0;
  }

  /** Something held, with the bytes that it is sorted by. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
  private record Held(Address address, PartialCell cell, byte[] position) {}

  private byte[] position(Address address) {
    CellRecords.group(group, address.rule).nullableText(address.key);
    CellRecords.order(order, address.start, CellRecords.PARTIAL);
    body.clear().raw(group.buffer(), 0, group.size()).raw(order.buffer(), 0, order.size());
    return body.toBytes();
  }

  private void append(int rule, ProjectedEvent event, EventOrder at) {
    Projector projector = projectors.get(rule);
    CellRecords.group(group, rule).nullableText(projector.key(event));
    CellRecords.order(order, null, CellRecords.EVENT);
    at.write(order);
    order.text(event.event());
    body.clear();
    projector.fields(event).forEach(body::nullableText);
    sink.append(group, order, CellRecords.EVENT, body);
  }

  /** The cell of an event in a window, or in none; there is room for it. */
  private PartialCell cell(int rule, ProjectedEvent event, Window window) {
    Projector projector = projectors.get(rule);
    String key = projector.key(event);
    Address address = new Address(rule, key, window == null ? null : window.start());
    PartialCell cell = cells.get(address);
    if (cell == null) {
      if (cells.size() >= limits.cells || bytes >= limits.bytes) {
        flush();
      }
      cell = new PartialCell(projector.columns(), window);
      cells.put(address, cell);
      bytes += cell.weight() + 128L + key.length();
    }
    return cell;
  }

  private void grown(long by) {
    bytes += by;
    if (bytes > limits.bytes) {
      flush();
    }
  }
}
