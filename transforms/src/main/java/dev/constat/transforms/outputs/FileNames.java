package dev.constat.transforms.outputs;

import dev.constat.rules.envelope.Input;
import java.io.Serializable;

/**
 * Knows the names of the files that were read. Its implementation lives where files may be seen.
 */
@FunctionalInterface
public interface FileNames extends Serializable {

  /**
   * The name of a file, relative to the run spec.
   *
   * @param file its rank among the files of the input
   */
  String name(Input input, int file);
}
