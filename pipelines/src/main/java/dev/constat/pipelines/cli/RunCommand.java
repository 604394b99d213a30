package dev.constat.pipelines.cli;

import dev.constat.pipelines.run.Reconciliation;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A command that leaves a run. */
interface RunCommand extends Callable<Integer> {

  /** What all of these are told alike. */
  RunOptions options();

  /**
   * What it was asked for.
   *
   * @throws UsageException if something asked for cannot be
   */
  Reconciliation.Request request() throws IOException;
}
