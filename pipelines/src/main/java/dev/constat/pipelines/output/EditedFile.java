package dev.constat.pipelines.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file of the user's that a command was asked to change. */
public final class EditedFile {

  private EditedFile() {}

  /**
   * Gives a file another text in one step: whoever reads it sees the old one or the new one.
   *
   * @throws OutputException if the file or one beside it cannot be written
   */
  public static void replace(Path file, String text) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path next = target.resolveSibling("." + target.getFileName() + ".next");
    try {
      Files.write(next, text.getBytes(StandardCharsets.UTF_8));
      Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw OutputException.of(target, e);
    } finally {
      Files.deleteIfExists(next);
    }
  }
}
