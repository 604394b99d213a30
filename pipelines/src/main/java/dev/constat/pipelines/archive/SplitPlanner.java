package dev.constat.pipelines.archive;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.archive.ParquetColumns.MisfitException;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.Format;
import java.io.IOException;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.MessageType;

/**
 * Cuts a file into splits: a Parquet file into its row groups, a file of lines every so many bytes,
 * a gzip file not at all. What the file is, its first bytes tell; its name is asked only where it
 * is empty.
 *
 * @param lineBytes where files of lines are cut
 * @param limits what is larger is told as unreadable
 */
public record SplitPlanner(long lineBytes, Limits limits) implements Serializable {

  /** Where files of lines are cut, in bytes. */
  public static final long LINE_BYTES = 32L << 20;

  /** A planner that cuts files as runs do, with the limits of a run spec that gives none. */
  public static SplitPlanner create() {
    return new SplitPlanner(LINE_BYTES, Limits.DEFAULT);
  }

  /** The same with other limits. */
  public SplitPlanner withLimits(Limits other) {
    return new SplitPlanner(lineBytes, other);
  }

  /** The same with files of lines cut elsewhere. */
  SplitPlanner withLineBytes(long bytes) {
    return new SplitPlanner(bytes, limits);
  }

  /**
   * Plans one file. A file or row group that cannot be read is told to {@code sink}, and so are the
   * columns of a Parquet file that the run does not use.
   *
   * @throws ArchiveChangedException if the file is not the one that was listed
   */
  public ImmutableList<Split> plan(ArchiveFile file, Layout layout, Archive archive, RowSink sink)
      throws IOException {
    file.requireUnchanged();
    Content content = Content.of(file);
    Unreadable refusal = refusal(file, content, archive.format());
    if (refusal != null) {
      sink.unreadable(refusal);
      return ImmutableList.of();
    }
    return switch (content) {
      case PARQUET -> rowGroups(file, layout, archive, sink);
      case GZIP -> ImmutableList.of(new Split(file, Split.Kind.GZIP_LINES, 0, 0, file.size(), 0));
      default -> ranges(file);
    };
  }

  private static Unreadable refusal(ArchiveFile file, Content content, Format declared) {
    String name = file.name().toLowerCase(Locale.ROOT);
    return switch (content) {
      case EMPTY ->
          declared == Format.PARQUET || name.endsWith(".parquet") || name.endsWith(".gz")
              ? WholeFile.unreadable(file, "the file is empty", "fetch or write it again")
              : null;
      case PARQUET ->
          declared != null && declared != Format.PARQUET ? mismatch(file, content, declared) : null;
      case TEXT, GZIP -> declared == Format.PARQUET ? mismatch(file, content, declared) : null;
      default ->
          WholeFile.unreadable(
              file,
              "the file is " + content.label() + ", neither Parquet nor JSON lines",
              "write it as Parquet or JSON lines in UTF-8, plain or gzip");
    };
  }

  private static Unreadable mismatch(ArchiveFile file, Content content, Format declared) {
    return WholeFile.unreadable(
        file,
        "the file is %s, declared as %s"
            .formatted(content.label(), declared.name().toLowerCase(Locale.ROOT)),
        "leave it out of files, or format out of the run spec");
  }

  private ImmutableList<Split> ranges(ArchiveFile file) {
    ImmutableList.Builder<Split> splits = ImmutableList.builder();
    int part = 0;
    for (long from = 0; from < file.size(); from += lineBytes) {
      long to = Math.min(file.size(), from + lineBytes);
      splits.add(new Split(file, Split.Kind.LINES, part++, from, to, 0));
    }
    return splits.build();
  }

  private ImmutableList<Split> rowGroups(
      ArchiveFile file, Layout layout, Archive archive, RowSink sink) throws IOException {
    try (ParquetInput input = ParquetInput.open(file)) {
      try (ParquetFileReader reader = input.openReader()) {
        MessageType schema = reader.getFileMetaData().getSchema();
        if (schema.getFieldCount() > limits.columns()) {
          sink.unreadable(tooWide(file, schema.getFieldCount()));
          return ImmutableList.of();
        }
        ParquetColumns columns = ParquetColumns.of(file, schema, layout, archive);
        columns.tell(schema, sink);
        return rowGroups(file, reader, columns, sink);
      } catch (MisfitException e) {
        sink.unreadable(e.unreadable());
      } catch (IOException | RuntimeException e) {
        input.rethrowFailure();
        file.requireUnchanged();
        sink.unreadable(
            WholeFile.unreadable(
                file,
                "the footer cannot be read: " + ParquetRowGroup.cause(e),
                "fetch or write the file again"));
      }
    }
    return ImmutableList.of();
  }

  private Unreadable tooWide(ArchiveFile file, int columns) {
    return WholeFile.unreadable(
        file,
        "the file is over limits.columns: it has %s columns, more than %s"
            .formatted(columns, limits.columns()),
        "raise it with limits: {columns: ...} in the run spec, or write the file with fewer");
  }

  private ImmutableList<Split> rowGroups(
      ArchiveFile file, ParquetFileReader reader, ParquetColumns columns, RowSink sink) {
    Set<String> used = new HashSet<>();
    columns.used().forEach(column -> used.add(column.field().getName()));
    ImmutableList.Builder<Split> splits = ImmutableList.builder();
    long firstRow = 0;
    int part = 0;
    for (BlockMetaData group : reader.getRowGroups()) {
      Chunks chunks = Chunks.of(group, used);
      Split split =
          new Split(file, Split.Kind.ROW_GROUP, part++, chunks.from(), chunks.to(), firstRow);
      Unreadable refusal = refusal(split, chunks, columns, group.getRowCount());
      if (refusal != null) {
        sink.unreadable(refusal);
      } else if (group.getRowCount() > 0) {
        splits.add(split);
      }
      firstRow += Math.max(0, group.getRowCount());
    }
    return splits.build();
  }

  private Unreadable refusal(Split split, Chunks chunks, ParquetColumns columns, long rows) {
    Place start = split.start();
    String group = "row group " + split.part();
    if (rows < 0 || chunks.count() != columns.used().size()) {
      return WholeFile.unreadable(
          start, group + " lacks chunks or rows", "fetch or write the file again");
    }
    if (chunks.from() < 0 || chunks.to() > split.file().size() || chunks.bytes() < 0) {
      return WholeFile.unreadable(
          start, group + " lies outside the file", "fetch or write the file again");
    }
    if (chunks.unreadableCodec() != null) {
      return WholeFile.unreadable(
          start,
          group + " is packed with " + chunks.unreadableCodec(),
          "write it with zstd, snappy, gzip or lz4_raw");
    }
    if (chunks.bytes() > limits.rowGroupBytes()) {
      return WholeFile.unreadable(
          start,
          "%s is over limits.row_group_bytes: it has %s bytes in the columns used, more than %s"
              .formatted(group, chunks.bytes(), limits.rowGroupBytes()),
          "raise it with limits: {row_group_bytes: ...} in the run spec, or write the file with"
              + " smaller row groups");
    }
    return null;
  }

  /** The chunks of the used columns in a row group. */
  private record Chunks(int count, long from, long to, long bytes, String unreadableCodec) {

    static Chunks of(BlockMetaData group, Set<String> used) {
      int count = 0;
      long from = Long.MAX_VALUE;
      long to = 0;
      long bytes = 0;
      String codec = null;
      for (ColumnChunkMetaData chunk : group.getColumns()) {
        if (chunk.getPath().size() == 1 && used.contains(chunk.getPath().toArray()[0])) {
          count++;
          from = Math.min(from, chunk.getStartingPos());
          to = Math.max(to, chunk.getStartingPos() + chunk.getTotalSize());
          bytes = chunk.getTotalSize() < 0 ? -1 : bytes + chunk.getTotalSize();
          codec = PageCodecs.canRead(chunk.getCodec()) ? codec : chunk.getCodec().name();
        }
      }
      return new Chunks(count, count == 0 ? 0 : from, to, bytes, codec);
    }
  }
}
