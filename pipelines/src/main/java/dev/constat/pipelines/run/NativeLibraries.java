package dev.constat.pipelines.run;

import com.github.luben.zstd.util.Native;
import dev.constat.pipelines.output.TemporaryDirectoryException;
import java.nio.file.Path;
import org.xerial.snappy.Snappy;

/**
 * The libraries in machine code that pages are packed with. They are unpacked into the temporary
 * directory when they are first asked for; that is done here, at the beginning, where it can be
 * said what is wrong.
 */
final class NativeLibraries {

  private NativeLibraries() {}

  /**
   * Loads them.
   *
   * @throws TemporaryDirectoryException if they cannot be: no space is left, or nothing that stands
   *     there may be executed
   */
  static void load() throws TemporaryDirectoryException {
    try {
      Snappy.getNativeLibraryVersion();
      Snappy.maxCompressedLength(0);
      Native.load();
    } catch (RuntimeException | Error e) {
      throw TemporaryDirectoryException.of(
          Path.of(System.getProperty("java.io.tmpdir")),
          "unpack and load the libraries of zstd and snappy",
          e);
    }
  }
}
