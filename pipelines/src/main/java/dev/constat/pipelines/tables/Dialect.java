package dev.constat.pipelines.tables;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableSet;
import dev.constat.pipelines.tables.TableColumn.Form;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What differs between databases: types, functions, settings of the connection. */
enum Dialect {
  /** PostgreSQL, from version 14 on: older ones give times as doubles. */
  POSTGRESQL {
    private static final ImmutableSet<String> NUMBERS =
        ImmutableSet.of(
            "int2",
            "int4",
            "int8",
            "serial",
            "bigserial",
            "smallserial",
            "oid",
            "numeric",
            "float4",
            "float8");

    @Override
    Properties settings() {
      Properties settings = new Properties();
      settings.setProperty("ApplicationName", "constat");
      settings.setProperty("readOnly", "true");
      settings.setProperty("connectTimeout", "10");
      settings.setProperty("socketTimeout", "300");
      settings.setProperty("options", "-c TimeZone=UTC -c extra_float_digits=1");
      return settings;
    }

    @Override
    TableColumn column(String name, String type, boolean nested) {
      String quoted = quoted(name);
      String text = quoted + "::text";
      if (NUMBERS.contains(type)) {
        return new TableColumn(name, Form.NUMBER, 0, text);
      }
      return switch (type) {
        case "bool" -> new TableColumn(name, Form.BOOLEAN, 0, text);
        case "timestamptz" -> new TableColumn(name, Form.INSTANT, 0, seconds(quoted));
        case "timestamp" -> new TableColumn(name, Form.LOCAL, 0, seconds(quoted));
        case "jsonb" -> new TableColumn(name, Form.NESTED, 0, text);
        case "json" -> new TableColumn(name, nested ? Form.NESTED : Form.TEXT, 0, text);
        case "bytea" -> new TableColumn(name, Form.BYTES, 0, "encode(" + quoted + ", 'hex')");
        default -> new TableColumn(name, Form.TEXT, 0, text);
      };
    }

    private static String seconds(String quoted) {
      return "CASE WHEN isfinite(%1$s) THEN extract(epoch FROM %1$s)::text ELSE %1$s::text END"
          .formatted(quoted);
    }

    @Override
    boolean isCalendar(String type) {
      return type.equals("date") || type.equals("time") || type.equals("timetz");
    }

    @Override
    String quoted(String name) {
      return '"' + name.replace("\"", "\"\"") + '"';
    }

    @Override
    String asKey(String quoted) {
      return "coalesce(" + quoted + "::text, '')";
    }

    @Override
    String inPart(String key, int part, int parts) {
      return "(hashtextextended(%s, 0) & 9223372036854775807) %% %s = %s"
          .formatted(key, parts, part);
    }

    @Override
    String order(String key, List<String> values) {
      return "%s COLLATE \"C\", md5(concat_ws(chr(31), %s))"
          .formatted(key, String.join(", ", values));
    }

    @Override
    String notBefore(String quoted, Instant from) {
      return "(%1$s IS NULL OR %1$s >= TIMESTAMPTZ '%2$s')".formatted(quoted, from);
    }

    @Override
    String suffix() {
      return "";
    }

    @Override
    String invalid(List<String> columns) {
      return "''"; // a database in UTF-8 holds no other text
    }

    @Override
    boolean hasSnapshots() {
      return true;
    }

    @Override
    String remedy(SQLException failure) {
      String state = String.valueOf(failure.getSQLState());
      if (state.startsWith("28")) {
        return "check the variables that user_env and password_env name";
      }
      if (state.equals("42P01") || state.equals("3D000") || state.equals("3F000")) {
        return "check jdbc and table in the run spec";
      }
      if (state.equals("42703") || state.startsWith("42")) {
        return "check table, columns and where in the run spec, and what the user may read";
      }
      if (state.startsWith("08")) {
        return "see that the database is there and answers, then run again";
      }
      return "mend that and run again";
    }
  },

  /** ClickHouse. */
  CLICKHOUSE {
    private static final Pattern WRAPPED =
        Pattern.compile("(?:Nullable|LowCardinality)\\((.*)\\)", Pattern.DOTALL);
    private static final Pattern TIME_64 = Pattern.compile("DateTime64\\((\\d)\\b.*");
    private static final Pattern NUMBER =
        Pattern.compile("(U?Int\\d+|Decimal.*|Float\\d+|BFloat16)");
    private static final Pattern NESTED =
        Pattern.compile("(Map|Tuple|Array|JSON|Object|Nested|Variant|Dynamic)\\b.*");

    @Override
    Properties settings() {
      Properties settings = new Properties();
      settings.setProperty("client_name", "constat");
      settings.setProperty("retry", "0");
      settings.setProperty("connection_timeout", "10000");
      settings.setProperty("socket_timeout", "300000");
      return settings;
    }

    @Override
    TableColumn column(String name, String type, boolean nested) {
      String quoted = quoted(name);
      String text = "toString(" + quoted + ")";
      String bare = bare(type);
      Matcher time = TIME_64.matcher(bare);
      if (time.matches()) {
        int digits = Integer.parseInt(time.group(1));
        int scale = digits <= 3 ? 3 : digits <= 6 ? 6 : 9;
        String unit = scale == 3 ? "Milli" : scale == 6 ? "Micro" : "Nano";
        return new TableColumn(
            name, Form.INSTANT, scale, "toString(toUnixTimestamp64%s(%s))".formatted(unit, quoted));
      }
      if (bare.startsWith("DateTime")) {
        return new TableColumn(name, Form.INSTANT, 0, "toString(toUnixTimestamp(" + quoted + "))");
      }
      if (bare.equals("Bool")) {
        return new TableColumn(name, Form.BOOLEAN, 0, text);
      }
      if (NUMBER.matcher(bare).matches()) {
        return new TableColumn(name, Form.NUMBER, 0, text);
      }
      if (NESTED.matcher(bare).matches()) {
        return new TableColumn(name, Form.NESTED, 0, "toJSONString(" + quoted + ")");
      }
      if (bare.equals("String") || bare.startsWith("FixedString")) {
        String value = bare.equals("String") ? quoted : "toStringCutToZero(" + quoted + ")";
        return new TableColumn(
            name, Form.TEXT_OR_HEX, 0, "if(isValidUTF8(%1$s), %1$s, hex(%1$s))".formatted(value));
      }
      return new TableColumn(name, Form.TEXT, 0, text);
    }

    private static String bare(String type) {
      Matcher wrapped = WRAPPED.matcher(type);
      return wrapped.matches() ? bare(wrapped.group(1)) : type;
    }

    @Override
    boolean isCalendar(String type) {
      String bare = bare(type);
      return bare.equals("Date") || bare.equals("Date32") || bare.startsWith("Time");
    }

    @Override
    String quoted(String name) {
      return '`' + name.replace("\\", "\\\\").replace("`", "\\`") + '`';
    }

    @Override
    String asKey(String quoted) {
      return "ifNull(toString(" + quoted + "), '')";
    }

    @Override
    String inPart(String key, int part, int parts) {
      return "sipHash64(%s) %% %s = %s".formatted(key, parts, part);
    }

    @Override
    String order(String key, List<String> values) {
      return "%s, sipHash128(tuple(%s))".formatted(key, String.join(", ", values));
    }

    @Override
    String notBefore(String quoted, Instant from) {
      return "(isNull(%1$s) OR %1$s >= parseDateTime64BestEffort('%2$s', 9, 'UTC'))"
          .formatted(quoted, from);
    }

    @Override
    String suffix() {
      return " SETTINGS output_format_json_quote_64bit_integers = 0";
    }

    @Override
    String invalid(List<String> columns) {
      if (columns.isEmpty()) {
        return "''";
      }
      StringBuilder flags = new StringBuilder("concat(''");
      for (String column : columns) {
        flags.append(", if(ifNull(isValidUTF8(").append(column).append("), 1), '0', '1')");
      }
      return flags.append(')').toString();
    }

    @Override
    boolean hasSnapshots() {
      return false;
    }

    @Override
    String remedy(SQLException failure) {
      String said = String.valueOf(failure.getMessage());
      if (said.contains("Code: 516") || said.contains("AUTHENTICATION_FAILED")) {
        return "check the variables that user_env and password_env name";
      }
      if (said.contains("UNKNOWN_TABLE") || said.contains("UNKNOWN_DATABASE")) {
        return "check jdbc and table in the run spec";
      }
      if (said.contains("UNKNOWN_IDENTIFIER")
          || said.contains("SYNTAX_ERROR")
          || said.contains("ACCESS_DENIED")) {
        return "check table, columns and where in the run spec, and what the user may read";
      }
      return "see that the database is there, answers and has memory for it, then run again";
    }
  };

  /** The dialect that a database of this URL speaks. */
  static Dialect of(String jdbc) {
    return Ascii.toLowerCase(jdbc).startsWith("jdbc:postgresql:") ? POSTGRESQL : CLICKHOUSE;
  }

  /** Settings of every connection; the URL may overrule them. */
  abstract Properties settings();

  /**
   * How a column is read.
   *
   * @param type as the database calls it
   * @param nested whether something inside its values is asked for
   */
  abstract TableColumn column(String name, String type, boolean nested);

  /** Whether values of a type are dates or times of day, which are no instants. */
  abstract boolean isCalendar(String type);

  /** The name of a column in SQL. */
  abstract String quoted(String name);

  /** The text of a column that is never null, to tell rows apart by. */
  abstract String asKey(String quoted);

  /** The condition that a row belongs to one of some parts, by its key. */
  abstract String inPart(String key, int part, int parts);

  /** An order of rows in which only rows of one content tie: by the bytes of the key. */
  abstract String order(String key, List<String> values);

  /** The condition that a time is not before another; null is not. */
  abstract String notBefore(String quoted, Instant from);

  /** What stands at the end of a query. */
  abstract String suffix();

  /**
   * A text of a digit for each of some columns of {@link Form#TEXT_OR_HEX}: 1 where its bytes are
   * no UTF-8.
   *
   * @param columns as SQL
   */
  abstract String invalid(List<String> columns);

  /** Whether connections can share the sight of one moment. */
  abstract boolean hasSnapshots();

  /** What to do about a failure. */
  abstract String remedy(SQLException failure);
}
