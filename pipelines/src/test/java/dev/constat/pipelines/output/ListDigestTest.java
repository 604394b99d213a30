package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListDigestTest {

  @TempDir private Path folder;

  @Test
  void isWhatSha256sumAndSortMakeOfIt() throws Exception {
    List<ListDigest.Entry> entries = new ArrayList<>();
    for (String name :
        List.of(
            "z", "a b", "a", "B.parquet", "a!", "back\\slash", "two\nlines", "deep/er", "a-b")) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "content of " + name);
      entries.add(
          new ListDigest.Entry(
              name, Hashing.sha256().hashBytes(Files.readAllBytes(file)).toString()));
    }
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "find . -type f -printf '%P\\0' | xargs -0 sha256sum | LC_ALL=C sort -k 2 | sha256sum")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(printed).isZero();
    assertThat(printed).isEqualTo(ListDigest.of(entries) + "  -\n");
  }

  @Test
  void namesOutsideAsciiAreSortedByTheirBytes() {
    // U+FF5E before U+1F600, by bytes; by UTF-16 units it would be the other way round
    String text = "00  ~\n11  \uFF5E\n22  \uD83D\uDE00\n";
    assertThat(
            ListDigest.of(
                List.of(
                    new ListDigest.Entry("\uD83D\uDE00", "22"),
                    new ListDigest.Entry("\uFF5E", "11"),
                    new ListDigest.Entry("~", "00"))))
        .isEqualTo(Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString());
  }

  @Test
  void anEmptyListHasOneToo() {
    assertThat(ListDigest.of(List.of()))
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }
}
