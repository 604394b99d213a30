package dev.constat.pipelines.output;

import static java.util.Comparator.comparingInt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.outputs.TableSink;
import dev.constat.transforms.outputs.TableSink.Receipt;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetTablesTest {

  private static final TableSchema ALL_TYPES =
      TableSchema.of(
          "everything",
          new Column("id", Type.LONG),
          new Column("text", Type.TEXT),
          new Column("bytes", Type.BYTES),
          new Column("time", Type.TIME),
          new Column("yes", Type.BOOLEAN),
          new Column("texts", Type.TEXTS));

  @TempDir private Path staging;

  /** parquet-java lets all writers of a process have the settings of the last. */
  @Test
  void tablesAgreeAboutTheColumnsTheyShare() throws IllegalAccessException {
    List<TableSchema> declared = new ArrayList<>();
    for (Field field : Tables.class.getFields()) {
      if (field.getType() == TableSchema.class) {
        declared.add((TableSchema) field.get(null));
      }
    }
    assertThat(Tables.ALL).containsExactlyInAnyOrderElementsOf(declared);

    Map<String, Boolean> distinct = new HashMap<>();
    for (TableSchema table : Tables.ALL) {
      for (Column column : table.columns()) {
        Boolean before = distinct.putIfAbsent(column.name(), column.distinct());
        assertThat(before).as(column.name()).isIn(null, column.distinct());
      }
    }
  }

  @Test
  void anotherEngineReadsEveryType() throws Exception {
    write(
        ALL_TYPES,
        List.<Object[]>of(
            row(1L, "é \u001b[31m", new byte[] {0, -1}, time("2026-01-05T12:00:00.123456Z"))
                .with(true, List.of("a", "", "b")),
            row(2L, "by bytes".getBytes(StandardCharsets.UTF_8), new byte[0], Instant.EPOCH)
                .with(false, List.of()),
            row(null, null, null, null).with(null, List.of("x"))));

    assertThat(
            query(
                "SELECT id, text, hex(bytes), epoch_ns(time), yes, len(texts), texts[1]"
                    + " FROM %s ORDER BY id NULLS LAST"))
        .containsExactly(
            "1|é \u001b[31m|00FF|1767614400123456000|true|3|a",
            "2|by bytes||0|false|0|null",
            "null|null|null|null|null|1|x");
  }

  @Test
  void anotherEngineSeesTheTypesOfTheFormat() throws Exception {
    write(
        ALL_TYPES,
        List.<Object[]>of(row(1L, "", new byte[0], Instant.EPOCH).with(true, List.of())));

    assertThat(
            ask(
                "SELECT name, type, repetition_type, converted_type, logical_type"
                    + " FROM parquet_schema('%s') WHERE name <> 'constat'"))
        .containsExactly(
            "id|INT64|OPTIONAL|null|null",
            "text|BYTE_ARRAY|OPTIONAL|UTF8|StringType()",
            "bytes|BYTE_ARRAY|OPTIONAL|null|null",
            "time|INT64|OPTIONAL|null|TimestampType(isAdjustedToUTC=1, unit=TimeUnit("
                + "MILLIS=<null>, MICROS=<null>, NANOS=NanoSeconds()))",
            "yes|BOOLEAN|OPTIONAL|null|null",
            "texts|null|REQUIRED|LIST|ListType()",
            "list|null|REPEATED|null|null",
            "element|BYTE_ARRAY|REQUIRED|UTF8|StringType()");
  }

  @Test
  void timesThatNanosecondsCannotHoldAreNull() throws Exception {
    Instant first = Instant.ofEpochSecond(0, Long.MIN_VALUE);
    Instant last = Instant.ofEpochSecond(0, Long.MAX_VALUE);
    TableSchema times =
        TableSchema.of("times", new Column("id", Type.LONG), new Column("time", Type.TIME));
    List<Object[]> rows = new ArrayList<>();
    for (Instant time :
        List.of(Instant.MIN, first.minusNanos(1), first, last, last.plusNanos(1), Instant.MAX)) {
      rows.add(new Object[] {(long) rows.size(), time});
    }
    write(times, rows);

    LongStatistics written = statisticsOfTimes();
    assertThat(written.getMin()).isEqualTo(Long.MIN_VALUE);
    assertThat(written.getMax()).isEqualTo(Long.MAX_VALUE);
    assertThat(written.getNumNulls()).isEqualTo(4);
  }

  @Test
  void timesKeepTheirNanoseconds() throws Exception {
    TableSchema times =
        TableSchema.of("times", new Column("id", Type.LONG), new Column("time", Type.TIME));
    write(
        times,
        List.of(
            new Object[] {1L, time("1969-12-31T23:59:59.999999999Z")},
            new Object[] {2L, time("2026-01-05T12:00:00.123456789Z")}));

    LongStatistics written = statisticsOfTimes();
    assertThat(written.getMin()).isEqualTo(-1);
    assertThat(written.getMax()).isEqualTo(1_767_614_400_123_456_789L);
  }

  /** Read from the footer: DuckDB's type for times in UTC stops at microseconds. */
  private LongStatistics statisticsOfTimes() throws Exception {
    Path file = Folders.list(staging.resolve("times")).get(0);
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      return (LongStatistics)
          reader.getFooter().getBlocks().get(0).getColumns().get(1).getStatistics();
    }
  }

  @Test
  void manyRowsComeBackOverManyRowGroups() throws Exception {
    TableSchema table =
        TableSchema.of("blobs", new Column("id", Type.LONG), new Column("blob", Type.BYTES));
    Random random = new Random(1);
    List<Object[]> rows = new ArrayList<>();
    for (long i = 0; i < 700; i++) {
      byte[] blob = new byte[100_000];
      random.nextBytes(blob);
      rows.add(new Object[] {i, blob});
    }
    write(table, rows);

    assertThat(query("SELECT count(*), sum(id), sum(octet_length(blob)) FROM %s"))
        .containsExactly("700|244650|70000000");
    assertThat(
            ask(
                "SELECT count(DISTINCT row_group_id) > 1, max(row_group_bytes) < 40000000"
                    + " FROM parquet_metadata('%s')"))
        .containsExactly("true|true");
  }

  @Test
  void callersMayReuseTheirArrays() throws Exception {
    TableSchema table = TableSchema.of("reused", new Column("text", Type.TEXT));
    byte[] reused = new byte[1];
    try (TableSink.Part part = tables().open(table, 0, 1)) {
      for (byte letter = 'a'; letter <= 'c'; letter++) {
        reused[0] = letter;
        part.add(new Object[] {reused});
      }
      part.finish();
    }
    assertThat(query("SELECT text FROM %s")).containsExactly("a", "b", "c");
  }

  @Test
  void theSameRowsGiveTheSameBytes() throws Exception {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    List<Object[]> rows = decisions(50_000);
    Receipt first = write(Decisions.TABLE, rows);
    byte[] bytes = Files.readAllBytes(staging.resolve(first.file()));
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
      assertThat(write(Decisions.TABLE, rows)).isEqualTo(first);
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
    assertThat(Files.readAllBytes(staging.resolve(first.file()))).isEqualTo(bytes);
  }

  /** parquet-java lists them in an order of hashes that no two JVMs share. */
  @Test
  void theEncodingsOfEveryColumnStandInTheOrderOfTheFormat() throws Exception {
    Receipt written = write(Decisions.TABLE, decisions(50_000));
    byte[] bytes = Files.readAllBytes(staging.resolve(written.file()));
    int trailer = bytes.length - 8;
    int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(trailer);
    FileMetaData metadata =
        Util.readFileMetaData(new ByteArrayInputStream(bytes, trailer - length, length));

    List<List<Encoding>> encodings = new ArrayList<>();
    for (RowGroup rows : metadata.getRow_groups()) {
      for (ColumnChunk column : rows.getColumns()) {
        encodings.add(column.getMeta_data().getEncodings());
      }
    }
    assertThat(encodings).anySatisfy(list -> assertThat(list).hasSizeGreaterThan(2));
    assertThat(encodings)
        .allSatisfy(list -> assertThat(list).isSortedAccordingTo(comparingInt(Encoding::getValue)));
  }

  @Test
  void theReceiptSaysWhatStandsThere() throws Exception {
    Receipt receipt = write(Decisions.TABLE, decisions(100));
    byte[] bytes = Files.readAllBytes(staging.resolve("decisions/part-00017-of-00064.parquet"));
    assertThat(receipt)
        .isEqualTo(
            new Receipt(
                "decisions",
                "decisions/part-00017-of-00064.parquet",
                100,
                bytes.length,
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))));
    assertThat(entries("decisions")).containsExactly("part-00017-of-00064.parquet");
  }

  @Test
  void aBucketWithoutRowsLeavesNothing() throws Exception {
    try (TableSink.Part part = tables().open(Decisions.TABLE, 3, 64)) {
      assertThat(part.finish()).isEqualTo(Optional.empty());
    }
    assertThat(staging).isEmptyDirectory();
  }

  @Test
  void aTableWithoutRowsIsOneEmptyFileWithItsSchema() throws Exception {
    Receipt written = write(Decisions.TABLE, decisions(1));
    List<Receipt> completed =
        tables().completing(List.of(Decisions.TABLE, ALL_TYPES), List.of(written), 64);

    assertThat(completed)
        .extracting(Receipt::file)
        .containsExactly("everything/part-00000-of-00064.parquet");
    assertThat(query("SELECT count(*) FROM %s")).containsExactly("0");
    assertThat(query("SELECT column_name FROM (DESCRIBE SELECT * FROM %s)"))
        .containsExactly("id", "text", "bytes", "time", "yes", "texts");
  }

  @Test
  void aPartThatIsNotFinishedIsDropped() throws Exception {
    try (TableSink.Part part = tables().open(Decisions.TABLE, 0, 1)) {
      part.add(decisions(1).get(0));
    }
    assertThat(entries("decisions")).isEmpty();
  }

  @Test
  void attemptsAtOnePartDoNotMeet() throws Exception {
    List<Object[]> rows = decisions(10);
    try (TableSink.Part one = tables().open(Decisions.TABLE, 0, 1);
        TableSink.Part two = tables().open(Decisions.TABLE, 0, 1)) {
      for (Object[] row : rows) {
        one.add(row);
        two.add(row);
      }
      assertThat(one.finish()).isEqualTo(two.finish());
    }
    assertThat(entries("decisions")).containsExactly("part-00000-of-00001.parquet");
  }

  @Test
  void tableNamesStayBelowTheFolder() {
    TableSchema table = TableSchema.of("../elsewhere", new Column("id", Type.LONG));
    assertThatThrownBy(
            () -> {
              try (TableSink.Part part = tables().open(table, 0, 1)) {
                part.add(new Object[] {1L});
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Not the name of an output file: ../elsewhere/part");
  }

  @Test
  void workersThatDoNotSeeTheFolderSaySo() {
    ParquetTables tables =
        new ParquetTables(staging.resolve("not-there").toString(), InputFiles.NONE);
    assertThatThrownBy(
            () -> {
              try (TableSink.Part part = tables.open(ALL_TYPES, 0, 1)) {
                part.add(new Object[6]);
              }
            })
        .isInstanceOf(OutputException.class)
        .hasMessageContaining("not seen from here")
        .hasMessageContaining("not-there");
    assertThat(staging).isEmptyDirectory();
  }

  private ParquetTables tables() throws Exception {
    // Through serialisation, as workers get it.
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new ParquetTables(staging.toString(), InputFiles.NONE));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (ParquetTables) in.readObject();
    }
  }

  private Receipt write(TableSchema table, List<Object[]> rows) throws Exception {
    try (TableSink.Part part = tables().open(table, 17, 64)) {
      for (Object[] row : rows) {
        part.add(row);
      }
      return part.finish().orElseThrow();
    }
  }

  private static List<Object[]> decisions(int count) {
    List<Object[]> rows = new ArrayList<>();
    Decisions source = new Decisions(7);
    for (int i = 0; i < count; i++) {
      rows.add(source.next());
    }
    return rows;
  }

  private List<String> entries(String folder) throws Exception {
    return Folders.list(staging.resolve(folder)).stream()
        .map(path -> path.getFileName().toString())
        .toList();
  }

  /** Rows of a query; {@code %s} stands for the table that was written, decisions excepted. */
  private ImmutableList<String> query(String sql) throws Exception {
    return ask(sql.replace("%s", "read_parquet('%s')"));
  }

  private ImmutableList<String> ask(String sql) throws Exception {
    Path folder =
        Folders.list(staging).stream()
            .filter(path -> !path.endsWith("decisions"))
            .findFirst()
            .orElseThrow();
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet result = statement.executeQuery(sql.replace("%s", folder + "/*.parquet"))) {
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          values.add(String.valueOf(result.getObject(i)));
        }
        lines.add(String.join("|", values));
      }
    }
    return lines.build();
  }

  private static Instant time(String text) {
    return Instant.parse(text);
  }

  private static Values row(Object... values) {
    return new Values(values);
  }

  /** The beginning of a row. */
  private record Values(Object[] first) {

    Object[] with(Object... more) {
      Object[] row = Arrays.copyOf(first, first.length + more.length);
      System.arraycopy(more, 0, row, first.length, more.length);
      return row;
    }
  }
}
