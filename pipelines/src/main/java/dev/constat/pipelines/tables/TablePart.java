package dev.constat.pipelines.tables;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.TableSource;
import java.io.Serializable;

/**
 * A part of a table that is read by one query.
 *
 * @param input the input it belongs to
 * @param rank of its extract among the files of that input
 * @param source the table
 * @param columns those that are read, in the order of the table
 * @param condition which rows are part of it, in SQL
 * @param order of its rows, in SQL
 * @param snapshot the moment that all parts of all tables of the database see, or null where the
 *     database has no such thing
 * @param extract name of its extract, below the staging folder
 */
public record TablePart(
    Input input,
    int rank,
    TableSource source,
    ImmutableList<TableColumn> columns,
    String condition,
    String order,
    String snapshot,
    String extract)
    implements Serializable {

  /** The query that counts its rows. */
  String count() {
    return "SELECT count(*) FROM " + source.table() + " WHERE " + condition;
  }
}
