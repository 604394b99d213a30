package dev.constat.pipelines.cli;

/** What the exit codes say (spec section 8); of several, the first that applies: 2, 3, 1, 0. */
final class ExitCode {

  /** Nothing at or above the level that was asked for. */
  static final int CLEAN = 0;

  /** A finding at or above it. */
  static final int FINDINGS = 1;

  /** Usage or run spec; nothing was read or written. */
  static final int USAGE = 2;

  /** The run broke, a book has a residue, or the evidence is incomplete. */
  static final int INCONCLUSIVE = 3;

  private ExitCode() {}
}
