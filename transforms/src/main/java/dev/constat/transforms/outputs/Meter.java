package dev.constat.transforms.outputs;

import java.io.Serializable;

/** Told how far a stage has come, for the eyes of whoever waits; nothing is decided by it. */
public interface Meter extends Serializable {

  /** Says that {@code records} more records passed {@code stage}. */
  void passed(String stage, long records);
}
