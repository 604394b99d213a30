package dev.constat.rules.projection;

import dev.constat.rules.spec.ProjectionRule;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The kinds of projections that are found at run time. */
public final class Projections {

  private Projections() {}

  /**
   * The implementation of a kind.
   *
   * @throws IllegalArgumentException if there is none, or two of a name; the message lists what
   *     there is
   */
  public static Projection named(String kind) {
    TreeMap<String, Projection> found = new TreeMap<>();
    for (Projection projection : ServiceLoader.load(Projection.class)) {
      Projection other = found.put(projection.kind(), projection);
      if (other != null) {
        throw new IllegalArgumentException(
            "Two kinds of projections are named %s: %s and %s"
                .formatted(
                    projection.kind(),
                    other.getClass().getName(),
                    projection.getClass().getName()));
      }
    }
    Projection projection = found.get(kind);
    if (projection == null) {
      throw new IllegalArgumentException(
          "There is no projection of kind %s; built in: %s, %s; found: %s"
              .formatted(
                  kind,
                  ProjectionRule.WINDOWED,
                  ProjectionRule.CURRENT,
                  found.isEmpty() ? "none" : String.join(", ", found.keySet())));
    }
    return projection;
  }
}
