package dev.constat.pipelines.fuzz;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.rules.envelope.Input;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One file, written again and again. */
final class Scratch {

  private final Path file;

  Scratch(String name) {
    try {
      Path folder = Files.createTempDirectory("constat-fuzz");
      file = folder.resolve(name);
      file.toFile().deleteOnExit();
      folder.toFile().deleteOnExit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file with some content. */
  ArchiveFile with(Input input, byte[] content) throws IOException {
    Files.write(file, content);
    return ArchiveFile.of(input, 0, file.getFileName().toString(), file);
  }
}
