package dev.constat.pipelines.tables;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.tables.TableColumn.Form;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.TableSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * Looks at the tables of a run and cuts them into parts. While it is open, all parts of all tables
 * of one database see the same moment, if the database can do that; so it stays open until they
 * were read.
 */
public final class TablePlanner implements AutoCloseable {

  /** How many rows a part has, about. */
  private static final long ROWS_PER_PART = 1_000_000;

  private static final int MOST_PARTS = 64;

  private final Connections.Environment environment;
  private final Map<List<String>, Snapshot> snapshots = new HashMap<>();

  /** What a connection that is kept open shows to others. */
  private record Snapshot(Connection connection, String id) {}

  /**
   * What came of planning a table.
   *
   * @param parts at least one
   * @param rows how many the table has
   * @param unknownColumns columns that the run does not use, by name
   */
  public record Plan(ImmutableList<TablePart> parts, long rows, Set<String> unknownColumns) {}

  TablePlanner(Connections.Environment environment) {
    this.environment = environment;
  }

  /** A planner that takes credentials from the environment of this process. */
  public static TablePlanner create() {
    return new TablePlanner(System::getenv);
  }

  /**
   * The first variable for credentials that is not set, or null.
   *
   * @param spec names the variables
   * @param environment tells what a variable holds
   */
  public static String missingCredential(RunSpec spec, UnaryOperator<String> environment) {
    for (Archive archive : spec.archives().values()) {
      if (archive.table() != null) {
        for (String variable :
            new String[] {archive.table().userEnv(), archive.table().passwordEnv()}) {
          if (variable != null && environment.apply(variable) == null) {
            return variable;
          }
        }
      }
    }
    return null;
  }

  /**
   * Plans a table.
   *
   * @throws TableException if it is not there, cannot be read, or has a column of a type that the
   *     contract cannot take
   */
  public Plan plan(Input input, RunSpec spec) throws TableException {
    Archive archive = spec.archives().get(input);
    TableSource source = archive.table();
    Dialect dialect = Dialect.of(source.jdbc());
    try {
      Snapshot snapshot = snapshot(source);
      Map<String, String> types = types(snapshot.connection, source);
      Wanted wanted = Wanted.of(spec.layout(input), archive);
      Set<String> unknown = new TreeSet<>(types.keySet());
      List<TableColumn> columns = new ArrayList<>();
      for (Map.Entry<String, String> column : types.entrySet()) {
        if (wanted.columns.containsKey(column.getKey())) {
          unknown.remove(column.getKey());
          columns.add(column(column.getKey(), column.getValue(), wanted, dialect, source));
        }
      }
      return plan(input, spec, dialect, snapshot, ImmutableList.copyOf(columns), unknown);
    } catch (SQLException e) {
      throw TableException.of(source.table(), dialect, e);
    }
  }

  private static TableColumn column(
      String name, String type, Wanted wanted, Dialect dialect, TableSource source)
      throws TableException {
    boolean nested = wanted.nested.contains(name);
    TableColumn column = dialect.column(name, type, nested);
    if (wanted.columns.get(name) == ColumnType.TIME && dialect.isCalendar(type)) {
      throw new TableException(
          source.table(),
          "has a column " + name + " of type " + type + ", which fixes no instant",
          "read a view that makes a time of it",
          null);
    }
    if (nested && column.form() != Form.NESTED) {
      throw new TableException(
          source.table(),
          "has a column " + name + " of type " + type + ", and columns asks for something in it",
          "read a view that makes columns of it",
          null);
    }
    return column;
  }

  private Plan plan(
      Input input,
      RunSpec spec,
      Dialect dialect,
      Snapshot snapshot,
      ImmutableList<TableColumn> columns,
      Set<String> unknown)
      throws SQLException {
    Archive archive = spec.archives().get(input);
    TableSource source = archive.table();
    String condition = condition(input, spec, dialect, columns);
    String keyColumn = TableKeys.column(input, archive);
    boolean hasKey = columns.stream().anyMatch(column -> column.name().equals(keyColumn));
    String key = hasKey ? dialect.asKey(dialect.quoted(keyColumn)) : "''";
    List<String> values = columns.stream().map(TableColumn::sql).toList();
    String order = dialect.order(key, values.isEmpty() ? ImmutableList.of("''") : values);
    long rows =
        Connections.number(
            snapshot.connection, "SELECT count(*) FROM " + source.table() + " WHERE " + condition);
    int parts = hasKey ? (int) Math.max(1, Math.min(MOST_PARTS, ceilDiv(rows, ROWS_PER_PART))) : 1;
    ImmutableList.Builder<TablePart> planned = ImmutableList.builder();
    for (int part = 0; part < parts; part++) {
      planned.add(
          new TablePart(
              input,
              part,
              source,
              columns,
              parts == 1 ? condition : condition + " AND " + dialect.inPart(key, part, parts),
              order,
              snapshot.id,
              ".extracts/" + input.key() + "-" + part + ".jsonl"));
    }
    return new Plan(planned.build(), rows, unknown);
  }

  private static long ceilDiv(long a, long b) {
    return (a + b - 1) / b;
  }

  /** Which rows are read: what the run spec says, and nothing from before the look-back. */
  private static String condition(
      Input input, RunSpec spec, Dialect dialect, List<TableColumn> columns) {
    Archive archive = spec.archives().get(input);
    String condition =
        archive.table().where() == null ? "1 = 1" : "(" + archive.table().where() + ")";
    if (spec.from() == null || input == Input.REPLAYS) {
      return condition;
    }
    String clock = archive.columns().getOrDefault(input.clock(), input.clock());
    Instant from = spec.from().minus(spec.lookBack());
    return columns.stream()
            .anyMatch(column -> column.name().equals(clock) && column.form() == Form.INSTANT)
        ? condition + " AND " + dialect.notBefore(dialect.quoted(clock), from)
        : condition;
  }

  private Snapshot snapshot(TableSource source) throws SQLException, TableException {
    List<String> database =
        List.of(
            source.jdbc(), String.valueOf(source.userEnv()), String.valueOf(source.passwordEnv()));
    Snapshot known = snapshots.get(database);
    if (known != null) {
      return known;
    }
    Connection connection = Connections.open(source, null, environment);
    String id = null;
    try {
      if (Dialect.of(source.jdbc()).hasSnapshots()) {
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("SELECT pg_export_snapshot()")) {
          row.next();
          id = row.getString(1);
        }
      }
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    Snapshot snapshot = new Snapshot(connection, id);
    snapshots.put(database, snapshot);
    return snapshot;
  }

  /** The types of the columns of a table, by name, in its order. */
  private static Map<String, String> types(Connection connection, TableSource source)
      throws SQLException {
    Map<String, String> types = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet none =
            statement.executeQuery("SELECT * FROM " + source.table() + " WHERE 1 = 0")) {
      ResultSetMetaData columns = none.getMetaData();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        types.put(columns.getColumnName(i), columns.getColumnTypeName(i));
      }
    }
    return types;
  }

  /** Lets go of the moment that the parts saw. */
  @Override
  public void close() throws TableException {
    for (Snapshot snapshot : snapshots.values()) {
      try {
        snapshot.connection.close();
      } catch (SQLException e) {
        throw new TableException("", "cannot be closed: " + e.getMessage(), "run again", e);
      }
    }
  }

  /**
   * The columns of a table that a run asks for.
   *
   * @param columns by name, with the strictest type that is wanted of them
   * @param nested those of which something inside is wanted
   */
  private record Wanted(Map<String, ColumnType> columns, Set<String> nested) {

    static Wanted of(Layout layout, Archive archive) {
      Map<String, ColumnType> columns = new TreeMap<>();
      Set<String> nested = new TreeSet<>();
      for (Column column : layout.columns()) {
        String theirs = archive.columns().getOrDefault(column.name(), column.name());
        if (theirs.startsWith("/")) {
          String first = Splitter.on('/').splitToList(theirs).get(1);
          String name = first.replace("~1", "/").replace("~0", "~");
          columns.putIfAbsent(name, ColumnType.PAYLOAD);
          nested.add(name);
        } else if (column.type() == ColumnType.TIME) {
          columns.put(theirs, ColumnType.TIME);
        } else {
          columns.putIfAbsent(theirs, column.type());
        }
      }
      return new Wanted(columns, nested);
    }
  }
}
