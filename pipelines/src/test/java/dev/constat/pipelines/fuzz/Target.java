package dev.constat.pipelines.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What is fuzzed. Jazzer is given {@link #type}, whose {@code fuzzerTestOneInput} it calls. */
enum Target {
  BASELINE(BaselineTarget.class, BaselineTarget::fuzzerTestOneInput),
  CANONICAL_JSON(CanonicalJsonTarget.class, CanonicalJsonTarget::fuzzerTestOneInput),
  CLOUD_EVENTS(CloudEventsTarget.class, CloudEventsTarget::fuzzerTestOneInput),
  GZIP(GzipTarget.class, GzipTarget::fuzzerTestOneInput),
  JSON_LINES(JsonLinesTarget.class, JsonLinesTarget::fuzzerTestOneInput),
  PARQUET(ParquetTarget.class, ParquetTarget::fuzzerTestOneInput),
  RUN_SPEC(RunSpecTarget.class, RunSpecTarget::fuzzerTestOneInput),
  VALUES(ValuesTarget.class, ValuesTarget::fuzzerTestOneInput);

  private static final Path CORPORA = Path.of("src", "test", "resources", "fuzz");

  private final Class<?> type;
  private final OneInput test;

  Target(Class<?> type, OneInput test) {
    this.type = type;
    this.test = test;
  }

  /** Tries one input. */
  interface OneInput {

    /**
     * Has it read.
     *
     * @throws AssertionError if something does not hold that must
     */
    void test(byte[] input) throws Exception;
  }

  /** Its name on the command line, and the folder of its corpus. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The class with {@code fuzzerTestOneInput}. */
  Class<?> type() {
    return type;
  }

  void test(byte[] input) throws Exception {
    test.test(input);
  }

  /** The folder of its corpus: seeds, and what was found once. */
  Path folder() {
    return CORPORA.resolve(key());
  }

  /** The inputs of its corpus by name. */
  SortedMap<String, byte[]> corpus() {
    SortedMap<String, byte[]> corpus = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder())) {
      for (Path file : files.toList()) {
        corpus.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return corpus;
  }
}
