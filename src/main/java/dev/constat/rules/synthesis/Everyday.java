package dev.constat.rules.synthesis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.constat.rules.spec.Profile;
import dev.constat.rules.spec.Profile.Delay;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What happens when nothing goes wrong: an event is received once, announced by one outbox row,
 * dispatched and acknowledged. All of it follows from the number of the event; times are
 * microseconds since 1970. An instance belongs to one thread.
 */
final class Everyday {

  static final long SECOND = 1_000_000;
  static final long MINUTE = 60 * SECOND;

  /** From the reception to the last that comes of it there is less than this. */
  static final long AFTERMATH = 10 * SECOND;

  // what a random number is for
  static final int DELAY = 1;
  static final int DELAY_CLASS = 2;
  static final int PRICE = 3;
  static final int QUANTITY = 4;
  static final int CREATED = 5;
  static final int DISPATCHED = 6;
  static final int ACKED = 7;
  static final int DECIDED = 8;
  static final int OFFSET = 9;
  static final int EVENT_ID = 10;
  static final int INGESTION_ID = 12;
  static final int OUTBOX_ID = 14;
  static final int ACK_ID = 16;
  static final int UNKNOWN_ID = 18;

  static final byte[] TRADES = "trades".getBytes(US_ASCII);
  static final byte[] ACCOUNT = "acct".getBytes(US_ASCII);
  static final byte[] NOTIFY = "notify".getBytes(US_ASCII);
  static final byte[] CONSUMER = "c1".getBytes(US_ASCII);
  static final byte[] DONE = "DISPATCHED".getBytes(US_ASCII);
  static final byte[] ACCEPTED = "ACCEPTED".getBytes(US_ASCII);

  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
  private static final String RAW_BYTES = "raw-bytes/1:";
  private static final int ID_LENGTH = 32;
  private static final int CACHED = 1 << 16;

  private final Mix mix;
  private final long start;
  private final long eventsPerSecond;
  private final byte[] schemaVersion;
  private final long[] delayPercents;
  private final long[] shortestDelays;
  private final long[] longestDelays;
  private final byte[][] sources;
  private final byte[][] partitions;
  private final byte[][] businessKeys;
  private final int[] counts;
  private final MessageDigest sha256;

  Everyday(Profile profile, long seed) {
    this.mix = new Mix(seed);
    this.start = micros(profile.start());
    this.eventsPerSecond = profile.eventsPerSecond();
    this.schemaVersion = profile.schemaVersion().getBytes(UTF_8);
    List<Delay> delays = profile.delays();
    this.delayPercents = delays.stream().mapToLong(Delay::percent).toArray();
    this.shortestDelays = delays.stream().mapToLong(delay -> micros(delay.from())).toArray();
    this.longestDelays = delays.stream().mapToLong(delay -> micros(delay.to())).toArray();
    this.counts = new int[] {profile.sources(), profile.partitions(), profile.businessKeys()};
    this.sources = names("src-", counts[0]);
    this.partitions = names("p", counts[1]);
    this.businessKeys = names("S", counts[2]);
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), SECOND), instant.getNano() / 1_000);
  }

  static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, SECOND), Math.floorMod(micros, SECOND) * 1_000);
  }

  private static byte[][] names(String prefix, int count) {
    byte[][] names = new byte[Math.min(count, CACHED)][];
    for (int i = 0; i < names.length; i++) {
      names[i] = (prefix + i).getBytes(US_ASCII);
    }
    return names;
  }

  private static byte[] name(byte[][] names, String prefix, long number) {
    return number < names.length ? names[(int) number] : (prefix + number).getBytes(US_ASCII);
  }

  Mix mix() {
    return mix;
  }

  // Times

  /** When an event happens. */
  long happens(long event) {
    return start + event * SECOND / eventsPerSecond;
  }

  /** The first event that happens at a time or later; at least 0. */
  long firstFrom(long time) {
    if (time <= start) {
      return 0;
    }
    long event = Math.max(0, Math.multiplyExact(time - start, eventsPerSecond) / SECOND - 1);
    while (happens(event) < time) {
      event++;
    }
    return event;
  }

  /** An event's longest delay, and all that comes after it. */
  long longest() {
    return LongStream.of(longestDelays).max().orElseThrow() + AFTERMATH;
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }

  long receivedAt(long event) {
    long percent = mix.below(100, DELAY_CLASS, event);
    for (int i = 0; i < delayPercents.length; i++) {
      percent -= delayPercents[i];
      if (percent < 0) {
        long shortest = shortestDelays[i];
        return happens(event) + shortest + mix.below(longestDelays[i] - shortest, DELAY, event);
      }
    }
    throw new IllegalStateException("[BUG] Shares of delays add up to less than 100");
  }

  long createdAfter(long index) {
    return 5_000 + mix.below(50_000, CREATED, index);
  }

  long dispatchedAfter(long index) {
    return 100_000 + mix.below(900_000, DISPATCHED, index);
  }

  long ackedAfter(long index) {
    return 2 * SECOND + mix.below(3 * SECOND, ACKED, index);
  }

  long decidedAfter(long index) {
    return 2_000 + mix.below(13_000, DECIDED, index);
  }

  /** When what a table says of an event falls in its order of time. */
  long time(SyntheticTable table, long event) {
    long received = receivedAt(event);
    return switch (table) {
      case EVENTS -> received;
      case OUTBOX -> received + createdAfter(event);
      case ACKS -> received + createdAfter(event) + ackedAfter(event);
      case DECISIONS -> received + decidedAfter(event);
      case CELLS, REPLAYS -> throw new IllegalArgumentException(table + " holds faults alone");
    };
  }

  // Contents

  byte[] source(long event) {
    return name(sources, "src-", event % counts[0]);
  }

  byte[] partition(long event) {
    return name(partitions, "p", event % counts[1]);
  }

  byte[] businessKey(long event) {
    return name(businessKeys, "S", event % counts[2]);
  }

  /** An id of 32 hex digits; no two of one purpose are equal. */
  byte[] id(int purpose, long index) {
    byte[] id = new byte[ID_LENGTH];
    hex(mix.at(purpose, index), id, 0);
    hex(mix.at(purpose + 1, index), id, ID_LENGTH / 2);
    return id;
  }

  private static void hex(long bits, byte[] out, int at) {
    for (int i = 0; i < 16; i++) {
      out[at + i] = HEX[(int) (bits >>> (60 - 4 * i)) & 0xF];
    }
  }

  byte[] payload(long event) {
    return payload(
        mix.below(999_999, PRICE, event), mix.below(77, QUANTITY, event), businessKey(event), null);
  }

  /**
   * A payload as JSON text.
   *
   * @param cents its price
   * @param more further members, after a comma, or null
   */
  static byte[] payload(long cents, long quantity, byte[] symbol, String more) {
    StringBuilder json = new StringBuilder(64);
    json.append("{\"px\":\"").append(cents / 100).append('.');
    json.append((char) ('0' + cents / 10 % 10)).append((char) ('0' + cents % 10));
    json.append("\",\"qty\":").append(quantity).append(",\"sym\":\"");
    for (byte character : symbol) {
      json.append((char) character);
    }
    json.append('"');
    if (more != null) {
      json.append(',').append(more);
    }
    return json.append('}').toString().getBytes(US_ASCII);
  }

  /** SHA-256 of a payload in hex, under the name of its rule. */
  byte[] hash(byte[] payload) {
    return (RAW_BYTES + HexFormat.of().formatHex(sha256.digest(payload))).getBytes(US_ASCII);
  }

  byte[] effectKey(byte[] source, byte[] id, byte[] effect) {
    byte[] key = new byte[source.length + id.length + effect.length + 2];
    System.arraycopy(source, 0, key, 0, source.length);
    key[source.length] = '/';
    System.arraycopy(id, 0, key, source.length + 1, id.length);
    key[source.length + 1 + id.length] = '/';
    System.arraycopy(effect, 0, key, source.length + id.length + 2, effect.length);
    return key;
  }

  /** What a table says of an event, in place of what a record held before. */
  void fill(SyntheticTable table, long event, SyntheticRecord record) {
    long index = index(event, 0);
    record.clear();
    switch (table) {
      case EVENTS -> {
        byte[] payload = payload(event);
        record
            .set(0, id(INGESTION_ID, index))
            .set(1, source(event))
            .set(2, id(EVENT_ID, index))
            .set(3, event)
            .set(4, partition(event))
            .set(5, happens(event))
            .set(6, receivedAt(event))
            .set(7, schemaVersion)
            .set(8, payload)
            .set(9, hash(payload))
            .set(10, businessKey(event))
            .set(11, TRADES)
            .set(12, ACCOUNT)
            .set(13, businessKey(event));
      }
      case OUTBOX -> {
        long created = receivedAt(event) + createdAfter(event);
        record
            .set(0, id(OUTBOX_ID, index))
            .set(1, source(event))
            .set(2, id(EVENT_ID, index))
            .set(3, NOTIFY)
            .set(4, TRADES)
            .set(5, ACCOUNT)
            .set(6, businessKey(event))
            .set(7, 0)
            .set(8, DONE)
            .set(9, 1)
            .set(10, created)
            .set(14, created + dispatchedAfter(event));
      }
      case ACKS ->
          record
              .set(0, id(ACK_ID, index))
              .set(1, id(OUTBOX_ID, index))
              .set(2, CONSUMER)
              .set(3, receivedAt(event) + createdAfter(event) + ackedAfter(event))
              .set(4, effectKey(source(event), id(EVENT_ID, index), NOTIFY));
      case DECISIONS ->
          record
              .set(0, id(INGESTION_ID, index))
              .set(1, ACCEPTED)
              .set(2, receivedAt(event) + decidedAfter(event));
      case CELLS, REPLAYS -> throw new IllegalArgumentException(table + " holds faults alone");
    }
  }

  /** The number of the n-th thing of its kind that an event brings with it, below 256. */
  static long index(long event, int n) {
    return event << 8 | n;
  }
}
