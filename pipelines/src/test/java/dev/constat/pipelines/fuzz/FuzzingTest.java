package dev.constat.pipelines.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short run of the fuzzer over all targets. Seed and number of inputs are fixed and nothing goes
 * by the clock, so that two runs of the same code try the same; how long it takes does not matter.
 */
final class FuzzingTest {

  private static final int INPUTS = Integer.getInteger("constat.fuzz.inputs", 3_000);

  @Test
  void findsNothing(@TempDir Path folder) throws Exception {
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    for (Target target : Target.values()) {
      for (Map.Entry<String, byte[]> input : target.corpus().entrySet()) {
        Files.write(
            corpus.resolve(target.key() + "-" + input.getKey()),
            EveryTarget.of(target, input.getValue()));
      }
    }
    Path log = folder.resolve("log");

    Process jazzer =
        new ProcessBuilder(command(folder, corpus))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    jazzer.getOutputStream().close();
    int exitCode;
    try {
      exitCode = jazzer.waitFor();
    } finally {
      jazzer.destroyForcibly();
    }

    String said = end(log);
    assertThat(exitCode).as("the input that broke it, in base 64, and why:%n%s", said).isZero();
    assertThat(said).containsPattern("Done " + INPUTS + " runs");
  }

  private static List<String> command(Path folder, Path corpus) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Djava.io.tmpdir=" + folder);
    command.addAll(List.of("-cp", classPath(), "com.code_intelligence.jazzer.Jazzer"));
    command.addAll(Fuzz.arguments(EveryTarget.class, "dev.constat.**"));
    command.add("-seed=20260105");
    command.add("-runs=" + INPUTS);
    command.add("-artifact_prefix=" + folder + File.separator);
    command.add("--reproducer_path=" + folder);
    command.add(corpus.toString());
    return command;
  }

  /** Surefire hands its own class path on in a property where that is too long for a command. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static String end(Path log) throws IOException {
    String all = Files.readString(log, StandardCharsets.ISO_8859_1);
    return all.substring(Math.max(0, all.length() - 6_000));
  }
}
