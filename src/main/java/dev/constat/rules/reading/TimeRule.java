package dev.constat.rules.reading;

import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.UnzonedTime;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.Temporal;

/**
 * A time: ISO 8601 text, a typed time, or an integer in the declared unit, which counts from
 * 1970-01-01T00:00:00Z.
 *
 * <p>A time without a zone is one of the zone that the input declares, else an {@link UnzonedTime}.
 * Where clocks were put back and a local time names two instants, it is the earlier one; where they
 * were put forward and it names none, it is moved forward by the length of the gap.
 */
final class TimeRule extends ValueRule {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final TimeUnit unit;
  private final ZoneId zone;

  TimeRule(Input input, Column column, TimeUnit unit, ZoneId zone) {
    super(input, column, "give it as ISO 8601 text, for example 2026-01-05T10:00:00Z");
    this.unit = unit;
    this.zone = zone;
  }

  @Override
  public Object ofText(String text) throws UnreadableValue {
    Temporal time;
    try {
      time = TimeText.parse(text);
    } catch (DateTimeException e) {
      throw unreadable(e.getMessage(), text);
    }
    return time instanceof LocalDateTime local ? ofLocal(local) : time;
  }

  @Override
  public Object ofNumber(String literal) throws UnreadableValue {
    if (!IntegerRule.isInteger(literal)) {
      throw unreadable("is a number with a fraction or an exponent", literal);
    }
    // 18 digits always fit.
    if (literal.length() <= 18) {
      return ofInteger(Long.parseLong(literal));
    }
    return ofInteger(new BigInteger(literal));
  }

  @Override
  public Object ofInteger(long value) throws UnreadableValue {
    if (unit == null) {
      throw withoutUnit(Long.toString(value));
    }
    long perSecond = unit.perSecond();
    long nanosPerTick = NANOS_PER_SECOND / perSecond;
    try {
      return TimeText.instant(
          Math.floorDiv(value, perSecond), Math.floorMod(value, perSecond) * nanosPerTick);
    } catch (DateTimeException e) {
      throw unreadable(e.getMessage(), Long.toString(value));
    }
  }

  @Override
  public Object ofUnsigned(long bits) throws UnreadableValue {
    return bits >= 0 ? ofInteger(bits) : ofInteger(new BigInteger(Long.toUnsignedString(bits)));
  }

  @Override
  public Object ofInstant(Instant value) {
    return value;
  }

  @Override
  public Object ofLocal(LocalDateTime value) {
    return zone == null ? new UnzonedTime(value) : value.atZone(zone).toInstant();
  }

  /** Of an integer that only just may fit: in nanoseconds, say. */
  private Object ofInteger(BigInteger value) throws UnreadableValue {
    if (unit == null) {
      throw withoutUnit(value.toString());
    }
    BigInteger nanos = value.multiply(BigInteger.valueOf(NANOS_PER_SECOND / unit.perSecond()));
    BigInteger nano = nanos.mod(BigInteger.valueOf(NANOS_PER_SECOND));
    BigInteger second = nanos.subtract(nano).divide(BigInteger.valueOf(NANOS_PER_SECOND));
    try {
      return TimeText.instant(second.longValueExact(), nano.longValue());
    } catch (ArithmeticException | DateTimeException e) {
      throw unreadable("lies outside the range of times", value.toString());
    }
  }

  private UnreadableValue withoutUnit(String value) {
    return new UnreadableValue(
        name() + " is an integer without a unit",
        "declare time_unit of " + input().key() + ": s, ms, us or ns",
        value);
  }
}
