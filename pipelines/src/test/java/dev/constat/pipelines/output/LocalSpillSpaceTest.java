package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.transforms.buckets.SpillSpace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.beam.sdk.util.SerializableUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSpillSpaceTest {

  @TempDir private Path directory;

  @Test
  void givesBackWhatWasWrittenAndLeavesNothing() throws IOException {
    byte[] bytes = new byte[1 << 20];
    new Random(1).nextBytes(bytes);
    SpillSpace space = SerializableUtils.clone(LocalSpillSpace.in(directory));

    try (SpillSpace.Run run = space.open();
        SpillSpace.Run other = space.open()) {
      try (OutputStream out = run.write();
          OutputStream into = other.write()) {
        out.write(bytes);
        into.write(7);
      }
      try (InputStream in = run.read();
          InputStream from = other.read()) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
        assertThat(from.readAllBytes()).containsExactly(7);
      }
    }

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void usesTheTemporaryDirectoryByDefault() throws IOException {
    try (SpillSpace.Run run = LocalSpillSpace.inTemporaryDirectory().open()) {
      try (OutputStream out = run.write()) {
        out.write(7);
      }
      try (InputStream in = run.read()) {
        assertThat(in.read()).isEqualTo(7);
        assertThat(in.read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void namesADirectoryThatIsMissing() {
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> LocalSpillSpace.in(missing).open())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "Cannot create a file in temporary directory %s (there is no such directory): "
                .formatted(missing));
  }

  @Test
  void namesADirectoryThatIsAFile() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> LocalSpillSpace.in(file).open())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot create a file in temporary directory " + file);
  }

  @Test
  void namesTheDirectoryWhenWritingFails() throws IOException {
    SpillSpace.Run run = LocalSpillSpace.in(directory).open();
    OutputStream out = run.write();
    run.close();

    assertThatThrownBy(() -> out.write(new byte[10]))
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "Cannot write in temporary directory \\Q%s\\E \\(\\d+ MiB free\\): .*"
                .formatted(directory));
  }
}
