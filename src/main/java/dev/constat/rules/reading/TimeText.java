package dev.constat.rules.reading;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.temporal.Temporal;

/**
 * Time text as archives write it: ISO 8601 in the profile of RFC 3339, a little wider.
 *
 * <pre>
 * [+|-]YYYY[Y...]-MM-DD(T|t|space)hh:mm[:ss[.fraction]][Z|z|(+|-)hh[[:]mm]]
 * </pre>
 *
 * Years of more than four digits carry a sign. A fraction may have any number of digits, but
 * nothing finer than a nanosecond. Hour 24, leap seconds, dates without a time, week dates and
 * names of zones are no times here.
 */
final class TimeText {

  private static final int NANO_DIGITS = 9;
  private static final int SECONDS_PER_DAY = 86_400;
  private static final int YEAR_DIGITS = 10;

  private final String text;
  private int at;

  private TimeText(String text) {
    this.text = text;
  }

  /**
   * Reads a time.
   *
   * @return an {@link Instant}, or a {@link LocalDateTime} where the text has neither {@code Z} nor
   *     an offset
   * @throws DateTimeException if it is none or lies outside the range of its type; the message is
   *     half a sentence: "has no time of day"
   */
  static Temporal parse(String text) {
    return new TimeText(text).parse();
  }

  private Temporal parse() {
    long year = year();
    expect('-');
    int month = twoDigits(1, 12, "month");
    expect('-');
    int day = twoDigits(1, lengthOfMonth(year, month), "day");
    separator();
    int hour = twoDigits(0, 23, "hour");
    expect(':');
    int minute = twoDigits(0, 59, "minute");
    int second = 0;
    int nano = 0;
    if (take(':')) {
      second = second();
      if (take('.')) {
        nano = fraction();
      }
    }
    if (at == text.length()) {
      return LocalDateTime.of(localYear(year), month, day, hour, minute, second, nano);
    }
    int offset = offset();
    if (at != text.length()) {
      throw malformed();
    }
    long seconds =
        Math.multiplyExact(epochDay(year, month, day), (long) SECONDS_PER_DAY)
            + hour * 3600L
            + minute * 60L
            + second
            - offset;
    return instant(seconds, nano);
  }

  private long year() {
    boolean minus = take('-');
    boolean signed = minus || take('+');
    int from = at;
    long year = 0;
    while (at < text.length() && isDigit(text.charAt(at)) && at - from < YEAR_DIGITS) {
      year = year * 10 + digit();
    }
    int digits = at - from;
    if (digits < 4 || digits > 4 && !signed) {
      throw malformed();
    }
    return minus ? -year : year;
  }

  private void separator() {
    if (at == text.length()) {
      throw new DateTimeException("has no time of day");
    }
    if (!take('T') && !take(' ') && !take('t')) {
      throw malformed();
    }
  }

  private int second() {
    if (text.startsWith("60", at)) {
      throw new DateTimeException("has a leap second, which no instant holds");
    }
    return twoDigits(0, 59, "second");
  }

  private int fraction() {
    int from = at;
    int nano = 0;
    while (at < text.length() && isDigit(text.charAt(at))) {
      int digit = digit();
      if (at - from <= NANO_DIGITS) {
        nano = nano * 10 + digit;
      } else if (digit != 0) {
        throw new DateTimeException("is finer than a nanosecond");
      }
    }
    if (at == from) {
      throw malformed();
    }
    for (int digits = at - from; digits < NANO_DIGITS; digits++) {
      nano *= 10;
    }
    return nano;
  }

  private int offset() {
    if (take('Z') || take('z')) {
      return 0;
    }
    boolean minus = take('-');
    if (!minus && !take('+')) {
      throw malformed();
    }
    int seconds = twoDigits(0, 23, "hour of its offset") * 3600;
    if (take(':') || at < text.length()) {
      seconds += twoDigits(0, 59, "minute of its offset") * 60;
    }
    return minus ? -seconds : seconds;
  }

  private int twoDigits(int min, int max, String what) {
    int value = digit() * 10 + digit();
    if (value < min || value > max) {
      throw new DateTimeException("has no such " + what);
    }
    return value;
  }

  private int digit() {
    if (at == text.length() || !isDigit(text.charAt(at))) {
      throw malformed();
    }
    return text.charAt(at++) - '0';
  }

  private void expect(char c) {
    if (!take(c)) {
      throw malformed();
    }
  }

  private boolean take(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static DateTimeException malformed() {
    return new DateTimeException("is no ISO 8601 time");
  }

  private static int localYear(long year) {
    if (Math.abs(year) > Year.MAX_VALUE) {
      throw new DateTimeException("lies outside the range of times");
    }
    return (int) year;
  }

  /** An instant; LocalDate covers one year less at either end, so it cannot make them. */
  static Instant instant(long seconds, long nanos) {
    if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
      throw new DateTimeException("lies outside the range of times");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  private static int lengthOfMonth(long year, int month) {
    return switch (month) {
      case 2 -> isLeap(year) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  private static boolean isLeap(long year) {
    return Math.floorMod(year, 4) == 0
        && (Math.floorMod(year, 100) != 0 || Math.floorMod(year, 400) == 0);
  }

  /** Days since 1970-01-01 in the proleptic Gregorian calendar, counted in years from March on. */
  private static long epochDay(long year, int month, int day) {
    long y = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(y, 400);
    long yearOfEra = y - era * 400;
    long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097 + dayOfEra - 719_468;
  }
}
