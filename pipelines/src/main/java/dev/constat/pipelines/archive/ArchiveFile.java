package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * A file of an input as it was when it was listed.
 *
 * @param input the input it belongs to
 * @param rank its rank by name among the files of that input, from 0: {@link Place#file}
 * @param name its path relative to the run spec's folder, with forward slashes: what evidence says;
 *     of the extract of a table, the table's
 * @param keyColumn of the extract of a table, the column that tells its rows apart; else null
 * @param location where it lies on this machine, as a URI; stands in no output
 * @param size in bytes
 * @param modified when it was last written, in nanoseconds since 1970
 * @param changed when anything of it last changed, its name and attributes too, in nanoseconds
 *     since 1970; 0 where the system does not say. Another file of the same size and time of
 *     writing in its place shows in this alone
 */
public record ArchiveFile(
    Input input,
    int rank,
    String name,
    String keyColumn,
    String location,
    long size,
    long modified,
    long changed)
    implements Serializable {

  /** A file as it is now. */
  public static ArchiveFile of(Input input, int rank, String name, Path path) throws IOException {
    return new ArchiveFile(input, rank, name, null, path.toUri().toString(), 0, 0, 0).asItIsNow();
  }

  /**
   * The extract of a table, which may not be there yet.
   *
   * @param keyColumn the column that tells the table's rows apart
   */
  public static ArchiveFile ofTable(
      Input input, int rank, String table, String keyColumn, Path path) {
    return new ArchiveFile(input, rank, table, keyColumn, path.toUri().toString(), 0, 0, 0);
  }

  /** The same file with the size and time that it has now. */
  public ArchiveFile asItIsNow() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path(), BasicFileAttributes.class);
    return new ArchiveFile(
        input,
        rank,
        name,
        keyColumn,
        location,
        attributes.size(),
        nanos(attributes.lastModifiedTime()),
        changed(path()));
  }

  /** Whether it is the extract of a table. */
  public boolean isExtract() {
    return keyColumn != null;
  }

  /** Where it lies. */
  public Path path() {
    return Path.of(URI.create(location));
  }

  /** The place that stands for the file as a whole. */
  Place start() {
    return new Place(input.ordinal(), rank, 0, 0, 0);
  }

  /**
   * Makes sure that the file is the one that was listed.
   *
   * @throws ArchiveChangedException if its size, time of writing or time of change is another, or
   *     it is gone
   */
  void requireUnchanged() throws IOException {
    try {
      BasicFileAttributes now = Files.readAttributes(path(), BasicFileAttributes.class);
      if (now.size() == size
          && nanos(now.lastModifiedTime()) == modified
          && changed(path()) == changed) {
        return;
      }
    } catch (NoSuchFileException e) {
      throw new ArchiveChangedException(name + " was removed while it was read", e);
    } catch (IOException e) {
      throw ArchiveUnreadableException.of(this, e);
    }
    throw new ArchiveChangedException(name + " changed while it was read", null);
  }

  private static long changed(Path path) throws IOException {
    return path.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? nanos((FileTime) Files.getAttribute(path, "unix:ctime"))
        : 0;
  }

  private static long nanos(FileTime time) {
    return time.to(TimeUnit.NANOSECONDS);
  }
}
