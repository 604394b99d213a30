package dev.constat.pipelines.bench;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * Writes an archive in which everything has one key, of any size in the same memory: Parquet files
 * of contract constat/1, the run spec that fits them, and {@code expected.txt}, what a run must
 * count. Receptions are {@value #SPACING_MILLIS} ms apart; the same arguments give the same rows.
 *
 * <p>Whatever groups, sorts or scans by one of these keys has to hold the whole of it in a heap
 * that it does not fit.
 */
final class HotArchive {

  /** The fewest receptions: enough for each planted fault to happen. */
  static final long MIN_RECEPTIONS = 2_000;

  /** The most: what fits before the cut of the archive. */
  static final long MAX_RECEPTIONS = 50_000_000;

  private static final int SPACING_MILLIS = 10;

  /** One in so many events is late, and one in so many rows is overtaken. */
  private static final long FAULT_SPACING = 1_000;

  /** How many sequence numbers are left out, in one hole. */
  private static final int HOLE = 3;

  private static final String START = "TIMESTAMPTZ '2026-01-05 00:00:00+00'";

  /** What is hot. */
  enum Shape {
    /**
     * One event: received once and then again and again, three times with another content, with one
     * outbox row that is acknowledged as often as the event is received.
     */
    EVENT("- {type: notify, consumers: [c1]}") {

      @Override
      String events(long count) {
        return sql(
            """
            SELECT
                format('i{:08d}', i) AS ingestion_id, 'hot' AS source, 'e1' AS source_event_id,
                'p1' AS "partition", %1$s AS occurred_at, %2$s AS received_at,
                '1' AS schema_version,
                format('{{"id":"e1","version":{}}}',
                    CASE WHEN i > 0 AND i %% %3$d = 0 THEN i // %3$d ELSE 0 END) AS payload,
                'orders' AS topic, 'order' AS aggregate_type, 'a1' AS aggregate_id
            FROM range(%4$d) r(i)
            """,
            START, after("1000 + i * " + SPACING_MILLIS), quarter(count), count);
      }

      @Override
      String outbox(long count) {
        return outboxRow("'o1'", "'e1'", "1000") + " FROM range(1) r(i)";
      }

      @Override
      String acknowledgements(long count) {
        return ack("'o1'", "'e1'", "1001 + i * " + SPACING_MILLIS) + range(count);
      }

      @Override
      Map<String, Long> counts(long count) {
        long conflicts = (count - 1) / quarter(count);
        return ImmutableMap.<String, Long>builder()
            .put("decisions ACCEPTED", 1L)
            .put("decisions EXACT_DUPLICATE", count - 1 - conflicts)
            .put("decisions CONFLICTING_DUPLICATE", conflicts)
            .put("timeliness ON_TIME", 1L)
            .put("findings CONFLICTING_DUPLICATE", conflicts)
            .put("occurrences CONFLICTING_DUPLICATE", conflicts)
            .put("findings REDELIVERY", 1L)
            .put("occurrences REDELIVERY", count - 1)
            .buildOrThrow();
      }

      private long quarter(long count) {
        return (count + 3) / 4;
      }
    },

    /**
     * One source, partition, sequence and aggregate for events that are all different; some are
     * late, some overtaken by the next one, and a few sequence numbers are left out.
     */
    PARTITION("- {type: notify, consumers: [c1], order: aggregate}") {

      @Override
      String events(long count) {
        return sql(
                """
            SELECT
                format('i{:08d}', i) AS ingestion_id, 'hot' AS source,
                format('e{:08d}', i) AS source_event_id,
                (i + CASE WHEN i < %d THEN 0 ELSE %d END)::UBIGINT AS source_sequence,
                'p1' AS "partition",
                %s AS occurred_at, %s AS received_at, '1' AS schema_version,
                format('{{"id":{}}}', i) AS payload,
                'orders' AS topic, 'order' AS aggregate_type, 'a1' AS aggregate_id
            """,
                count / 2,
                HOLE,
                after(
                    sql("i * %d - CASE WHEN %s THEN 600000 ELSE 0 END", SPACING_MILLIS, faulty(0))),
                after("i * " + SPACING_MILLIS))
            + range(count);
      }

      @Override
      String outbox(long count) {
        return outboxRow("format('o{:08d}', i)", "format('e{:08d}', i)", "i * " + SPACING_MILLIS)
            + range(count);
      }

      @Override
      String acknowledgements(long count) {
        // Those that take longer are overtaken by the next row, for which a millisecond is enough.
        return ack(
                "format('o{:08d}', i)",
                "format('e{:08d}', i)",
                sql(
                    "1 + i * %1$d + CASE WHEN %2$s THEN %1$d + 5 ELSE 0 END",
                    SPACING_MILLIS, faulty(FAULT_SPACING / 2)))
            + range(count);
      }

      @Override
      Map<String, Long> counts(long count) {
        long late = (count - 1) / FAULT_SPACING;
        // One that none follows is overtaken by none.
        long overtaken = (count - 2 + FAULT_SPACING / 2) / FAULT_SPACING;
        return ImmutableMap.<String, Long>builder()
            .put("decisions ACCEPTED", count)
            .put("timeliness ON_TIME", count - late)
            .put("timeliness LATE", late)
            .put("findings SEQUENCE_GAP", 1L)
            .put("occurrences SEQUENCE_GAP", (long) HOLE)
            .put("findings ORDER_VIOLATION", overtaken)
            .put("occurrences ORDER_VIOLATION", overtaken)
            .buildOrThrow();
      }

      /** Every thousandth, and never the first. */
      private String faulty(long remainder) {
        return sql("i > 0 AND i %% %d = %d", FAULT_SPACING, remainder);
      }
    };

    private final String effects;

    Shape(String effects) {
      this.effects = effects;
    }

    abstract String events(long count);

    abstract String outbox(long count);

    abstract String acknowledgements(long count);

    abstract Map<String, Long> counts(long count);

    private static String range(long count) {
      return sql(" FROM range(%d) r(i)", count);
    }

    private static String after(String millis) {
      return sql("%s + to_milliseconds(%s)", START, millis);
    }

    private static String outboxRow(String id, String event, String millis) {
      return sql(
          """
          SELECT
              %s AS outbox_id, 'hot' AS source, %s AS source_event_id, 'notify' AS effect_type,
              'orders' AS topic, 'order' AS aggregate_type, 'a1' AS aggregate_id,
              'DISPATCHED' AS status, 1::BIGINT AS attempts, %s AS created_at,
              %3$s AS dispatched_at
          """,
          id, event, after(millis));
    }

    private static String ack(String outboxId, String event, String millis) {
      return sql(
          """
          SELECT
              format('a{:08d}', i) AS ack_id, %s AS outbox_id, 'c1' AS consumer,
              %s AS acked_at, 'hot/' || %s || '/notify' AS effect_key
          """,
          outboxId, after(millis), event);
    }

    private static String sql(String template, Object... parts) {
      return String.format(Locale.ROOT, template, parts);
    }
  }

  private static final String SPEC =
      """
      constat: 1
      name: hot-%s
      as_of: 2026-01-12T00:00:00Z
      archives:
        events: {files: events.parquet, cut: 2026-01-12T00:00:00Z}
        outbox: {files: outbox.parquet, cut: 2026-01-12T00:00:00Z}
        acknowledgements: {files: acks.parquet, cut: 2026-01-12T00:00:00Z}
      sources:
        - source: "*"
          schema_versions: ["1"]
          sequence: {scope: [partition], dense: true}
      effects:
        %s
      """;

  private final Shape shape;
  private final long receptions;

  /**
   * An archive of a shape.
   *
   * @param receptions how many, from {@value #MIN_RECEPTIONS} to {@value #MAX_RECEPTIONS}
   */
  HotArchive(Shape shape, long receptions) {
    Preconditions.checkArgument(
        receptions >= MIN_RECEPTIONS && receptions <= MAX_RECEPTIONS,
        "Invalid number of receptions: %s, must be from %s to %s",
        receptions,
        MIN_RECEPTIONS,
        MAX_RECEPTIONS);
    this.shape = shape;
    this.receptions = receptions;
  }

  /** Writes it into a folder, which is created; files that are there are replaced. */
  void write(Path folder) throws IOException, SQLException {
    Files.createDirectories(folder);
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement()) {
      sql.execute("SET threads = 1");
      sql.execute("SET TimeZone = 'UTC'");
      sql.execute("SET memory_limit = '512MB'");
      copy(sql, shape.events(receptions), folder.resolve("events.parquet"));
      copy(sql, shape.outbox(receptions), folder.resolve("outbox.parquet"));
      copy(sql, shape.acknowledgements(receptions), folder.resolve("acks.parquet"));
    }
    Files.writeString(
        folder.resolve("constat.yaml"),
        SPEC.formatted(shape.name().toLowerCase(Locale.ROOT), shape.effects));
    StringBuilder lines = new StringBuilder();
    expected().forEach((name, count) -> lines.append(name).append(' ').append(count).append('\n'));
    Files.writeString(folder.resolve("expected.txt"), lines);
  }

  /**
   * What a run must count: receptions per decision, events per timeliness, findings per kind and
   * their occurrences, and nothing else.
   */
  SortedMap<String, Long> expected() {
    return ImmutableSortedMap.copyOf(shape.counts(receptions));
  }

  private static void copy(Statement sql, String rows, Path file) throws SQLException {
    sql.execute(
        "COPY (%s) TO '%s' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)"
            .formatted(rows, file.toString().replace("'", "''")));
  }

  /** Takes the shape ({@code event} or {@code partition}), the number of receptions, the folder. */
  public static void main(String[] args) throws IOException, SQLException {
    if (args.length != 3) {
      System.err.println("Usage: HotArchive event|partition RECEPTIONS FOLDER");
      System.exit(2);
    }
    new HotArchive(Shape.valueOf(args[0].toUpperCase(Locale.ROOT)), Long.parseLong(args[1]))
        .write(Path.of(args[2]));
  }
}
