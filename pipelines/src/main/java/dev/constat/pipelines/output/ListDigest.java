package dev.constat.pipelines.output;

import com.google.common.hash.Hashing;
import com.google.common.primitives.UnsignedBytes;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;

/**
 * One digest over a list of files, so that two lists can be told apart at a glance: the SHA-256 of
 * a text with a line per file, sorted by the UTF-8 bytes of the names. A line is what {@code
 * sha256sum} prints: digest, two spaces, name, line feed; where the name holds a backslash, line
 * feed or carriage return, these are written {@code \\}, {@code \n} and {@code \r}, the line begins
 * with a backslash, and the name is sorted as it is written.
 */
public final class ListDigest {

  /**
   * A file of a list.
   *
   * @param name its name there
   * @param sha256 its digest, in hex
   */
  public record Entry(String name, String sha256) {}

  private ListDigest() {}

  /** The digest of a list in any order, in hex. */
  public static String of(Collection<Entry> entries) {
    StringBuilder text = new StringBuilder();
    entries.stream()
        .map(Line::of)
        .sorted(
            Comparator.<Line, byte[]>comparing(
                    line -> bytes(line.name), UnsignedBytes.lexicographicalComparator())
                .thenComparing(line -> line.digest))
        .forEach(line -> text.append(line.digest).append("  ").append(line.name).append('\n'));
    return Hashing.sha256().hashBytes(bytes(text.toString())).toString();
  }

  private record Line(String digest, String name) {

    static Line of(Entry entry) {
      String name = entry.name().replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
      return new Line((name.equals(entry.name()) ? "" : "\\") + entry.sha256(), name);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
