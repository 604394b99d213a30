package dev.constat.pipelines;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that runs the jar as a user does, with what it prints in files. */
final class JarProcess {

  static final Path JAR = Path.of(System.getProperty("constat.jar"));
  private static final long PATIENCE_MINUTES = 3;

  private final Process process;
  private final Path out;
  private final Path err;

  private JarProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts it.
   *
   * @param prefix a command that runs the one behind it, or nothing
   * @param folder what it stands in
   * @param temporary where the JVM puts temporary files, and this what the process prints
   * @param jvm more options of the JVM
   */
  static JarProcess start(
      List<String> prefix, Path folder, Path temporary, List<String> jvm, List<String> args)
      throws IOException {
    return launch(prefix, folder, temporary, Map.of(), jvm, List.of("-jar", JAR.toString()), args);
  }

  /**
   * Starts a program.
   *
   * @param prefix a command that runs the one behind it, or nothing
   * @param folder what it stands in
   * @param temporary where the JVM puts temporary files, and this what the process prints
   * @param environment more variables, or other values of them
   * @param jvm more options of the JVM
   * @param program how the JVM is told which one
   */
  static JarProcess launch(
      List<String> prefix,
      Path folder,
      Path temporary,
      Map<String, String> environment,
      List<String> jvm,
      List<String> program,
      List<String> args)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-Djava.io.tmpdir=" + Files.createDirectories(temporary.resolve("tmp"))));
    command.addAll(jvm);
    command.addAll(program);
    command.addAll(args);
    Path out = temporary.resolve("stdout");
    Path err = temporary.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return new JarProcess(process, out, err);
  }

  /** Waits for its end and says with which code it ended. */
  int exitCode() throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      kill();
      throw new AssertionError("The process did not end: " + err());
    }
    return process.exitValue();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it so that it cannot tidy up, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Asks it to end. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  String out() throws IOException {
    return Files.readString(out, StandardCharsets.UTF_8);
  }

  String err() throws IOException {
    return Files.readString(err, StandardCharsets.UTF_8);
  }
}
