package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;

/** Takes records for the next stage. */
@FunctionalInterface
public interface RecordOut {

  /** Takes a record; the writers may be used again afterwards. */
  void append(KeyWriter group, KeyWriter order, int kind, KeyWriter body);
}
