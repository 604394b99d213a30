package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar that a user runs is whole, and starts. */
final class RunnableJarIT {

  private static final Path JAR = Path.of(System.getProperty("constat.jar"));

  @Test
  void knowsBothRunners() throws IOException {
    assertThat(text("META-INF/services/org.apache.beam.sdk.runners.PipelineRunnerRegistrar"))
        .contains("org.apache.beam.runners.direct.DirectRegistrar")
        .contains("org.apache.beam.runners.flink.FlinkRunnerRegistrar");
  }

  @Test
  void logsThroughItsOwnSettingsOnly() throws IOException {
    assertThat(text("simplelogger.properties")).contains("logFile=System.err");
    assertThat(names())
        .noneMatch(name -> name.startsWith("log4j"))
        .filteredOn(name -> name.startsWith("META-INF/services/org.slf4j."))
        .containsExactly("META-INF/services/org.slf4j.spi.SLF4JServiceProvider");
  }

  @Test
  void carriesNoSignatureOfItsParts() throws IOException {
    assertThat(names()).noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|DSA|RSA)"));
  }

  @Test
  void saysHowItIsUsedOnStderr() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toString())
            .start();
    process.getOutputStream().close();

    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(err).isEqualTo(2);
    assertThat(out).isEmpty();
    assertThat(err).containsIgnoringCase("usage: constat");
  }

  private static List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      jar.stream().map(ZipEntry::getName).forEach(names::add);
    }
    return names;
  }

  private static String text(String name) throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return new String(
          jar.getInputStream(jar.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
