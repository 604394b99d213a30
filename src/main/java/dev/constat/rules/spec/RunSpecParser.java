package dev.constat.rules.spec;

/**
 * Reads the text of a run spec, {@code constat.yaml}. It is strict: whatever it does not know is an
 * error, and all errors of a file are told together, each with its place and what to do.
 */
public final class RunSpecParser {

  static final Document<RunSpec> DOCUMENT =
      new Document<>(
          KeyPath.ROOT,
          "constat: 1",
          "Constat run spec",
          "What a run is asked to judge: constat.yaml.",
          RunSpecShape.RUN_SPEC);

  private RunSpecParser() {}

  /**
   * Reads a run spec.
   *
   * @param text the whole file
   * @param file how messages name the file
   * @param defaultName the run's name where the file gives none
   * @throws SpecException if anything is wrong with it
   */
  public static RunSpec parse(String text, String file, String defaultName) {
    RunSpec spec = DOCUMENT.parse(text, file);
    return spec.name() == null ? spec.withName(defaultName) : spec;
  }
}
