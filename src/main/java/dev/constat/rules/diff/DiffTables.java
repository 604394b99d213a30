package dev.constat.rules.diff;

import static dev.constat.rules.disclosure.Disclosure.HASHED;
import static dev.constat.rules.disclosure.Disclosure.KEPT;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.projection.ProjectionTables;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;

/** The table of differences between versions, and which columns are compared. */
public final class DiffTables {

  /**
   * One row per column that differs, and per cell that one of two versions lacks: {@code column} is
   * then null and the value of the side that has it a JSON object of all its columns.
   */
  public static final TableSchema PROJECTION_DIFF =
      TableSchema.of(
          "projection-diff",
          new Column("projection", Type.TEXT).as(KEPT),
          new Column("version_a", Type.TEXT).as(KEPT),
          new Column("version_b", Type.TEXT).as(KEPT),
          new Column("business_key", Type.TEXT).as(HASHED),
          new Column("window_start", Type.TIME).as(KEPT),
          new Column("window_end", Type.TIME).as(KEPT),
          new Column("column", Type.TEXT).as(KEPT),
          new Column("value_a", Type.TEXT).as(HASHED),
          new Column("value_b", Type.TEXT).as(HASHED),
          new Column("causes", Type.TEXTS).as(KEPT),
          new Column("events", Type.TEXTS).as(HASHED),
          new Column("event_count", Type.LONG).as(KEPT));

  /** Columns of a table of cells before those that its rule computes. */
  static final int BEFORE = 3;

  private static final int BEHIND = 5;

  private DiffTables() {}

  /** The columns that a rule computes. */
  static ImmutableList<Column> computed(ProjectionRule rule) {
    ImmutableList<Column> all = ProjectionTables.of(rule).columns();
    return all.subList(BEFORE, all.size() - BEHIND);
  }

  /** The columns that only one of two versions computes, so that they are not compared. */
  public static ImmutableList<String> notCompared(ProjectionRule a, ProjectionRule b) {
    ImmutableList<String> ofA = names(a);
    ImmutableList<String> ofB = names(b);
    return ImmutableList.<String>builder()
        .addAll(ofA.stream().filter(name -> !ofB.contains(name)).toList())
        .addAll(ofB.stream().filter(name -> !ofA.contains(name)).toList())
        .build();
  }

  static ImmutableList<String> names(ProjectionRule rule) {
    return computed(rule).stream().map(Column::name).collect(ImmutableList.toImmutableList());
  }
}
