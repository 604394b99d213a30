package dev.constat.transforms.buckets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Spill space in a directory of a test, where a run that is left open leaves a file. */
record DirectorySpillSpace(String directory) implements SpillSpace {

  @Override
  public Run open() throws IOException {
    Path file = Files.createTempFile(Path.of(directory), "test-", ".run");
    return new Run() {
      @Override
      public OutputStream write() throws IOException {
        return Files.newOutputStream(file);
      }

      @Override
      public InputStream read() throws IOException {
        return Files.newInputStream(file);
      }

      @Override
      public void close() throws IOException {
        Files.delete(file);
      }
    };
  }
}
