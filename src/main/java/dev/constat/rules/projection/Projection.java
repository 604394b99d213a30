package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.table.TableSchema.Column;
import java.time.Instant;
import java.util.List;

/**
 * A kind of projection beside {@code windowed} and {@code current}, found at run time: a class with
 * a constructor without parameters that {@code META-INF/services} names under this interface. A run
 * spec asks for it by {@link #kind}, says which fields of the payload it reads ({@code fields}) and
 * what else it is told ({@code options}).
 *
 * <p>Answers depend on nothing but what is handed in: no clock, no chance, no input or output.
 */
public interface Projection {

  /** The name that run specs ask for it by. */
  String kind();

  /**
   * The version of its computation. The id of a run follows from it, so a change of what comes out
   * must change it.
   */
  default String version() {
    return "1";
  }

  /**
   * The columns that it computes, of type TEXT or LONG.
   *
   * @throws IllegalArgumentException if it cannot make anything of the options; the message says
   *     what they may be
   */
  ImmutableList<Column> columns(ImmutableMap<String, String> options);

  /** Begins with the contributions of a key. */
  Fold begin(ImmutableMap<String, String> options);

  /** Makes rows of the contributions of one key. */
  interface Fold {

    /**
     * The next contribution in force. Those of one documented sequence come in its order, those of
     * none by occurred_at; where a key has several sequences, one comes after the other, by name.
     */
    void next(Contribution contribution);

    /** The rows of the key, at most one per window start; none where it has nothing to say. */
    List<Result> end();
  }

  /** A contribution in force. */
  interface Contribution {

    /** Canonical text of the event's key. */
    String event();

    /** Where it stands: of a correction, where the root of its chain does. */
    EventOrder order();

    /** When that happened. */
    default Instant occurredAt() {
      return order().occurredAt();
    }

    /**
     * What the event has at one of the fields that the run spec names: canonical JSON, or null
     * where nothing is there.
     *
     * @throws IllegalArgumentException if the run spec does not name it
     */
    String value(String pointer);
  }

  /**
   * A row.
   *
   * @param window its window, or null where the projection has none
   * @param values one per column: a {@link String}, a {@link Long}, or null
   */
  record Result(Window window, List<Object> values) {}
}
