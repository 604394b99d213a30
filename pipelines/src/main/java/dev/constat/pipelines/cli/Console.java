package dev.constat.pipelines.cli;

import com.google.common.base.Throwables;
import dev.constat.pipelines.archive.ArchiveChangedException;
import dev.constat.pipelines.archive.ArchiveListingException;
import dev.constat.pipelines.archive.ArchiveUnreadableException;
import dev.constat.pipelines.explain.BrokenRunException;
import dev.constat.pipelines.output.JsonText;
import dev.constat.pipelines.output.OutputException;
import dev.constat.pipelines.output.TemporaryDirectoryException;
import dev.constat.pipelines.tables.TableException;
import dev.constat.rules.spec.SpecException;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Where commands speak, and what they are told besides. Answers go to one stream, messages to the
 * other; a terminal obeys nothing in either.
 */
final class Console {

  private final PrintStream out;
  private final PrintStream err;
  private final PrintStream progress;
  private final Environment environment;
  private boolean keepsValuesBack;

  private Console(PrintStream out, PrintStream err, PrintStream progress, Environment environment) {
    this.out = out;
    this.err = err;
    this.progress = progress;
    this.environment = environment;
  }

  /** A console over two streams. */
  static Console over(PrintStream out, PrintStream err, Environment environment) {
    return new Console(HarmlessOutput.into(out), HarmlessOutput.into(err), err, environment);
  }

  /** Takes answers. */
  PrintStream out() {
    return out;
  }

  /** Takes messages. */
  PrintStream err() {
    return err;
  }

  /** Takes progress, whose lines are written anew; no text of others goes there. */
  PrintStream progress() {
    return progress;
  }

  /** Says something in one line. */
  void say(String message) {
    err.println("constat: " + JsonText.harmless(message));
  }

  /** Variables and their values. */
  Environment environment() {
    return environment;
  }

  /** From now on nothing is said that may quote a record. */
  void keepValuesBack() {
    keepsValuesBack = true;
  }

  /** Says why a command could not do its work, and which exit code that is. */
  int explain(Throwable failure) {
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      if (cause instanceof SpecException) {
        err.println(cause.getMessage());
        return ExitCode.USAGE;
      }
      if (cause instanceof UsageException) {
        say(cause.getMessage());
        return ExitCode.USAGE;
      }
      if (cause instanceof ArchiveListingException) {
        say(cause.getMessage());
        return ExitCode.USAGE; // found before anything was read or written
      }
      if (cause instanceof ArchiveChangedException
          || cause instanceof ArchiveUnreadableException
          || cause instanceof OutputException
          || cause instanceof TemporaryDirectoryException
          || cause instanceof TableException
          || cause instanceof BrokenRunException) {
        say(cause.getMessage());
        return ExitCode.INCONCLUSIVE;
      }
    }
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      if (saysNoSpace(String.valueOf(cause.getMessage()))) {
        // Of outputs it would have been said already.
        say(TemporaryDirectoryException.of("write", cause).getMessage());
        return ExitCode.INCONCLUSIVE;
      }
    }
    say("the run broke; nothing was published. The cause:");
    if (keepsValuesBack) {
      printPlaces(failure);
    } else {
      failure.printStackTrace(err);
    }
    return ExitCode.INCONCLUSIVE;
  }

  private static boolean saysNoSpace(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    return lower.contains("no space left on device") || lower.contains("disk quota exceeded");
  }

  /** What failed where; messages may quote records. */
  private void printPlaces(Throwable failure) {
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      err.println(cause.getClass().getName() + " (its message is kept back)");
      for (StackTraceElement place : cause.getStackTrace()) {
        err.println("\tat " + place);
      }
    }
  }
}
