package dev.constat.rules.spec;

/**
 * Reads the text of a profile of {@code generate}, as strictly as {@link RunSpecParser} reads a run
 * spec.
 */
public final class ProfileParser {

  private static final Document<Profile> DOCUMENT =
      new Document<>(
          KeyPath.PROFILE,
          "profile: 1",
          "Constat profile of a synthetic archive",
          "What constat generate makes, and which faults it plants.",
          ProfileShape.PROFILE);

  private ProfileParser() {}

  /**
   * Reads a profile.
   *
   * @param text the whole file
   * @param file how messages name the file
   * @throws SpecException if anything is wrong with it
   */
  public static Profile parse(String text, String file) {
    return DOCUMENT.parse(text, file);
  }

  /** The JSON Schema (draft 2020-12) of a profile. */
  public static String schema() {
    return DOCUMENT.schema();
  }
}
