package dev.constat.pipelines.archive;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.UnsignedBytes;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of one input, as its globs and paths match them.
 *
 * <p>A path names a file, or a folder with everything below it. A glob is matched folder by folder:
 * {@code *}, {@code ?}, {@code [...]} and {@code {a,b}} inside a name, {@code **} for any number of
 * folders, none too. Symbolic links are followed. What a glob or a folder finds and whose name
 * begins with {@code _} or {@code .} is left out and noted (markers, checksums, temporary folders);
 * a path that names such a file means it. A file that is matched twice counts once.
 *
 * @param files by name, in unsigned order of its UTF-8 bytes
 * @param notes what was left out, by name
 */
public record ArchiveListing(ImmutableList<ArchiveFile> files, ImmutableList<Note> notes) {

  private static final char REPLACEMENT = '\uFFFD';

  private static final Comparator<String> BY_BYTES =
      Comparator.comparing(
          name -> name.getBytes(StandardCharsets.UTF_8), UnsignedBytes.lexicographicalComparator());

  /**
   * Something that a reader of the report should know about a file or pattern.
   *
   * @param file name of the file, or a pattern as written
   * @param text what about it
   */
  public record Note(String file, String text) {}

  /**
   * Lists the files of an archive.
   *
   * @param folder the folder of the run spec
   * @throws ArchiveListingException if a path names nothing or a folder cannot be read; a glob may
   *     match nothing
   */
  public static ArchiveListing of(Input input, Archive archive, Path folder) throws IOException {
    Path base = folder.toAbsolutePath().normalize();
    TreeMap<String, Path> found = new TreeMap<>(BY_BYTES);
    TreeMap<String, String> notes = new TreeMap<>(BY_BYTES);
    for (String pattern : archive.files()) {
      FilePattern.Matches matches = FilePattern.of(input, pattern).match(base);
      for (Path file : matches.files()) {
        found.put(requireText(input, name(base, file), file), file);
      }
      matches.skipped().forEach(file -> notes.put(name(base, file), "skipped by its name"));
      if (matches.isEmpty()) {
        notes.put(pattern, "matches no file");
      }
    }
    dropSecondNames(found, notes);
    found.keySet().forEach(notes::remove);

    ImmutableList.Builder<ArchiveFile> files = ImmutableList.builder();
    int rank = 0;
    for (Map.Entry<String, Path> file : found.entrySet()) {
      files.add(asItIsNow(input, rank++, file.getKey(), file.getValue()));
    }
    List<Note> listed = new ArrayList<>();
    notes.forEach((file, text) -> listed.add(new Note(file, text)));
    return new ArchiveListing(files.build(), ImmutableList.copyOf(listed));
  }

  private static ArchiveFile asItIsNow(Input input, int rank, String name, Path path)
      throws ArchiveListingException {
    try {
      return ArchiveFile.of(input, rank, name, path);
    } catch (IOException e) {
      throw new ArchiveListingException(
          "%s: %s cannot be looked at: %s; put it back, or give the user of this process permission"
                  .formatted(input.key(), name, e)
              + " to read it",
          e);
    }
  }

  /**
   * Names of files stand in outputs, which are UTF-8. Bytes that are none would come out alike for
   * two files, and one of them would be lost.
   */
  private static String requireText(Input input, String name, Path file)
      throws ArchiveListingException {
    if (name.indexOf(REPLACEMENT) >= 0 && !file.toUri().getRawPath().contains("%EF%BF%BD")) {
      throw new ArchiveListingException(
          "%s: the name of %s is no UTF-8; rename the file"
              .formatted(input.key(), file.toUri().getRawPath()),
          null);
    }
    return name;
  }

  /** Keeps the first name of a file that links give several. */
  private static void dropSecondNames(TreeMap<String, Path> found, TreeMap<String, String> notes)
      throws IOException {
    Map<Path, String> names = new HashMap<>();
    for (Map.Entry<String, Path> file : found.entrySet()) {
      String first = names.putIfAbsent(file.getValue().toRealPath(), file.getKey());
      if (first != null) {
        notes.put(file.getKey(), "skipped: another name of " + first);
      }
    }
    found.keySet().retainAll(names.values());
  }

  /**
   * The path of {@code file} relative to {@code folder}, taken from the bytes of their names so
   * that it does not depend on the locale.
   */
  private static String name(Path folder, Path file) {
    String[] from = segments(folder);
    String[] to = segments(file);
    int shared = 0;
    while (shared < from.length && shared < to.length - 1 && from[shared].equals(to[shared])) {
      shared++;
    }
    StringBuilder name = new StringBuilder("../".repeat(from.length - shared));
    for (int i = shared; i < to.length; i++) {
      name.append(decode(to[i])).append(i < to.length - 1 ? "/" : "");
    }
    return name.toString();
  }

  private static String[] segments(Path path) {
    String raw = path.toUri().getRawPath();
    String trimmed =
        raw.substring(1, raw.endsWith("/") ? Math.max(1, raw.length() - 1) : raw.length());
    return trimmed.isEmpty() ? new String[0] : trimmed.split("/");
  }

  private static String decode(String segment) {
    // Unlike in forms, a plus sign of a path is a plus sign.
    return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
