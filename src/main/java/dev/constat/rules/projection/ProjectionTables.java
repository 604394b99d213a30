package dev.constat.rules.projection;

import static dev.constat.rules.disclosure.Disclosure.HASHED;
import static dev.constat.rules.disclosure.Disclosure.KEPT;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Disclosure;
import dev.constat.rules.spec.Aggregate;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.rules.table.Tables;
import java.util.HashSet;
import java.util.Set;

/** The tables of cells, one per version of a projection (spec section 9). */
public final class ProjectionTables {

  private static final ImmutableList<Column> BEFORE =
      ImmutableList.of(
          new Column("business_key", Type.TEXT).as(HASHED),
          new Column("window_start", Type.TIME).as(KEPT),
          new Column("window_end", Type.TIME).as(KEPT));

  private static final ImmutableList<Column> BEHIND =
      ImmutableList.of(
          new Column("on_time", Type.LONG).as(KEPT),
          new Column("refined", Type.LONG).as(KEPT),
          new Column("too_late", Type.LONG).as(KEPT),
          new Column("flags", Type.TEXTS).as(KEPT),
          new Column("candidates", Type.TEXTS).as(HASHED));

  private ProjectionTables() {}

  /**
   * The table of a rule's cells.
   *
   * @throws IllegalArgumentException if a column has the name of another, or no implementation of
   *     the rule's kind is found
   */
  public static TableSchema of(ProjectionRule rule) {
    ImmutableList<Column> columns =
        ImmutableList.<Column>builder().addAll(BEFORE).addAll(columns(rule)).addAll(BEHIND).build();
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      Preconditions.checkArgument(
          names.add(column.name()), "%s has two columns %s", rule.title(), column.name());
    }
    return new TableSchema("projections/" + rule.name() + "/version=" + rule.version(), columns);
  }

  /** The columns that a rule computes. */
  static ImmutableList<Column> columns(ProjectionRule rule) {
    if (rule.kind().equals(ProjectionRule.CURRENT)) {
      return ImmutableList.of(column(Projector.VALUE, Type.TEXT, HASHED));
    }
    if (!rule.windowed()) {
      return extended(rule);
    }
    ImmutableList.Builder<Column> columns = ImmutableList.builder();
    rule.aggregates()
        .forEach(
            (name, aggregate) -> columns.add(column(name, type(aggregate), disclosure(aggregate))));
    return columns.build();
  }

  private static ImmutableList<Column> extended(ProjectionRule rule) {
    ImmutableList.Builder<Column> columns = ImmutableList.builder();
    for (Column column : Projections.named(rule.kind()).columns(rule.options())) {
      Preconditions.checkArgument(
          column.type() == Type.TEXT || column.type() == Type.LONG,
          "Column %s of kind %s is %s, must be TEXT or LONG",
          column.name(),
          rule.kind(),
          column.type());
      columns.add(column(column.name(), column.type(), column.disclosure()));
    }
    return columns.build();
  }

  private static Type type(Aggregate aggregate) {
    return switch (aggregate.function()) {
      case COUNT, DISTINCT -> Type.LONG;
      case SUM, MIN, MAX, FIRST, LAST -> Type.TEXT;
    };
  }

  /**
   * Counts may be shown. A sum, a smallest or a last value is often that of a single event, and so
   * as telling as its payload.
   */
  private static Disclosure disclosure(Aggregate aggregate) {
    return switch (aggregate.function()) {
      case COUNT, DISTINCT -> KEPT;
      case SUM, MIN, MAX, FIRST, LAST -> HASHED;
    };
  }

  /** A column that other tables have is distinct here as it is there. */
  private static Column column(String name, Type type, Disclosure disclosure) {
    boolean distinct =
        Tables.ALL.stream()
            .flatMap(table -> table.columns().stream())
            .anyMatch(column -> column.name().equals(name) && column.distinct());
    return new Column(name, type, distinct, disclosure);
  }
}
