package dev.constat.pipelines.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.constat.pipelines.output.InputFiles;
import dev.constat.pipelines.output.ParquetTables;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@value #ROWS} rows of a decisions table, without its lists, become a Parquet file. The time is
 * that of one row. The peer is parquet-java's own writer of groups with the same schema, format
 * version, compression and size of row groups.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ParquetRowsBenchmark {

  /** How many rows are written. */
  static final int ROWS = 20_000;

  private static final long ROW_GROUP = 32L << 20;

  private static final TableSchema TABLE =
      new TableSchema(
          Tables.DECISIONS.name(),
          Tables.DECISIONS.columns().stream()
              .filter(column -> column.type() != Type.TEXTS && column.type() != Type.WINDOWS)
              .filter(column -> column.type() != Type.FILE)
              .collect(ImmutableList.toImmutableList()));

  private final Object[][] rows = new Object[ROWS][];
  private Path folder;
  private ParquetTables tables;
  private MessageType schema;

  /** Prepares rows and a folder. */
  @Setup(Level.Trial)
  public void prepare() throws IOException {
    folder = Files.createTempDirectory("constat-bench");
    tables = new ParquetTables(folder.toString(), InputFiles.NONE);
    Random random = new Random(7);
    for (int i = 0; i < ROWS; i++) {
      Random ofRow = new Random(random.nextLong());
      Instant received =
          Instant.ofEpochSecond(1_767_000_000L + i, ofRow.nextInt(1_000_000) * 1_000L);
      rows[i] = TABLE.columns().stream().map(column -> value(column, received, ofRow)).toArray();
    }
    Path written = folder.resolve(write().file());
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(written))) {
      schema = reader.getFileMetaData().getSchema();
    }
  }

  private static Object value(Column column, Instant received, Random random) {
    return switch (column.name()) {
      case "ingestion_id", "source_event_id" -> hex(random, 16);
      case "hash" -> hex(random, 32);
      case "key" ->
          String.format(
                  Locale.ROOT,
                  "{\"source\":\"src-%d\",\"source_event_id\":\"%016x\"}",
                  random.nextInt(4),
                  random.nextLong())
              .getBytes(UTF_8);
      case "source" -> "src-" + random.nextInt(4);
      case "partition" -> "p" + random.nextInt(16);
      case "schema_version" -> "1";
      case "hash_rule" -> "jcs-exact/1";
      case "decision" -> "ACCEPTED";
      case "timeliness" -> "ON_TIME";
      case "budget" -> "PT5M";
      case "budget_version" -> "default";
      case "rule" -> "identity/1";
      case "reason" -> "first reception of its key";
      default ->
          switch (column.type()) {
            case TIME -> received.minusNanos(random.nextInt(1_000_000_000));
            case LONG -> (long) random.nextInt(1_000_000);
            case BOOLEAN -> true;
            default -> null;
          };
    };
  }

  private static byte[] hex(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes).getBytes(UTF_8);
  }

  /** Removes the folder. */
  @TearDown(Level.Trial)
  public void clean() throws IOException {
    MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
  }

  /** Writes them as stages do: staged, with digest. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public TableSink.Receipt write() throws IOException {
    try (TableSink.Part part = tables.open(TABLE, 0, 1)) {
      for (Object[] row : rows) {
        part.add(row);
      }
      return part.finish().orElseThrow();
    }
  }

  /** Writes them with parquet-java's own record objects. */
  @Benchmark
  @OperationsPerInvocation(ROWS)
  public long peerWriteGroups() throws IOException {
    Path file = folder.resolve("peer.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(schema)
            .withConf(new PlainParquetConfiguration())
            .withWriterVersion(WriterVersion.PARQUET_1_0)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withRowGroupSize(ROW_GROUP)
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .build()) {
      for (Object[] row : rows) {
        writer.write(group(row));
      }
    }
    return Files.size(file);
  }

  private Group group(Object[] row) {
    Group group = new SimpleGroup(schema);
    for (int i = 0; i < row.length; i++) {
      if (row[i] instanceof byte[] bytes) {
        group.add(i, Binary.fromConstantByteArray(bytes));
      } else if (row[i] instanceof String text) {
        group.add(i, text);
      } else if (row[i] instanceof Instant time) {
        group.add(i, time.getEpochSecond() * 1_000_000_000L + time.getNano());
      } else if (row[i] instanceof Long number) {
        group.add(i, number.longValue());
      } else if (row[i] instanceof Boolean yes) {
        group.add(i, yes.booleanValue());
      }
    }
    return group;
  }
}
