package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import java.io.Closeable;
import java.io.IOException;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;

/**
 * Writes rows to a Parquet file with parquet-java's column, page and file writers, and does what
 * its {@link ParquetWriter} does, but for the tree of fields in between, through which that one
 * leads every value and which takes a third of its time. Settles all that would otherwise come from
 * defaults or a configuration.
 *
 * <p><b>Memory.</b> A row group, {@value #ROW_GROUP} bytes before they are compressed.
 */
final class ParquetRows implements Closeable {

  private static final long ROW_GROUP = 32L << 20;

  private final RowColumns columns;
  private final ParquetProperties properties;
  private final ZstdPages codec = new ZstdPages();
  private final ParquetFileWriter file;

  private ColumnChunkPageWriteStore pages;
  private ColumnWriteStore store;
  private int rowGroup;
  private long rowGroupBytes = ROW_GROUP;
  private long rows;
  private long nextCheck;

  /** Begins a file. */
  ParquetRows(RowColumns columns, TableSchema table, OutputFile target) throws IOException {
    this.columns = columns;
    this.properties = properties(table);
    this.file =
        new ParquetFileWriter(
            target,
            columns.schema(),
            ParquetFileWriter.Mode.CREATE,
            ROW_GROUP,
            ParquetWriter.MAX_PADDING_SIZE_DEFAULT,
            null,
            properties);
    file.start();
    this.nextCheck = properties.getMinRowCountForPageSizeCheck();
    begin();
  }

  private static ParquetProperties properties(TableSchema table) {
    ParquetProperties.Builder settings =
        ParquetProperties.builder()
            .withWriterVersion(WriterVersion.PARQUET_1_0)
            .withDictionaryEncoding(true)
            .withSizeStatisticsEnabled(false); // takes a tenth of the time, and no reader asks
    // The settings of the writer made last are those of all in the process, in parquet-java, and
    // every writer asks them about its columns. So all writers have the same.
    Tables.ALL.forEach(each -> settle(settings, each));
    settle(settings, table);
    return settings.build();
  }

  private static void settle(ParquetProperties.Builder settings, TableSchema table) {
    for (TableSchema.Column column : table.columns()) {
      if (column.distinct()) {
        settings.withDictionaryEncoding(column.name(), false);
        // Bounds of ids and hashes in no order exclude nothing.
        settings.withStatisticsEnabled(column.name(), column.type() == TableSchema.Type.TIME);
      }
    }
  }

  private void begin() {
    pages =
        new ColumnChunkPageWriteStore(
            codec.getCompressor(CompressionCodecName.ZSTD),
            columns.schema(),
            properties.getAllocator(),
            properties.getColumnIndexTruncateLength(),
            properties.getPageWriteChecksumEnabled(),
            null,
            rowGroup);
    store = properties.newColumnWriteStore(columns.schema(), pages, pages);
    columns.begin(store);
  }

  /** Writes a row. */
  void write(Object[] row) throws IOException {
    columns.write(row);
    if (store.isColumnFlushNeeded()) {
      columns.settle();
    }
    store.endRecord();
    rows++;
    if (rows >= nextCheck) {
      check();
    }
  }

  /** Ends the row group when it is full, and estimates when to look again, as parquet-java does. */
  private void check() throws IOException {
    long bytes = store.getBufferedSize();
    long perRow = bytes / rows;
    if (bytes > rowGroupBytes - 2 * perRow) {
      long written = rows;
      end();
      begin();
      nextCheck = nextCheck(written / 2, 0);
    } else {
      nextCheck = nextCheck((rows + (long) (rowGroupBytes / (float) perRow)) / 2, rows);
    }
  }

  /** When to look again, which is neither too soon nor too long from a number of rows. */
  private long nextCheck(long count, long from) {
    return Math.min(
        Math.max(properties.getMinRowCountForPageSizeCheck(), count),
        from + properties.getMaxRowCountForPageSizeCheck());
  }

  private void end() throws IOException {
    columns.settle();
    if (rows > 0) {
      rowGroup++;
      file.startBlock(rows);
      store.flush();
      pages.flushToFileWriter(file);
      file.endBlock();
      rowGroupBytes = Math.min(file.getNextRowGroupSize(), ROW_GROUP);
      rows = 0;
    }
    store.close();
    pages.close();
  }

  /**
   * Completes the file.
   *
   * @param afterLastRowGroup called once all row groups are written, before the footer is
   */
  void finish(Runnable afterLastRowGroup) throws IOException {
    end();
    afterLastRowGroup.run();
    file.end(ImmutableMap.of("constat.contract", "constat/1"));
    close();
  }

  /** Gives up what does not lie on the heap, be the file complete or not. */
  @Override
  public void close() {
    codec.release();
  }
}
