package dev.constat.pipelines.output;

import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** Rows that look like a decisions table. */
final class Decisions {

  static final TableSchema TABLE =
      TableSchema.of(
          "decisions",
          new Column("ingestion_id", Type.TEXT),
          new Column("source", Type.TEXT),
          new Column("source_event_id", Type.TEXT),
          new Column("partition", Type.TEXT),
          new Column("occurred_at", Type.TIME),
          new Column("received_at", Type.TIME),
          new Column("schema_version", Type.TEXT),
          new Column("key", Type.TEXT),
          new Column("hash", Type.TEXT),
          new Column("hash_rule", Type.TEXT),
          new Column("decision", Type.TEXT),
          new Column("in_history", Type.BOOLEAN),
          new Column("against", Type.TEXT),
          new Column("repeats", Type.LONG),
          new Column("last_received_at", Type.TIME),
          new Column("rule", Type.TEXT),
          new Column("flags", Type.TEXTS),
          new Column("reason", Type.TEXT),
          new Column("replay_id", Type.TEXT));

  private final Random random;
  private final byte[] id = new byte[16];
  private final byte[] hash = new byte[32];
  private long count;

  Decisions(long seed) {
    random = new Random(seed);
  }

  /** The next row; ids and hashes as bytes, words as strings, like the stages hand them over. */
  Object[] next() {
    random.nextBytes(id);
    random.nextBytes(hash);
    count++;
    boolean accepted = random.nextInt(10) > 0;
    byte[] event = ascii(HexFormat.of().formatHex(id));
    Instant received = Instant.ofEpochSecond(1_767_000_000L + count, random.nextInt(1_000_000_000));
    return new Object[] {
      ascii("ing-" + HexFormat.of().toHexDigits(random.nextLong())),
      "venue-" + random.nextInt(4),
      event,
      "p" + random.nextInt(16),
      received.minusNanos(random.nextInt()),
      received,
      "1",
      event,
      ascii(HexFormat.of().formatHex(hash)),
      "jcs-exact/1",
      accepted ? "ACCEPTED" : "EXACT_DUPLICATE",
      accepted,
      accepted ? null : ascii("ing-" + HexFormat.of().toHexDigits(random.nextLong())),
      accepted ? Long.valueOf(random.nextInt(3)) : null,
      accepted ? received : null,
      "identity/1",
      random.nextInt(20) == 0 ? List.of("ORIGINAL_ABSENT") : List.of(),
      accepted ? "first reception of its key" : "same hash as the first reception",
      null
    };
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
