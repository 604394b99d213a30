package dev.constat.rules.envelope;

import java.time.Instant;

/**
 * One record of an archive with its values typed by its {@link Layout}. Null stands for a value
 * that is null or absent.
 *
 * @param values one per column of the layout, of the Java type that {@link ColumnType} names
 * @param place where it stands
 * @param occurredAsReceived the literal of an {@code occurred_at} that INT64 nanoseconds cannot
 *     hold, else null
 */
@SuppressWarnings("ArrayRecordComponent") // a row is never compared as a whole
public record Row(Object[] values, Place place, String occurredAsReceived) {

  /** A text value, or null. */
  public String text(int column) {
    return (String) values[column];
  }

  /** An instant, or null where the value is absent or has no zone. */
  public Instant instant(int column) {
    return values[column] instanceof Instant instant ? instant : null;
  }

  /** A time that has no zone, or null. */
  public UnzonedTime unzoned(int column) {
    return values[column] instanceof UnzonedTime unzoned ? unzoned : null;
  }

  /** An integer, or null; of an UNSIGNED column, its 64 bits. */
  public Long integer(int column) {
    return (Long) values[column];
  }

  /** A boolean, or null. */
  public Boolean bool(int column) {
    return (Boolean) values[column];
  }

  /** The payload, or null. */
  public Payload payload(int column) {
    return (Payload) values[column];
  }
}
