package dev.constat.pipelines.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * How parquet-java writes a file of a test.
 *
 * @param pageSize bytes of a page, about
 */
record ParquetFiles(
    WriterVersion version, CompressionCodecName codec, boolean dictionary, int pageSize) {

  /** Plain files of small pages. */
  static final ParquetFiles PLAIN =
      new ParquetFiles(WriterVersion.PARQUET_1_0, CompressionCodecName.UNCOMPRESSED, true, 1024);

  static MessageType schema(String fields) {
    return MessageTypeParser.parseMessageType("message m { " + fields + " }");
  }

  /** Writes rows. */
  void write(Path file, MessageType schema, List<Consumer<Group>> rows) throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withType(schema)
            .withWriterVersion(version)
            .withCompressionCodec(codec)
            .withDictionaryEncoding(dictionary)
            .withPageSize(pageSize)
            .withMinRowCountForPageSizeCheck(1)
            .build()) {
      for (Consumer<Group> row : rows) {
        Group group = new SimpleGroup(schema);
        row.accept(group);
        writer.write(group);
      }
    }
  }
}
