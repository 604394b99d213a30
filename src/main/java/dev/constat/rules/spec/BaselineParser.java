package dev.constat.rules.spec;

/** Reads the text of a baseline, as strictly as {@link RunSpecParser} reads a run spec. */
public final class BaselineParser {

  private static final Document<Baseline> DOCUMENT =
      new Document<>(
          KeyPath.BASELINE,
          "baseline: 1",
          "Constat baseline",
          "The findings that somebody answers for: what is known, by whom, why, and until when.",
          BaselineShape.BASELINE);

  private BaselineParser() {}

  /**
   * Reads a baseline.
   *
   * @param text the whole file
   * @param file how messages name the file
   * @throws SpecException if anything is wrong with it
   */
  public static Baseline parse(String text, String file) {
    return DOCUMENT.parse(text, file);
  }

  /** The JSON Schema (draft 2020-12) of a baseline. */
  public static String schema() {
    return DOCUMENT.schema();
  }
}
