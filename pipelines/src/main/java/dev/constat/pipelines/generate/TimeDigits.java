package dev.constat.pipelines.generate;

import java.time.LocalDate;

/** The text of a time in microseconds since 1970, {@code 2026-01-04T00:00:00.200000Z}. */
final class TimeDigits {

  static final int LENGTH = 27;

  private static final long DAY = 86_400_000_000L;

  private final char[] characters = "0000-00-00T00:00:00.000000Z".toCharArray();
  private long day = Long.MIN_VALUE;

  /** Takes a time between the years 1 and 9999. */
  void set(long micros) {
    long ofDay = Math.floorMod(micros, DAY);
    if (day != Math.floorDiv(micros, DAY)) {
      day = Math.floorDiv(micros, DAY);
      LocalDate date = LocalDate.ofEpochDay(day);
      digits(0, 4, date.getYear());
      digits(5, 2, date.getMonthValue());
      digits(8, 2, date.getDayOfMonth());
    }
    int second = (int) (ofDay / 1_000_000);
    digits(11, 2, second / 3_600);
    digits(14, 2, second / 60 % 60);
    digits(17, 2, second % 60);
    digits(20, 6, (int) (ofDay % 1_000_000));
  }

  private void digits(int at, int count, int number) {
    int left = number;
    for (int i = at + count - 1; i >= at; i--) {
      characters[i] = (char) ('0' + left % 10);
      left /= 10;
    }
  }

  /** The text; it changes with the next time. */
  char[] characters() {
    return characters;
  }
}
