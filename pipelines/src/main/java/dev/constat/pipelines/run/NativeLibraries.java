package dev.constat.pipelines.run;

import com.github.luben.zstd.util.Native;
import dev.constat.pipelines.output.TemporaryDirectoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.xerial.snappy.Snappy;

/**
 * The libraries in machine code that pages are packed with. They are unpacked into a temporary
 * folder when they are first asked for; that is done here, at the beginning, where it can be said
 * what is wrong, and into a folder that is removed even if the process is killed.
 */
final class NativeLibraries {

  /** As much as they take, unpacked; asked for first, because snappy tells of its own failure. */
  private static final long NEEDED = 2L << 20;

  private NativeLibraries() {}

  /**
   * Loads them, if this process has not done so before.
   *
   * @param folder where they are unpacked
   * @throws TemporaryDirectoryException if they cannot be: no space is left, or nothing that stands
   *     there may be executed
   */
  static void load(Path folder) throws TemporaryDirectoryException {
    System.setProperty("org.xerial.snappy.tempdir", folder.toString());
    System.setProperty("ZstdTempFolder", folder.toString());
    try {
      if (Files.getFileStore(folder).getUsableSpace() < NEEDED) {
        throw new IOException("less than " + NEEDED + " bytes are free");
      }
      Snappy.getNativeLibraryVersion();
      Snappy.maxCompressedLength(0);
      Native.load();
    } catch (IOException | RuntimeException | Error e) {
      throw TemporaryDirectoryException.of(
          folder, "unpack and load the libraries of zstd and snappy", e);
    }
  }
}
