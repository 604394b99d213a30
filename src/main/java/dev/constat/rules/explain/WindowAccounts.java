package dev.constat.rules.explain;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.explain.ReceptionFacts.WindowFacts;
import dev.constat.rules.projection.Window;
import java.time.Duration;
import java.time.Instant;

/** Why an event counts in a window, or came too late for it (spec section 5). */
public final class WindowAccounts {

  private WindowAccounts() {}

  /**
   * The account of an event in a window of a version of a projection.
   *
   * @param placed what became of it there
   * @param window the window, or null where its end is not known
   * @param allowedLateness of the version
   * @param corrected whether the event stands in a chain of corrections
   */
  public static Account of(
      ReceptionFacts reception,
      WindowFacts placed,
      Window window,
      Duration allowedLateness,
      boolean corrected) {
    Account account = of(reception, placed, window, allowedLateness);
    return corrected
        ? new Account(
            account.why() + " It stands in a chain of corrections, of which at most one counts.",
            account.unless())
        : account;
  }

  private static Account of(
      ReceptionFacts reception, WindowFacts placed, Window window, Duration allowedLateness) {
    String title = placed.projection() + " version " + placed.version();
    if (window == null || reception.watermark() == null) {
      return Account.of(
          switch (placed.outcome()) {
            case ON_TIME -> "It is in time for " + title + ".";
            case REFINES -> "It refines " + title + ", whose window had closed.";
            case TOO_LATE -> "It came too late for " + title + ", whose window had expired.";
          });
    }
    String span = " in [" + window.start() + ", " + window.end() + ")";
    Duration past = Duration.between(window.end(), reception.watermark());
    Instant largest = reception.largestBefore();
    return switch (placed.outcome()) {
      case ON_TIME -> Account.of("It is in time for " + title + span + ".");
      case REFINES ->
          new Account(
              "It refines %s%s: the watermark had passed its end by %s, and %s is allowed."
                  .formatted(title, span, past, allowedLateness),
              ImmutableList.of(
                  "It would have counted on time with a budget of more than %s."
                      .formatted(Duration.between(window.end(), largest))));
      case TOO_LATE ->
          new Account(
              ("It came too late for %s%s: the watermark had passed its end by %s, and %s is allowed."
                      + " It is kept in history and not applied.")
                  .formatted(title, span, past, allowedLateness),
              ImmutableList.of(
                  ("It would have refined the window with an allowed lateness of more than %s, or a"
                          + " budget of more than %s.")
                      .formatted(
                          past, Duration.between(window.end(), largest).minus(allowedLateness))));
    };
  }
}
