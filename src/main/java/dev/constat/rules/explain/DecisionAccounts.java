package dev.constat.rules.explain;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.time.Timeliness;
import java.time.Duration;
import java.time.Instant;

/** Why a reception was decided as it was (spec sections 3 and 4). */
public final class DecisionAccounts {

  private DecisionAccounts() {}

  /**
   * The account of a reception.
   *
   * @param against the reception that it was judged against, or null where it is none or not known
   */
  public static Account of(ReceptionFacts reception, ReceptionFacts against) {
    return switch (reception.decision()) {
      case ACCEPTED, CORRECTION -> accepted(reception);
      case EXACT_DUPLICATE ->
          new Account(
              "A repeat of %s%s with the same key and content. It has no effect of its own."
                  .formatted(reception.against(), distance(reception, against)),
              ImmutableList.of("Under an id of its own it would have been an event of its own."));
      case CONFLICTING_DUPLICATE -> conflicting(reception, against);
      case ARCHIVE_COPY ->
          Account.of("The archive holds this reception attempt again; a copy counts nowhere.");
      case ARCHIVE_CONFLICT ->
          new Account(
              "Its ingestion_id stands in the archive with several contents: all of them are"
                  + " quarantined and take no part.",
              ImmutableList.of(
                  "With one content in all records of this ingestion_id it would have been judged"
                      + " like any other."));
    };
  }

  private static Account accepted(ReceptionFacts reception) {
    String what =
        reception.decision() == Decision.ACCEPTED
            ? "Accepted as the first reception of its key"
            : reception.supersedes() == null
                ? "Accepted as a correction: a greater revision of its id"
                : "Accepted as a correction of " + reception.supersedes();
    if (reception.timeliness() == null) {
      return new Account(
          what + ", known by a replay alone: its place in time is not judged.",
          ImmutableList.of(
              "With the original reception in the archive it would be judged in time."));
    }
    return switch (reception.timeliness()) {
      case ON_TIME -> Account.of(what + ", on time: " + onTime(reception) + ".");
      case LATE -> late(reception, what);
      case FUTURE -> future(reception, what);
    };
  }

  private static String onTime(ReceptionFacts reception) {
    if (reception.occurredAt() == null) {
      return "it happened no earlier than the watermark";
    }
    return reception.watermark() == null
        ? "nothing of its partition had come before"
        : "it happened "
            + Duration.between(reception.watermark(), reception.occurredAt())
            + " after the watermark "
            + reception.watermark();
  }

  private static Account late(ReceptionFacts reception, String what) {
    Instant largest = reception.largestBefore();
    if (largest == null || reception.occurredAt() == null) {
      return Account.of(what + ", late: it happened before the watermark of its partition.");
    }
    Duration needed = Duration.between(reception.occurredAt(), largest);
    return new Account(
        ("%s, late by %s: it happened at %s, and the watermark stood at %s (%s, the latest that its"
                + " partition had seen, minus the budget of %s).")
            .formatted(
                what,
                Duration.between(reception.occurredAt(), reception.watermark()),
                reception.occurredAt(),
                reception.watermark(),
                largest,
                reception.budget()),
        ImmutableList.of("It would have been on time with a budget of " + needed + "."));
  }

  private static Account future(ReceptionFacts reception, String what) {
    if (reception.occurredAt() == null) {
      return Account.of(
          "%s, but ahead of its time: it claims to have happened at %s."
              .formatted(what, reception.occurredAtText()));
    }
    Duration ahead = Duration.between(reception.receivedAt(), reception.occurredAt());
    boolean late =
        reception.watermark() != null && reception.occurredAt().isBefore(reception.watermark());
    ImmutableList.Builder<String> unless = ImmutableList.builder();
    unless.add(
        "It would have been %s with a future tolerance of %s."
            .formatted(late ? "late" : "on time", ahead));
    if (reception.flags().contains(Flag.UNIT_SUSPECT)) {
      unless.add("Its occurred_at fits its received_at in another unit of time.");
    }
    return new Account(
        "%s, but ahead of its time: it claims to have happened %s after it was received."
            .formatted(what, ahead),
        unless.build());
  }

  private static Account conflicting(ReceptionFacts reception, ReceptionFacts against) {
    boolean comparable = !"no comparable hash".equals(reception.reason());
    return new Account(
        "It has the key of %s%s and %s: it is quarantined, and %s stands."
            .formatted(
                reception.against(),
                distance(reception, against),
                comparable ? "another content" : "no hash to compare",
                reception.against()),
        ImmutableList.of(
            comparable && against != null && against.hash() != null
                ? "With the content of %s (%s %s) it would have been a repeat."
                    .formatted(against.ingestionId(), against.hashRule(), against.hash())
                : "With the content of %s it would have been a repeat."
                    .formatted(reception.against()),
            "With an id of its own that says what it supersedes it would have been a correction."));
  }

  private static String distance(ReceptionFacts reception, ReceptionFacts against) {
    return against == null
        ? ""
        : ", which came %s before,"
            .formatted(Duration.between(against.receivedAt(), reception.receivedAt()));
  }

  /**
   * Why an event that history holds may not move current values, or stands in no projection; null
   * where nothing keeps it.
   */
  public static String heldBack(ReceptionFacts reception) {
    if (!reception.inHistory()) {
      return null;
    }
    if (reception.timeliness() == Timeliness.FUTURE) {
      return "It stands in no projection: it is ahead of its time.";
    }
    if (reception.flags().contains(Flag.UNKNOWN_SCHEMA_VERSION)) {
      return "It stands in no projection: the contract of its source does not list schema version "
          + reception.schemaVersion()
          + ".";
    }
    if (reception.flags().contains(Flag.UNIT_SUSPECT)) {
      return "It stands in no projection: its occurred_at is likely in another unit of time.";
    }
    return !reception.movesCurrent() && reception.decision() == Decision.CORRECTION
        ? "It moves no current value: what it corrects is not in the archive."
        : null;
  }
}
