package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * JVMs whose days begin elsewhere, whose digits and letters are others, and which take bytes for
 * other characters, leave the same bytes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ElsewhereIT {

  private Path folder;
  private Map<String, String> expected;

  @BeforeAll
  void runHere(@TempDir Path shared) throws Exception {
    folder = shared;
    expected = run("here", List.of(), "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8");
    assertThat(expected).hasSizeGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource({
    "Pacific/Apia, th-TH-u-ca-buddhist-nu-thai, US-ASCII",
    "Pacific/Kiritimati, tr-TR, UTF-16",
    "America/St_Johns, ar-EG-u-nu-arab, ISO-8859-1"
  })
  void theBytesAreTheSame(String zone, String locale, String encoding) throws Exception {
    String[] parts = locale.split("-", 3);
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Duser.timezone=" + zone,
                "-Duser.language=" + parts[0],
                "-Duser.country=" + parts[1],
                "-Dfile.encoding=" + encoding));
    if (parts.length > 2) {
      options.add("-Duser.extensions=" + parts[2]);
    }

    assertThat(run(locale, List.of("env", "LC_ALL=C"), options.toArray(String[]::new)))
        .isEqualTo(expected);
  }

  private Map<String, String> run(String name, List<String> prefix, String... jvm)
      throws IOException, InterruptedException {
    Path here = folder.resolve(name);
    Path spec = TestFolders.copy("quickstart", here.resolve("archive")).resolve("constat.yaml");
    Path out = here.resolve("out");
    JarProcess process =
        JarProcess.start(
            prefix,
            here,
            here,
            Arrays.asList(jvm),
            List.of("reconcile", spec.toString(), "--out", out.toString(), "--runner", "direct"));

    assertThat(process.exitCode()).as(process.err()).isEqualTo(1);
    return TestFolders.digests(TestFolders.onlyRun(out));
  }
}
