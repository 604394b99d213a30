package dev.constat.pipelines.cli;

import com.google.common.base.Throwables;
import dev.constat.pipelines.archive.ArchiveChangedException;
import dev.constat.pipelines.archive.ArchiveListingException;
import dev.constat.pipelines.archive.ArchiveUnreadableException;
import dev.constat.pipelines.explain.BrokenRunException;
import dev.constat.pipelines.output.OutputException;
import dev.constat.pipelines.output.TemporaryDirectoryException;
import dev.constat.rules.spec.SpecException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;

/** Where commands speak: answers go to one stream, messages to the other. */
record Console(PrintStream out, PrintStream err) {

  /** Says why a command could not do its work, and which exit code that is. */
  int explain(Throwable failure) {
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
          || cause instanceof ArchiveUnreadableException
          || cause instanceof OutputException
          || cause instanceof TemporaryDirectoryException
          || cause instanceof BrokenRunException) {
        err.println("constat: " + cause.getMessage());
        return ExitCode.INCONCLUSIVE;
      }
    }
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      if (saysNoSpace(String.valueOf(cause.getMessage()))) {
        // Of outputs it would have been said already.
        Path directory = Path.of(System.getProperty("java.io.tmpdir"));
        err.println(
            "constat: " + TemporaryDirectoryException.of(directory, "write", cause).getMessage());
        return ExitCode.INCONCLUSIVE;
      }
    }
    err.println("constat: the run broke; nothing was published. The cause:");
    failure.printStackTrace(err);
    return ExitCode.INCONCLUSIVE;
  }

  private static boolean saysNoSpace(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    return lower.contains("no space left on device") || lower.contains("disk quota exceeded");
  }
}
