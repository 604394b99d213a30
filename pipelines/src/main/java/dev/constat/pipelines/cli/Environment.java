package dev.constat.pipelines.cli;

/** Tells what variables of the environment hold: those that are asked for, and no others. */
@FunctionalInterface
public interface Environment {

  /** The value of a variable, or null where it is not set. */
  String get(String variable);
}
