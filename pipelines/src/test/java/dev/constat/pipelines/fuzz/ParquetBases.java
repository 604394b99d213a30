package dev.constat.pipelines.fuzz;

import com.google.common.collect.ImmutableList;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Small valid Parquet files of several schemas, encodings and codecs, to be changed. */
final class ParquetBases {

  private static final String SCHEMA =
      """
      message ack {
        optional binary ack_id (STRING);
        optional binary outbox_id (STRING);
        required %s;
        optional boolean applied;
        optional int32 consumer;
        optional group nested { optional binary a; repeated int32 b; }
      }
      """;

  private static final ImmutableList<String> TIMES =
      ImmutableList.of(
          "int64 acked_at (TIMESTAMP(MILLIS,true))",
          "int64 acked_at (TIMESTAMP(NANOS,true))",
          "int96 acked_at",
          "binary acked_at (STRING)",
          "int64 acked_at (TIMESTAMP(MICROS,false))",
          "fixed_len_byte_array(24) acked_at");

  private static final ImmutableList<CompressionCodecName> CODECS =
      ImmutableList.of(
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.ZSTD,
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.SNAPPY,
          CompressionCodecName.GZIP,
          CompressionCodecName.UNCOMPRESSED);

  static final ImmutableList<Base> ALL = all();

  private ParquetBases() {}

  /**
   * One of them.
   *
   * @param file its bytes
   * @param pages where bytes of pages stand, behind their headers: all are covered by checksums
   */
  record Base(byte[] file, List<Integer> pages) {}

  private static ImmutableList<Base> all() {
    ImmutableList.Builder<Base> bases = ImmutableList.builder();
    try {
      Path folder = Files.createTempDirectory("constat-fuzz-bases");
      for (int i = 0; i < TIMES.size(); i++) {
        Path file = folder.resolve(i + ".parquet");
        write(file, i);
        bases.add(new Base(Files.readAllBytes(file), pages(file)));
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bases.build();
  }

  private static void write(Path file, int kind) throws IOException {
    MessageType schema = MessageTypeParser.parseMessageType(SCHEMA.formatted(TIMES.get(kind)));
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withType(schema)
            .withWriterVersion(
                kind % 2 == 0 ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0)
            .withCompressionCodec(CODECS.get(kind))
            .withDictionaryEncoding(kind != 3)
            .withPageWriteChecksumEnabled(true)
            .withPageRowCountLimit(4)
            .withRowGroupRowCountLimit(7)
            .build()) {
      for (int row = 0; row < 12; row++) {
        writer.write(row(schema, kind, row));
      }
    }
  }

  private static Group row(MessageType schema, int kind, int row) {
    Group group = new SimpleGroup(schema);
    group.add("ack_id", "ack-" + row);
    if (row % 3 != 0) {
      group.add("outbox_id", "o" + row % 2);
    }
    switch (kind) {
      case 2 -> group.add("acked_at", new NanoTime(2_461_046, 36_000_000_000_000L + row));
      case 3, 5 ->
          group.add(
              "acked_at",
              "2026-01-05T10:00:" + (row < 10 ? "0" : "") + row + (kind == 5 ? ".000Z" : "Z"));
      default -> group.add("acked_at", 1_767_607_200_000L + row);
    }
    if (row % 4 != 1) {
      group.add("applied", row % 2 == 0);
    }
    group.add("consumer", row % 5);
    Group nested = group.addGroup("nested");
    nested.add("a", "x");
    nested.add("b", row);
    return group;
  }

  private static List<Integer> pages(Path path) throws IOException {
    byte[] file = Files.readAllBytes(path);
    List<Integer> positions = new ArrayList<>();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(path))) {
      for (BlockMetaData group : reader.getRowGroups()) {
        for (ColumnChunkMetaData chunk : group.getColumns()) {
          int at = (int) chunk.getStartingPos();
          int end = (int) (at + chunk.getTotalSize());
          while (at < end) {
            ByteArrayInputStream in = new ByteArrayInputStream(file, at, end - at);
            PageHeader header = Util.readPageHeader(in);
            if (!header.isSetCrc()) {
              throw new IllegalStateException("A page has no checksum");
            }
            int body = end - in.available();
            at = body + header.getCompressed_page_size();
            for (int i = body; i < at; i++) {
              positions.add(i);
            }
          }
        }
      }
    }
    return positions;
  }
}
