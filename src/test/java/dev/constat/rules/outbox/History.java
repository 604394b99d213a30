package dev.constat.rules.outbox;

import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The history of an outbox row in short: versions apart by blanks, each a letter of its status (W
 * waiting, P processing, D dispatched, X dead, - none), then {@code :owner@claimed-until} and
 * {@code !dispatched}, {@code #dead}, in seconds; {@code ?} behind a time that has no zone.
 */
public final class History {

  private static final Pattern VERSION =
      Pattern.compile(
          "([WPDX-])(?::([a-z]*)(?:@(-?\\d+\\??))?(?:-(\\d+\\??))?)?(?:!(\\d+\\??))?(?:#(\\d+))?(?:x(\\d+))?");

  private History() {}

  /** The versions. */
  public static List<OutboxRow> of(String text) {
    List<OutboxRow> versions = new ArrayList<>();
    for (String version : text.split(" ", -1)) {
      Matcher matcher = VERSION.matcher(version);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("Not a version: " + version);
      }
      versions.add(version(matcher, versions.size() + 1));
    }
    return versions;
  }

  /** The same, known. */
  public static Claims claims(String text) {
    Claims claims = new Claims();
    of(text).forEach(claims::next);
    return claims;
  }

  private static OutboxRow version(Matcher version, int number) {
    String owner = version.group(2);
    return new OutboxRow(
        "o1",
        "S",
        "e1",
        "notify",
        null,
        null,
        null,
        null,
        switch (version.group(1)) {
          case "W" -> Status.PENDING;
          case "P" -> Status.PROCESSING;
          case "D" -> Status.DISPATCHED;
          case "X" -> Status.DLQ;
          default -> null;
        },
        version.group(7) == null ? null : Long.valueOf(version.group(7)),
        Instant.EPOCH,
        OptionalTime.ABSENT,
        time(version.group(3)),
        owner == null || owner.isEmpty() ? null : owner,
        time(version.group(4)),
        time(version.group(5)),
        time(version.group(6)),
        Revision.of(Integer.toString(number)),
        null,
        List.of(),
        new Place(1, 0, 0, number, 0));
  }

  private static OptionalTime time(String text) {
    if (text == null) {
      return OptionalTime.ABSENT;
    }
    boolean known = !text.endsWith("?");
    return new OptionalTime(
        at(Integer.parseInt(known ? text : text.substring(0, text.length() - 1))), known);
  }

  /** The instant of a second. */
  public static Instant at(int second) {
    return Instant.ofEpochSecond(second);
  }
}
