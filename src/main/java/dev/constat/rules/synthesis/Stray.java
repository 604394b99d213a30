package dev.constat.rules.synthesis;

/**
 * A record of events in the file of strays, which is JSON lines whatever the format of the archive.
 *
 * @param record its values
 * @param name a member that it has besides, or null
 * @param value of that member
 * @param cut whether it ends in its middle, so that nobody can read it
 */
public record Stray(SyntheticRecord record, String name, String value, boolean cut) {

  /** The name of the file. */
  public static final String FILE = "stray.jsonl";
}
