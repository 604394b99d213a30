package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.Serializable;
import java.time.Duration;

/**
 * One version of a projection: what the live system makes of its events (spec section 5).
 *
 * @param name the projection
 * @param version the version
 * @param kind {@link #WINDOWED}, {@link #CURRENT}, or the name of an implementation found at run
 *     time
 * @param key what its cells are keyed by: a column, or a place in the payload
 * @param window how it divides time, or null where it does not
 * @param allowedLateness how long after its end a window is refined; zero where it has none
 * @param aggregates its columns by name, where it is windowed
 * @param value JSON Pointer into the payload to the value of {@code current}, or null
 * @param fields JSON Pointers into the payload to what an implementation found at run time reads
 * @param options what such an implementation is told, by name
 */
public record ProjectionRule(
    String name,
    String version,
    String kind,
    FieldRef key,
    WindowRule window,
    Duration allowedLateness,
    ImmutableMap<String, Aggregate> aggregates,
    String value,
    ImmutableList<String> fields,
    ImmutableMap<String, String> options)
    implements Serializable {

  /** Aggregates per key and window. */
  public static final String WINDOWED = "windowed";

  /** The active version per key. */
  public static final String CURRENT = "current";

  /** The column of recorded cells that holds the value of {@link #CURRENT}. */
  public static final String VALUE = "value";

  /** Whether its cells are windows. */
  public boolean windowed() {
    return kind.equals(WINDOWED);
  }

  /** The same rule as a version of another projection. */
  ProjectionRule withName(String newName) {
    return new ProjectionRule(
        newName, version, kind, key, window, allowedLateness, aggregates, value, fields, options);
  }

  /** Whether its cells are made by an implementation found at run time. */
  public boolean foundAtRunTime() {
    return !windowed() && !kind.equals(CURRENT);
  }

  /** Its name and version, as messages show them. */
  public String title() {
    return name + " version " + version;
  }
}
