package dev.constat.rules.spec;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The notations of times, columns and places that run specs share. */
final class Notations {

  /** Far beyond any use, and far below what arithmetic on instants could not hold. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final int NANOS_PER_MILLI = 1_000_000;

  private static final String DURATION_PATTERN =
      "P(?=[0-9T])([0-9]+D)?(T(?=[0-9])([0-9]+H)?([0-9]+M)?([0-9]+(\\.[0-9]{1,9})?S)?)?";
  private static final Pattern NEGATIVE = Pattern.compile("-.*|.*[A-Z]-.*");
  private static final Pattern CALENDAR = Pattern.compile("P[0-9]+[YMW].*");

  private static final String LOCAL_PATTERN =
      "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?";
  private static final Pattern LOCAL = Pattern.compile(LOCAL_PATTERN);

  private static final String TABLE_NAME = "([A-Za-z_][A-Za-z0-9_]*|\"[^\"]+\")";
  private static final Pattern CREDENTIALS =
      Pattern.compile("(?i).*(//[^?]*@|[?&;][a-z_.-]*(user|username|password|token|secret)=).*");

  private static final String POINTER = "(/([^~/]|~[01])*)+";

  /** A moment, with its zone. */
  static final TextShape<Instant> INSTANT =
      new TextShape<>(
          "a time such as 2026-01-05T12:00:00Z",
          "write it like 2026-01-05T12:00:00Z",
          Pattern.compile(LOCAL_PATTERN + "(Z|[+-][0-9]{2}:[0-9]{2})"),
          Notations::instant,
          Instant::toString);

  /** A length of time, zero included. */
  static final TextShape<Duration> DURATION = duration(Notations::duration);

  /** A length of time above zero. */
  static final TextShape<Duration> POSITIVE_DURATION = duration(Notations::positiveDuration);

  /** The size of a window. */
  static final TextShape<Duration> WINDOW_SIZE = duration(Notations::windowSize);

  /** A time zone. */
  static final TextShape<ZoneId> ZONE =
      new TextShape<>(
          "a time zone such as Europe/Paris",
          "write it like Europe/Paris",
          Pattern.compile("\\S+"),
          Notations::zone,
          ZoneId::getId);

  /** A place in the payload. */
  static final TextShape<String> IN_PAYLOAD =
      TextShape.matching(
          "a JSON Pointer into the payload", "write it like /qty or /order/qty", POINTER);

  /** A name that becomes a folder. */
  static final TextShape<String> FOLDER =
      TextShape.matching(
          "a name that a folder may have",
          "use up to 100 letters, digits, ., _ and -, and no . first",
          "[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  /** The canonical name of a column. */
  static final TextShape<String> COLUMN =
      TextShape.matching("the name of a column", "write a plain name", "[^/]+");

  /** Where an archive keeps a column: its own name for it, or a place in a nested record. */
  static final TextShape<String> THEIRS =
      TextShape.matching(
          "the name of a column or a JSON Pointer",
          "write it like trade_id or /trade/id",
          "[^/][\\s\\S]*|" + POINTER);

  /** A column, or a place in the payload. */
  static final TextShape<FieldRef> FIELD =
      new TextShape<>(
          "a column or a place in the payload",
          "write it like instrument or /payload/amount",
          Pattern.compile("/payload" + POINTER + "|/?[^/]+", Pattern.DOTALL),
          Notations::field,
          FieldRef::text);

  /** The name and version of a rule over declared fields. */
  static final TextShape<String> FINGERPRINT_RULE =
      new TextShape<>(
          "the name of a fingerprint rule",
          "write it like fp/2",
          Pattern.compile("fp/([2-9]|[1-9][0-9]{1,8})"),
          Notations::fingerprintRule,
          rule -> rule);

  /** The URL of a database, without credentials. */
  static final TextShape<String> JDBC =
      new TextShape<>(
          "the JDBC URL of a ClickHouse or PostgreSQL database",
          "write it like jdbc:clickhouse://db:8123/shop or jdbc:postgresql://db:5432/shop",
          Pattern.compile("jdbc:(clickhouse|ch|postgresql):\\S+"),
          Notations::withoutCredentials,
          url -> url);

  /** The name of a table, which is put into SQL as it is. */
  static final TextShape<String> TABLE =
      TextShape.matching(
          "the name of a table",
          "write it like shop.outbox; in double quotes where it holds more than letters, digits and _",
          TABLE_NAME + "(\\." + TABLE_NAME + "){0,2}");

  /** The name of an environment variable; what stands in its place may be the password itself. */
  static final TextShape<String> ENVIRONMENT =
      TextShape.matchingUnshown(
          "the name of an environment variable",
          "write it like DB_PASSWORD; what it holds never stands in this file",
          "[A-Za-z_][A-Za-z0-9_]*");

  /** A condition in SQL, which is put between parentheses. */
  static final TextShape<String> CONDITION =
      TextShape.matching(
          "one condition in SQL",
          "write what would stand behind WHERE, without a semicolon and comments",
          "(?:(?!;|--|/\\*)[\\s\\S])+");

  private Notations() {}

  private static String withoutCredentials(String url) throws Refusal {
    if (CREDENTIALS.matcher(url).matches()) {
      throw Refusal.ofSecret(
          "holds credentials", "name environment variables that do: user_env, password_env");
    }
    return url;
  }

  private static TextShape<Duration> duration(TextShape.Rule<Duration> rule) {
    return new TextShape<>(
        "a duration such as PT5M or P30D",
        "write it like PT5M or P30D",
        Pattern.compile(DURATION_PATTERN),
        rule,
        Notations::text);
  }

  private static Instant instant(String text) throws Refusal {
    if (LOCAL.matcher(text).matches()) {
      throw new Refusal("has no zone", "end it with Z or an offset such as +01:00");
    }
    try {
      return OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      throw new Refusal("is not " + INSTANT.noun(), INSTANT.remedy());
    }
  }

  private static Duration duration(String text) throws Refusal {
    if (NEGATIVE.matcher(text).matches()) {
      throw new Refusal("is negative", "give the length of time without a sign");
    }
    if (CALENDAR.matcher(text).matches()) {
      throw new Refusal(
          "counts years, months or weeks", "write it in days, hours, minutes and seconds");
    }
    Duration duration;
    try {
      duration = Duration.parse(text);
    } catch (DateTimeException | ArithmeticException e) {
      throw new Refusal("is not " + DURATION.noun(), DURATION.remedy());
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new Refusal("is longer than a hundred years", "give at most " + text(LONGEST));
    }
    return duration;
  }

  private static Duration positiveDuration(String text) throws Refusal {
    Duration duration = duration(text);
    if (duration.isZero()) {
      throw new Refusal("is no time at all", "give a duration above zero");
    }
    return duration;
  }

  private static Duration windowSize(String text) throws Refusal {
    Duration size = positiveDuration(text);
    if (size.getNano() % NANOS_PER_MILLI != 0) {
      throw new Refusal(
          "is no whole number of milliseconds", "give at most three digits of a second");
    }
    return size;
  }

  /** Whole days as days, which {@link Duration#toString} would write as hours. */
  static String text(Duration duration) {
    Duration days = Duration.ofDays(duration.toDays());
    return days.isZero() || !days.equals(duration)
        ? duration.toString()
        : "P" + duration.toDays() + "D";
  }

  private static ZoneId zone(String text) throws Refusal {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new Refusal(
          "is not a time zone",
          "write it like Europe/Paris (nearest: "
              + NearestName.of(text, new TreeSet<>(ZoneId.getAvailableZoneIds()))
              + ")");
    }
  }

  private static FieldRef field(String text) throws Refusal {
    try {
      return FieldRef.parse(text);
    } catch (IllegalArgumentException e) {
      throw new Refusal("is not " + FIELD.noun(), FIELD.remedy());
    }
  }

  private static String fingerprintRule(String text) throws Refusal {
    if (text.equals("fp/1")) {
      throw new Refusal(
          "is the rule over every column", "give the one over these fields a number from fp/2 on");
    }
    return text;
  }
}
