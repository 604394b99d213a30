package dev.constat.rules.time;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/** Times as the tables of tests write them, and by chance. */
final class Times {

  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);

  private Times() {}

  /** "10:00:01.5" is on 2026-01-05, in UTC; "MIN" and "MAX" are the far ends; null is null. */
  static Instant at(String text) {
    if (text == null) {
      return null;
    }
    return switch (text) {
      case "MIN" -> Instant.MIN;
      case "MAX" -> Instant.MAX;
      default -> Instant.parse((text.indexOf('T') < 0 ? "2026-01-05T" + text : text) + "Z");
    };
  }

  /** Nanoseconds since the epoch. */
  static BigInteger nanos(Instant instant) {
    return nanos(instant.getEpochSecond(), instant.getNano());
  }

  /** Its length in nanoseconds. */
  static BigInteger nanos(Duration duration) {
    return nanos(duration.toSeconds(), duration.getNano());
  }

  private static BigInteger nanos(long seconds, int nanos) {
    return BigInteger.valueOf(seconds).multiply(NANOS).add(BigInteger.valueOf(nanos));
  }

  /** Any instant, near the far ends as often as elsewhere. */
  static Instant any(Random random) {
    long second =
        switch (random.nextInt(4)) {
          case 0 -> Instant.MIN.getEpochSecond() + random.nextInt(5);
          case 1 -> Instant.MAX.getEpochSecond() - random.nextInt(5);
          case 2 -> random.nextInt(5) - 2;
          default -> (long) (Instant.MAX.getEpochSecond() * (random.nextDouble() * 2 - 1) * 0.999);
        };
    return Instant.ofEpochSecond(second, anyNanos(random));
  }

  /** Any duration that is not negative, often a short one. */
  static Duration anyLength(Random random) {
    long seconds =
        switch (random.nextInt(4)) {
          case 0 -> random.nextInt(5);
          case 1 -> Long.MAX_VALUE - random.nextInt(2);
          case 2 -> Instant.MAX.getEpochSecond() * 2 + random.nextInt(5);
          default -> random.nextLong() >>> 1 + random.nextInt(62);
        };
    return Duration.ofSeconds(seconds, anyNanos(random));
  }

  private static int anyNanos(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> 999_999_999;
      case 2 -> 1;
      default -> random.nextInt(1_000_000_000);
    };
  }
}
