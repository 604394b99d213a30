package dev.constat.pipelines.report;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Numbers, times and durations in words, the same in every locale and zone. */
final class Units {

  private static final int DAYS_FROM_HOURS = 48;
  private static final String[] MONTHS = {
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"
  };

  private Units() {}

  /** A count: {@code 3,874}. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A count and what is counted: {@code 1 row}, {@code 2 rows}. */
  static String count(long count, String one, String several) {
    return count(count) + " " + (count == 1 ? one : several);
  }

  /** A share in percent with one decimal, cut, never 0 or 100 where it is not: {@code 1.1 %}. */
  static String share(long part, long all) {
    if (part == 0 || all == 0) {
      return "0 %";
    }
    if (part == all) {
      return "100 %";
    }
    long perThousand = (long) Math.floor(part * 1_000.0 / all);
    return perThousand == 0
        ? "below 0.1 %"
        : perThousand / 10 + (perThousand % 10 == 0 ? "" : "." + perThousand % 10) + " %";
  }

  /** A size: {@code 345 bytes}, {@code 41.8 kB}. */
  static String bytes(long bytes) {
    if (bytes < 1_000) {
      return count(bytes, "byte", "bytes");
    }
    String[] names = {"kB", "MB", "GB", "TB", "PB", "EB"};
    long unit = 1_000;
    int name = 0;
    while (bytes / unit >= 1_000) {
      unit *= 1_000;
      name++;
    }
    return bytes / unit + "." + bytes % unit / (unit / 10) + " " + names[name];
  }

  /**
   * A duration: {@code 41 min 18 s}. Of those longer than a minute parts of a second are left out,
   * of those longer than two days the seconds.
   */
  static String duration(Duration duration) {
    if (duration.isNegative()) {
      return "minus " + duration(duration.negated());
    }
    if (duration.isZero()) {
      return "0 s";
    }
    if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
      return shortDuration(duration);
    }
    StringBuilder words = new StringBuilder();
    boolean days = duration.toHours() >= DAYS_FROM_HOURS;
    if (days) {
      part(duration.toDays(), "d", words);
    }
    part(days ? duration.toHoursPart() : duration.toHours(), "h", words);
    part(duration.toMinutesPart(), "min", words);
    if (!days) {
      part(duration.toSecondsPart(), "s", words);
    }
    return words.toString();
  }

  private static String shortDuration(Duration duration) {
    if (duration.compareTo(Duration.ofMillis(1)) < 0) {
      return count(duration.toNanos()) + " ns";
    }
    if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
      return duration.toMillis() + " ms";
    }
    String millis = Integer.toString(1_000 + duration.toMillisPart()).substring(1);
    while (millis.endsWith("0")) {
      millis = millis.substring(0, millis.length() - 1);
    }
    return duration.toSeconds() + (millis.isEmpty() ? "" : "." + millis) + " s";
  }

  private static void part(long amount, String unit, StringBuilder words) {
    if (amount > 0) {
      words.append(words.isEmpty() ? "" : " ").append(count(amount)).append(' ').append(unit);
    }
  }

  /** A moment to the second, in UTC: {@code 2026-01-07 17:48:00}. */
  static String time(Instant time) {
    String text = time.truncatedTo(ChronoUnit.SECONDS).toString();
    return text.substring(0, text.length() - 1).replace('T', ' ');
  }

  /** A moment to the second as a sentence has it: {@code 7 January 2026, 17:48:00 UTC}. */
  static String sentence(Instant time) {
    ZonedDateTime utc = time.atZone(ZoneOffset.UTC);
    String clock = time(time);
    return utc.getDayOfMonth()
        + " "
        + MONTHS[utc.getMonthValue() - 1]
        + " "
        + utc.getYear()
        + ", "
        + clock.substring(clock.length() - 8)
        + " UTC";
  }
}
