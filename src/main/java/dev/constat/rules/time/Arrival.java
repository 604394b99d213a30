package dev.constat.rules.time;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Arrays;

/**
 * The order of arrival: received_at, then the bytes of ingestion_id.
 *
 * @param receivedAt when a reception was received
 * @param ingestionId names it
 */
record Arrival(Instant receivedAt, String ingestionId) implements Comparable<Arrival> {

  @Override
  public int compareTo(Arrival other) {
    int byTime = receivedAt.compareTo(other.receivedAt);
    return byTime != 0
        ? byTime
        : Arrays.compareUnsigned(ingestionId.getBytes(UTF_8), other.ingestionId.getBytes(UTF_8));
  }
}
