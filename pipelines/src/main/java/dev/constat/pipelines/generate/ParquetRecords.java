package dev.constat.pipelines.generate;

import com.google.common.collect.ImmutableMap;
import dev.constat.pipelines.output.SettledFile;
import dev.constat.pipelines.output.ZstdPages;
import dev.constat.rules.synthesis.SyntheticRecord;
import dev.constat.rules.synthesis.SyntheticTable.Column;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * Records as a Parquet file, as a live system's collector writes them: text is STRING, times are
 * TIMESTAMP(MICROS, UTC), all columns are optional, pages ZSTD. Row groups have about 32 MiB, which
 * is also what an open file needs of the heap. The same records give the same bytes.
 */
final class ParquetRecords implements RecordFile {

  private static final long ROW_GROUP = 32L << 20;

  /** Columns in which values hardly repeat, of any table: dictionaries would be given up anyway. */
  private static final List<String> DISTINCT =
      List.of(
          "ingestion_id",
          "source_event_id",
          "source_sequence",
          "occurred_at",
          "received_at",
          "payload",
          "payload_hash",
          "supersedes",
          "original_event_id",
          "outbox_id",
          "created_at",
          "dispatched_at",
          "ack_id",
          "acked_at",
          "effect_key",
          "decided_at",
          "values",
          "event_ids",
          "computed_at");

  private final OutputStream out;
  private final SettledFile target;
  private final ParquetWriter<SyntheticRecord> writer;

  /** Writes to a new file. */
  ParquetRecords(List<Column> columns, Path file) throws IOException {
    out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
    target = new SettledFile(out);
    writer = new Builder(columns, target).build();
  }

  @Override
  public void write(SyntheticRecord entry) throws IOException {
    writer.write(entry);
  }

  @Override
  public void close() throws IOException {
    try {
      writer.close();
      target.finish();
    } finally {
      out.close();
    }
  }

  /** Settles all that parquet-java would otherwise take from defaults or a configuration. */
  private static final class Builder extends ParquetWriter.Builder<SyntheticRecord, Builder> {

    private final List<Column> columns;
    private final SettledFile target;

    Builder(List<Column> columns, SettledFile target) {
      super(target);
      this.columns = columns;
      this.target = target;
      withConf(new PlainParquetConfiguration());
      withWriterVersion(WriterVersion.PARQUET_1_0);
      withCompressionCodec(CompressionCodecName.ZSTD);
      withCodecFactory(new ZstdPages());
      withRowGroupSize(ROW_GROUP);
      // In parquet-java the settings of the writer made last are those of all in the process. So
      // all have the same, whatever their columns are.
      DISTINCT.forEach(column -> withDictionaryEncoding(column, false));
      withSizeStatisticsEnabled(false);
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract all the same
    protected WriteSupport<SyntheticRecord> getWriteSupport(Configuration conf) {
      return new Support(columns, target);
    }

    @Override
    protected WriteSupport<SyntheticRecord> getWriteSupport(ParquetConfiguration conf) {
      return new Support(columns, target);
    }
  }

  /** Writes values straight from the record. */
  private static final class Support extends WriteSupport<SyntheticRecord> {

    private final List<Column> columns;
    private final SettledFile target;
    private final String[] names;
    private RecordConsumer out;

    Support(List<Column> columns, SettledFile target) {
      this.columns = columns;
      this.target = target;
      this.names = columns.stream().map(Column::name).toArray(String[]::new);
    }

    @Override
    @SuppressWarnings("deprecation") // abstract all the same
    public WriteContext init(Configuration conf) {
      return init();
    }

    @Override
    public WriteContext init(ParquetConfiguration conf) {
      return init();
    }

    private WriteContext init() {
      return new WriteContext(
          new MessageType("record", columns.stream().map(Support::typeOf).toList()),
          ImmutableMap.of());
    }

    private static Type typeOf(Column column) {
      return switch (column.type()) {
        case TEXT, JSON ->
            Types.optional(PrimitiveTypeName.BINARY)
                .as(LogicalTypeAnnotation.stringType())
                .named(column.name());
        case TIME ->
            Types.optional(PrimitiveTypeName.INT64)
                .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS))
                .named(column.name());
        case INTEGER -> Types.optional(PrimitiveTypeName.INT64).named(column.name());
        case BOOLEAN -> Types.optional(PrimitiveTypeName.BOOLEAN).named(column.name());
      };
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      out = consumer;
    }

    @Override
    public void write(SyntheticRecord entry) {
      out.startMessage();
      for (int i = 0; i < names.length; i++) {
        if (!entry.has(i)) {
          continue;
        }
        out.startField(names[i], i);
        switch (columns.get(i).type()) {
          case TEXT, JSON -> out.addBinary(Binary.fromConstantByteArray(entry.text(i)));
          case TIME, INTEGER -> out.addLong(entry.number(i));
          case BOOLEAN -> out.addBoolean(entry.number(i) != 0);
        }
        out.endField(names[i], i);
      }
      out.endMessage();
    }

    @Override
    public FinalizedWriteContext finalizeWrite() {
      target.holdTail();
      return super.finalizeWrite();
    }
  }
}
