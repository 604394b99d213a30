package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitSuspectTest {

  private static final Duration BUDGET = Duration.ofMinutes(5);
  private static final Duration TOLERANCE = Duration.ofMinutes(2);
  private static final List<String> REPAIRS =
      List.of("/1000", "/1000000", "/1000000000", "*1000", "*1000000", "*1000000000");

  private static String repair(Instant occurred, Instant received, Duration budget) {
    return UnitSuspect.repair(
        occurred, received, Clock.timeliness(occurred, received, null, TOLERANCE), budget);
  }

  @ParameterizedTest
  @CsvSource({
    // C29: milliseconds; microseconds, read as milliseconds; milliseconds in nanoseconds
    "2026-01-05T10:00:00Z, 2026-01-05T10:00:01Z, ",
    "+57983-09-01T18:40:00Z, 2026-01-05T10:01:01Z, /1000",
    "1970-01-01T00:29:27.607200Z, 2026-01-05T10:02:01Z, *1000000",
    // seconds, read as milliseconds
    "1970-01-21T11:00:07.200Z, 2026-01-05T10:00:01Z, *1000",
    // seconds, read as nanoseconds
    "1970-01-01T00:00:01.767607200Z, 2026-01-05T10:00:01Z, *1000000000",
    // old, or ahead, and nothing else
    "2024-01-05T10:00:00Z, 2026-01-05T10:00:01Z, ",
    "2026-01-05T12:00:00Z, 2026-01-05T10:00:01Z, ",
    "1970-01-01T00:00:00Z, 2026-01-05T10:00:01Z, ",
    "-1000000000-01-01T00:00:00Z, 2026-01-05T10:00:01Z, ",
    "+1000000000-12-31T23:59:59.999999999Z, 2026-01-05T10:00:01Z, ",
    // before the epoch
    "-0006-02-09T14:00:00Z, 1968-01-10T10:00:00Z, /1000",
  })
  void aTimeIsSuspectIfAnotherUnitFits(String occurred, String received, String repair) {
    assertThat(repair(Instant.parse(occurred), Instant.parse(received), BUDGET)).isEqualTo(repair);
  }

  @Test
  void onlyTimesOutOfBoundsAreAskedAbout() {
    // in thousandths it would be a few hours after the epoch
    Instant occurred = Instant.parse("1970-12-31T00:00:00Z");
    Duration year = Duration.ofDays(365);
    Duration wide = Duration.ofDays(400);
    assertThat(repair(occurred, occurred.plus(year), wide)).isNull();
    assertThat(repair(occurred, occurred.plus(year).plusNanos(1), wide)).isNull();
    Duration wider = Duration.ofDays(800);
    assertThat(repair(occurred, occurred.plus(year), wider)).isNull();
    assertThat(repair(occurred, occurred.plus(year).plusNanos(1), wider)).isEqualTo("/1000");
    assertThat(repair(occurred.plus(TOLERANCE), occurred, wider)).isNull();
    assertThat(repair(occurred.plus(TOLERANCE).plusNanos(1), occurred, wider)).isEqualTo("/1000");
  }

  @ParameterizedTest
  @CsvSource({
    "PT24H, PT5M, true",
    "PT24H0.000000001S, PT5M, false",
    "PT-24H, PT5M, true",
    "PT-24H-0.000000001S, PT5M, false",
    "PT48H, PT48H, true",
    "PT48H0.000000001S, PT48H, false",
  })
  void theLimitIsADayOrTheBudget(Duration lag, Duration budget, boolean suspect) {
    Instant meant = Instant.parse("2026-01-05T10:00:00Z");
    Instant occurred = Instant.ofEpochSecond(0, meant.getEpochSecond());
    assertThat(repair(occurred, meant.plus(lag), budget)).isEqualTo(suspect ? "*1000000000" : null);
  }

  @Test
  void doublesNeverDecide() {
    Random random = new Random(29);
    for (int i = 0; i < 50_000; i++) {
      Instant occurred = Times.any(random);
      BigInteger near = apply(occurred, REPAIRS.get(random.nextInt(REPAIRS.size())));
      Duration off = Duration.ofDays(1).plusNanos(random.nextInt(3) - 1);
      BigInteger there =
          random.nextBoolean() ? near.add(Times.nanos(off)) : near.subtract(Times.nanos(off));
      boolean fits =
          there.compareTo(Times.nanos(Instant.MIN)) > 0
              && there.compareTo(Times.nanos(Instant.MAX)) < 0;
      Instant received = fits ? instant(there) : Times.any(random);
      Duration budget = random.nextInt(4) > 0 ? BUDGET : Times.anyLength(random);
      assertThat(repair(occurred, received, budget))
          .as("%s %s %s", occurred, received, budget)
          .isEqualTo(naive(occurred, received, budget));
    }
  }

  private static BigInteger apply(Instant occurred, String repair) {
    BigInteger factor = new BigInteger(repair.substring(1));
    BigInteger nanos = Times.nanos(occurred);
    return repair.startsWith("/") ? nanos.divide(factor) : nanos.multiply(factor);
  }

  private static Instant instant(BigInteger nanos) {
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(1_000_000_000));
    return Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].intValueExact());
  }

  private static String naive(Instant occurred, Instant received, Duration budget) {
    BigDecimal time = new BigDecimal(Times.nanos(occurred));
    BigDecimal arrival = new BigDecimal(Times.nanos(received));
    boolean ahead = time.subtract(arrival).compareTo(new BigDecimal(Times.nanos(TOLERANCE))) > 0;
    boolean old =
        arrival.subtract(time).compareTo(new BigDecimal(Times.nanos(Duration.ofDays(365)))) > 0;
    if (!ahead && !old) {
      return null;
    }
    BigDecimal limit = new BigDecimal(Times.nanos(budget).max(Times.nanos(Duration.ofDays(1))));
    String best = null;
    BigDecimal smallest = null;
    for (String repair : REPAIRS) {
      BigDecimal factor = new BigDecimal(repair.substring(1));
      BigDecimal repaired = repair.startsWith("/") ? time.divide(factor) : time.multiply(factor);
      BigDecimal distance = repaired.subtract(arrival).abs();
      if (distance.compareTo(limit) <= 0
          && (smallest == null || distance.compareTo(smallest) < 0)) {
        best = repair;
        smallest = distance;
      }
    }
    return best;
  }
}
