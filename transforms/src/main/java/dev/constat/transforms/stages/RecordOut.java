package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;

/** Takes records for the next stage. */
@FunctionalInterface
public interface RecordOut {

  /** Drops what nobody asks for. */
  RecordOut NOWHERE = (group, order, kind, body) -> {};

  /** Takes a record; the writers may be used again afterwards. */
  void append(KeyWriter group, KeyWriter order, int kind, KeyWriter body);
}
