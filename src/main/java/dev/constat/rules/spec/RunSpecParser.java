package dev.constat.rules.spec;

import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads the text of a run spec, {@code constat.yaml}. It is strict: whatever it does not know is an
 * error, and all errors of a file are told together, each with its place and what to do.
 */
public final class RunSpecParser {

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
    Reading reading = new Reading(file);
    Node tree = new YamlText(text, reading).compose();
    if (tree == null) {
      throw reading.failure();
    }
    reading.enter(KeyPath.ROOT, tree);
    RunSpec spec = RunSpecShape.RUN_SPEC.read(tree, KeyPath.ROOT, reading);
    if (reading.count() > 0) {
      throw reading.failure();
    }
    return spec.name() == null ? spec.withName(defaultName) : spec;
  }
}
