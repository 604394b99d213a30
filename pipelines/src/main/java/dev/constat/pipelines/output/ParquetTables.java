package dev.constat.pipelines.output;

import com.github.luben.zstd.util.Native;
import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.table.TableSchema;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tables as Parquet files below a staging folder that client and workers see under the same path:
 * one file per table and bucket that has rows, {@code decisions/part-00017-of-00064.parquet}.
 *
 * <p>The same rows give the same bytes, wherever and however often they are written. Columns stand
 * in the order of the schema, all optional but lists; text is STRING, times are TIMESTAMP(NANOS,
 * UTC), lists have the three levels of the format's specification. Pages are compressed with ZSTD;
 * row groups have about 32 MiB, which is also what an open part needs of the heap ({@link
 * ParquetRows}).
 */
public final class ParquetTables implements TableSink {

  private static final long serialVersionUID = 1;

  private final String staging;
  private final InputFiles inputs;
  private final FileOperations files;

  /**
   * Tables below {@link Staging#folder}.
   *
   * @param inputs names of the files that rows come from
   */
  public ParquetTables(String staging, InputFiles inputs) {
    this(staging, inputs, LocalFiles.INSTANCE);
  }

  ParquetTables(String staging, InputFiles inputs, FileOperations files) {
    this.staging = staging;
    this.inputs = inputs;
    this.files = files;
  }

  /** Path below the run's folder of the part that holds a bucket. */
  public static String nameOf(TableSchema table, int bucket, int buckets) {
    Preconditions.checkElementIndex(bucket, buckets, "bucket");
    return String.format(
        Locale.ROOT, "%s/part-%05d-of-%05d.parquet", table.name(), bucket, buckets);
  }

  @Override
  public Part open(TableSchema table, int bucket, int buckets) {
    return new ParquetPart(table, nameOf(table, bucket, buckets));
  }

  /**
   * Writes, for each of {@code tables} of which no receipt is at hand, the part of bucket 0 without
   * a row, so that a table without rows is one empty file with its schema. Returns the receipts of
   * these.
   */
  public ImmutableList<Receipt> completing(
      Collection<TableSchema> tables, Collection<Receipt> receipts, int buckets)
      throws IOException {
    Set<String> written = receipts.stream().map(Receipt::table).collect(Collectors.toSet());
    ImmutableList.Builder<Receipt> empty = ImmutableList.builder();
    for (TableSchema table : tables) {
      if (!written.contains(table.name())) {
        try (ParquetPart part = new ParquetPart(table, nameOf(table, 0, buckets))) {
          part.start();
          empty.add(part.complete());
        }
      }
    }
    return empty.build();
  }

  /** One file; created by the first row. */
  private final class ParquetPart implements Part {

    private final TableSchema table;
    private final String name;
    private StagedFile file;
    private SettledFile target;
    private ParquetRows rows;
    private long count;

    ParquetPart(TableSchema table, String name) {
      this.table = table;
      this.name = name;
    }

    void start() throws IOException {
      loadZstd();
      file = StagedFile.create(Path.of(staging), name, files);
      target = new SettledFile(file);
      rows = new ParquetRows(new RowColumns(table, inputs), table, target);
    }

    @Override
    public void add(Object[] row) throws IOException {
      if (rows == null) {
        start();
      }
      rows.write(row);
      count++;
    }

    @Override
    public Optional<Receipt> finish() throws IOException {
      return rows == null ? Optional.empty() : Optional.of(complete());
    }

    Receipt complete() throws IOException {
      rows.finish(target::holdTail);
      target.finish();
      RunFile written = file.publish(OptionalLong.of(count));
      return new Receipt(table.name(), name, count, written.bytes(), written.sha256());
    }

    @Override
    public void close() throws IOException {
      try (StagedFile closing = file) {
        if (rows != null) {
          rows.close();
        }
      }
    }
  }

  private static void loadZstd() throws OutputException {
    try {
      Native.load();
    } catch (LinkageError e) {
      throw OutputException.of(
          OutputException.Problem.NOT_ALLOWED,
          TemporaryFiles.machines(),
          "The compression library cannot be unpacked and loaded (" + e.getMessage() + ")",
          "Set -Djava.io.tmpdir to a folder from which programs may run");
    }
  }
}
