package dev.constat.pipelines.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * What was measured on, and when.
 *
 * @param processor its model
 * @param cores that the JVM sees
 * @param memoryBytes of the machine
 * @param kernel name and version of the operating system
 * @param java version and vendor
 * @param duckdb version
 * @param day of the measurement, in UTC
 */
record Machine(
    String processor,
    int cores,
    long memoryBytes,
    String kernel,
    String java,
    String duckdb,
    LocalDate day) {

  /** This machine, today. */
  static Machine current(String duckdb) throws IOException {
    return new Machine(
        value(Path.of("/proc/cpuinfo"), "model name"),
        Runtime.getRuntime().availableProcessors(),
        Long.parseLong(value(Path.of("/proc/meminfo"), "MemTotal").replaceAll("\\D", "")) * 1024,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor") + ")",
        duckdb,
        LocalDate.now(ZoneOffset.UTC));
  }

  private static String value(Path file, String name) throws IOException {
    return Files.readString(file)
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("0 (not named)");
  }
}
