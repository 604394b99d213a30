package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableListMultimap;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.rules.table.Tables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows written straight to columns are those that parquet-java's own way gives, byte for byte. */
class ParquetRowsTest {

  private static final InputFiles FILES =
      new InputFiles(ImmutableListMultimap.of(Input.EVENTS, "a.parquet", Input.EVENTS, "b.json"));

  private static final long ROW_GROUP = 32L << 20;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
  void randomTables(int seed) throws IOException {
    Random chance = new Random(seed);
    TableSchema table = table(seed, chance);
    int rows = chance.nextInt(60_000);
    long content = chance.nextLong();

    assertSameBytes(table, rows(table, rows, new Random(content)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20_001, 45_000})
  void tablesOfReports(int count) throws IOException {
    for (TableSchema table : Tables.ALL) {
      assertSameBytes(table, rows(table, count, new Random(count)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {30_000, 300_000})
  void rowGroupsEndWhereTheyDid(int length) throws IOException {
    TableSchema table =
        TableSchema.of("wide", new Column("id", Type.LONG), new Column("blob", Type.BYTES));
    Random chance = new Random(length);
    List<Object[]> rows = new ArrayList<>();
    for (long size = 0; size < 3 * ROW_GROUP; ) {
      byte[] blob = new byte[chance.nextInt(length)];
      chance.nextBytes(blob);
      rows.add(new Object[] {size, blob});
      size += blob.length;
    }

    Path written = assertSameBytes(table, rows);
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(written))) {
      assertThat(reader.getRowGroups()).hasSizeGreaterThan(2);
    }
  }

  private Path assertSameBytes(TableSchema table, List<Object[]> rows) throws IOException {
    Path direct = Files.createTempFile(folder, "direct", ".parquet");
    Path plain = Files.createTempFile(folder, "plain", ".parquet");
    Files.delete(direct);
    Files.delete(plain);
    try (ParquetRows writer =
        new ParquetRows(new RowColumns(table, FILES), table, new LocalOutputFile(direct))) {
      for (Object[] row : rows) {
        writer.write(row);
      }
      writer.finish(() -> {});
    }
    try (ParquetWriter<Object[]> writer =
        new PlainBuilder(table, new LocalOutputFile(plain)).build()) {
      for (Object[] row : rows) {
        writer.write(row);
      }
    }
    assertThat(settled(direct)).as(table.name()).isEqualTo(settled(plain));
    return direct;
  }

  /** Its bytes, with the lists that parquet-java orders by chance in order. */
  private static byte[] settled(Path file) throws IOException {
    return ParquetFooter.settled(Files.readAllBytes(file));
  }

  /** Those that stand in Parquet. */
  private static final Type[] TYPES =
      EnumSet.complementOf(EnumSet.of(Type.FINDINGS)).toArray(Type[]::new);

  private static TableSchema table(int seed, Random chance) {
    List<Column> columns = new ArrayList<>();
    int count = 1 + chance.nextInt(12);
    for (int i = 0; i < count; i++) {
      Type type = TYPES[chance.nextInt(TYPES.length)];
      boolean list = type == Type.TEXTS || type == Type.WINDOWS;
      String name = "random_" + seed + "_" + i;
      columns.add(new Column(name, type, !list && chance.nextInt(3) == 0));
    }
    return TableSchema.of("random", columns.toArray(Column[]::new));
  }

  private static List<Object[]> rows(TableSchema table, int count, Random chance) {
    double[] nulls = chance.doubles(table.columns().size()).toArray();
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object[] row = new Object[table.columns().size()];
      for (int c = 0; c < row.length; c++) {
        Type type = table.columns().get(c).type();
        boolean absent = chance.nextDouble() < nulls[c] * nulls[c];
        row[c] =
            switch (type) {
              case TEXTS -> absent ? List.of() : texts(chance);
              case WINDOWS -> absent ? List.of() : windows(chance);
              default -> absent ? null : value(type, chance);
            };
      }
      rows.add(row);
    }
    return rows;
  }

  private static Object value(Type type, Random chance) {
    return switch (type) {
      case TEXT, JSON -> chance.nextBoolean() ? text(chance) : bytes(text(chance));
      case SENTENCE -> sentence(chance);
      case FINDINGS -> throw new IllegalArgumentException("Findings are no value");
      case BYTES -> bytes(text(chance));
      case TIME ->
          chance.nextInt(50) == 0
              ? Instant.MAX
              : Instant.ofEpochSecond(chance.nextInt(), chance.nextInt(1_000_000_000));
      case FILE -> new Place(Input.EVENTS.ordinal(), chance.nextInt(2), 0, 0, 0);
      case LONG -> chance.nextLong() >> chance.nextInt(60);
      case BOOLEAN -> chance.nextBoolean();
      case TEXTS -> texts(chance);
      case WINDOWS -> windows(chance);
    };
  }

  private static List<String> texts(Random chance) {
    List<String> texts = new ArrayList<>();
    for (int i = chance.nextInt(4); i > 0; i--) {
      texts.add(text(chance));
    }
    return texts;
  }

  private static List<Object[]> windows(Random chance) {
    List<Object[]> windows = new ArrayList<>();
    for (int i = chance.nextInt(3); i > 0; i--) {
      windows.add(
          new Object[] {
            text(chance), text(chance), chance.nextBoolean() ? null : value(Type.TIME, chance), "IN"
          });
    }
    return windows;
  }

  /** Some texts often, many seldom. */
  private static Object sentence(Random chance) {
    Sentence sentence =
        Sentence.ofConfigured(text(chance)).value("outbox_id", text(chance)).and(".");
    return chance.nextBoolean() ? sentence : sentence.toBytes();
  }

  private static String text(Random chance) {
    int which = chance.nextInt(10) < 8 ? chance.nextInt(20) : chance.nextInt();
    return "value "
        + Integer.toHexString(which)
        + (chance.nextInt(90) == 0 ? " \u00e9\ud83d\ude00" : "");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** parquet-java's own writer with the settings that tables have. */
  private static final class PlainBuilder extends ParquetWriter.Builder<Object[], PlainBuilder> {

    private final TableSchema table;

    PlainBuilder(TableSchema table, OutputFile target) {
      super(target);
      this.table = table;
      withConf(new PlainParquetConfiguration());
      withWriteMode(ParquetFileWriter.Mode.CREATE);
      withWriterVersion(WriterVersion.PARQUET_1_0);
      withCompressionCodec(CompressionCodecName.ZSTD);
      withCodecFactory(new ZstdPages());
      withRowGroupSize(ROW_GROUP);
      withDictionaryEncoding(true);
      withSizeStatisticsEnabled(false);
      Tables.ALL.forEach(this::settle);
      settle(table);
    }

    private void settle(TableSchema schema) {
      for (Column column : schema.columns()) {
        if (column.distinct()) {
          withDictionaryEncoding(column.name(), false);
          withStatisticsEnabled(column.name(), column.type() == Type.TIME);
        }
      }
    }

    @Override
    protected PlainBuilder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract all the same
    protected WriteSupport<Object[]> getWriteSupport(Configuration conf) {
      return new PlainRowWriter(table, FILES);
    }

    @Override
    protected WriteSupport<Object[]> getWriteSupport(ParquetConfiguration conf) {
      return new PlainRowWriter(table, FILES);
    }
  }
}
