package dev.constat.rules.diff;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.projection.CellSink;
import dev.constat.rules.projection.EventOrder;
import dev.constat.rules.projection.Outcome;
import dev.constat.rules.projection.Placement;
import dev.constat.rules.projection.ProjectedEvent;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.projection.UsableValue;
import dev.constat.rules.projection.Window;
import dev.constat.rules.spec.Aggregate;
import dev.constat.rules.spec.ProjectedFields;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.WindowRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Sends what the comparison of versions needs: every cell, and every event that does not count
 * alike in all versions. How the records are laid out that meet in {@link DiffFold}:
 *
 * <pre>
 * group  business_key
 * order  window_start, kind (1 octet), window_end, what orders the records of that kind
 *        CELL    version (2 octets)
 *        EVENT   event, session (2 octets)
 * body   CELL    the columns of the version, as text
 *        EVENT   per version its standing (1 octet), then whether each column uses its value
 * </pre>
 *
 * <p>Versions stand by their place among the rules. Where a session begins and ends is only known
 * with its cell: of an event that counts in one, the window is the one that it would have to
 * itself, and session is 1 + the version, else 0. {@link SessionPlaces} puts it where it belongs.
 */
public final class DiffRecords {

  /** A cell. */
  public static final int CELL = 0;

  /** An event that does not count alike in all versions. */
  public static final int EVENT = 1;

  private final RunSpec spec;
  private final CellSink sink;
  private final ImmutableList<Projector> projectors;
  private final ImmutableList<ProjectionRule> rules;
  private final List<Uses[]> uses = new ArrayList<>();
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  /** What a version does with a value: by which function, and where among those of an event. */
  private record Uses(Aggregate.Function function, int field) {}

  /** Where a cell stands. */
  private record Address(String key, Window window) {}

  /** What a version makes of an event; key is null where it is not projected. */
  private record View(
      String key, Hold hold, boolean session, boolean outside, List<Placement> places) {

    /** What becomes of it in a window that it falls into. */
    Standing in(Outcome outcome) {
      return switch (hold) {
        case EVERYWHERE -> Standing.COUNTS;
        case IN_TIME -> outcome == Outcome.TOO_LATE ? Standing.TOO_LATE : Standing.COUNTS;
        case TOO_LATE -> Standing.TOO_LATE;
        case NOT_IN_FORCE -> Standing.NOT_IN_FORCE;
      };
    }

    /** How it stands to a session of another version, before that is where it belongs. */
    Standing inSession(Address address) {
      Standing standing = at(address);
      boolean windowed = !session && standing != Standing.NOT_PROJECTED;
      // What it is in a window of the same bounds is said with that window.
      return windowed && standing != Standing.OTHER_KEY ? Standing.OTHER_WINDOW : standing;
    }

    Standing at(Address address) {
      if (key == null) {
        return Standing.NOT_PROJECTED;
      }
      if (!key.equals(address.key)) {
        return Standing.OTHER_KEY;
      }
      if (outside || places.isEmpty()) {
        return Standing.OTHER_WINDOW;
      }
      if (session && address.window != null) {
        Standing own = in(places.get(0).outcome());
        return own == Standing.COUNTS ? Standing.COUNTS_IN_SESSION : own;
      }
      for (Placement place : places) {
        if (Objects.equals(place.window(), address.window)) {
          return in(place.outcome());
        }
      }
      return Standing.OTHER_WINDOW;
    }
  }

  /**
   * Sends the records of a run.
   *
   * @param sink takes them, or null where the run compares no versions; then there are none
   */
  public DiffRecords(RunSpec spec, CellSink sink) {
    this.spec = spec;
    this.sink = sink;
    this.rules = spec.projections();
    this.projectors = Projector.all(rules);
    if (sink != null) {
      ProjectedFields fields = spec.projectedFields();
      ImmutableList<String> columns = DiffTables.names(rules.get(0));
      rules.forEach(rule -> uses.add(uses(rule, columns, fields)));
    }
  }

  private static Uses[] uses(
      ProjectionRule rule, ImmutableList<String> columns, ProjectedFields fields) {
    Uses[] uses = new Uses[columns.size()];
    for (int i = 0; i < uses.length; i++) {
      Aggregate aggregate = Definitions.of(rule, columns.get(i));
      if (aggregate != null && aggregate.function() != Aggregate.Function.COUNT) {
        uses[i] = new Uses(aggregate.function(), fields.indexOf(aggregate.pointer()));
      }
    }
    return uses;
  }

  /**
   * Sends a cell.
   *
   * @param row as its table has it
   */
  public void cell(int rule, Object[] row) {
    if (sink == null) {
      return;
    }
    group.clear().text((String) row[0]);
    order((Instant) row[1], CELL, (Instant) row[2]).octet(rule >>> 8).octet(rule);
    body.clear();
    int width = DiffTables.computed(rules.get(rule)).size();
    for (int i = 0; i < width; i++) {
      Object value = row[DiffTables.BEFORE + i];
      body.nullableText(value == null ? null : value.toString());
    }
    sink.append(group, order, CELL, body);
  }

  /**
   * Sends an event to every cell in which it does not count alike in all versions.
   *
   * @param at where it stands in the order of {@code current}
   * @param holds what corrections leave of it, by version
   */
  public void event(ProjectedEvent event, EventOrder at, IntFunction<Hold> holds) {
    if (sink == null || event.withdrawn()) {
      return;
    }
    List<View> views = new ArrayList<>(rules.size());
    for (int rule = 0; rule < rules.size(); rule++) {
      views.add(view(rule, event, at, holds.apply(rule)));
    }
    Set<Address> addresses = new LinkedHashSet<>();
    for (View view : views) {
      if (view.key != null && !view.session) {
        view.places.forEach(place -> addresses.add(new Address(view.key, place.window())));
      }
    }
    addresses.forEach(address -> send(event, views, address, 0));
    for (int rule = 0; rule < rules.size(); rule++) {
      View view = views.get(rule);
      if (view.key != null && view.session && !view.places.isEmpty()) {
        Placement place = view.places.get(0);
        if (view.in(place.outcome()) == Standing.COUNTS) {
          send(event, views, new Address(view.key, place.window()), rule + 1);
        }
      }
    }
  }

  private View view(int rule, ProjectedEvent event, EventOrder at, Hold hold) {
    Projector projector = projectors.get(rule);
    WindowRule windows = projector.rule().window();
    return new View(
        projector.projects(event) ? projector.key(event) : null,
        hold,
        windows instanceof WindowRule.Session,
        !spec.considers(projector.rule(), at.occurredAt()),
        windows == null
            ? List.of(new Placement(null, Outcome.ON_TIME))
            : projector.placements(event));
  }

  private void send(ProjectedEvent event, List<View> views, Address address, int session) {
    Standing[] standings = new Standing[views.size()];
    boolean counts = false;
    for (int i = 0; i < standings.length; i++) {
      View view = views.get(i);
      standings[i] = session == 0 ? view.at(address) : view.inSession(address);
      counts |= standings[i].mayCount();
    }
    boolean alike = session == 0;
    for (int i = 1; i < standings.length && alike; i++) {
      alike =
          standings[0].mayCount() == standings[i].mayCount()
              && standings[0] != Standing.COUNTS_IN_SESSION
              && standings[i] != Standing.COUNTS_IN_SESSION
              && usesAlike(event, i);
    }
    if (!counts || alike) {
      return;
    }
    Instant start = address.window == null ? null : address.window.start();
    Instant end = address.window == null ? null : address.window.end();
    group.clear().text(address.key);
    order(start, EVENT, end).text(event.event()).octet(session >>> 8).octet(session);
    body.clear();
    for (int rule = 0; rule < standings.length; rule++) {
      body.octet(standings[rule].ordinal());
      for (int column = 0; column < uses.get(rule).length; column++) {
        body.bool(uses(event, rule, column));
      }
    }
    sink.append(group, order, EVENT, body);
  }

  private boolean usesAlike(ProjectedEvent event, int rule) {
    for (int column = 0; column < uses.get(0).length; column++) {
      if (uses(event, 0, column) != uses(event, rule, column)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a version makes something of what an event has for a column. */
  private boolean uses(ProjectedEvent event, int rule, int column) {
    Uses use = uses.get(rule)[column];
    return use == null || UsableValue.of(use.function, event.values().get(use.field));
  }

  private KeyWriter order(Instant start, int kind, Instant end) {
    return order(order, start, kind, end);
  }

  /** Begins the order of a record. */
  static KeyWriter order(KeyWriter out, Instant start, int kind, Instant end) {
    return out.clear().nullableInstant(start).octet(kind).nullableInstant(end);
  }
}
