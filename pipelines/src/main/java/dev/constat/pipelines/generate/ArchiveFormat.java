package dev.constat.pipelines.generate;

/** How the tables of a synthetic archive are written. */
public enum ArchiveFormat {
  PARQUET(".parquet"),
  JSON(".jsonl");

  private final String ending;

  ArchiveFormat(String ending) {
    this.ending = ending;
  }

  /** What names of its files end with. */
  String ending() {
    return ending;
  }
}
