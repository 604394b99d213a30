package dev.constat.pipelines.cli;

import com.google.common.base.Throwables;
import dev.constat.pipelines.archive.ArchiveChangedException;
import dev.constat.pipelines.archive.ArchiveListingException;
import dev.constat.pipelines.explain.BrokenRunException;
import dev.constat.pipelines.output.OutputException;
import dev.constat.pipelines.tables.TableException;
import dev.constat.rules.spec.SpecException;
import java.io.PrintStream;

/** Where commands speak: answers go to one stream, messages to the other. */
record Console(PrintStream out, PrintStream err) {

  /** Says why a command could not do its work, and which exit code that is. */
  int explain(Exception failure) {
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      if (cause instanceof SpecException) {
        err.println(cause.getMessage());
        return ExitCode.USAGE;
      }
      if (cause instanceof UsageException) {
        err.println("constat: " + cause.getMessage());
        return ExitCode.USAGE;
      }
      if (cause instanceof ArchiveListingException) {
        err.println("constat: " + cause.getMessage());
        return ExitCode.USAGE; // found before anything was read or written
      }
      if (cause instanceof ArchiveChangedException
          || cause instanceof OutputException
          || cause instanceof TableException
          || cause instanceof BrokenRunException) {
        err.println("constat: " + cause.getMessage());
        return ExitCode.INCONCLUSIVE;
      }
    }
    err.println("constat: the run broke; nothing was published. The cause:");
    failure.printStackTrace(err);
    return ExitCode.INCONCLUSIVE;
  }
}
