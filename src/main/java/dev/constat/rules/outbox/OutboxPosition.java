package dev.constat.rules.outbox;

import com.google.common.base.CharMatcher;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.Revision;
import java.time.Instant;

/**
 * The contract order of outbox rows, (created_at, outbox_id), as bytes: ids by their UTF-8 bytes,
 * or by value where the run spec says {@code id_order: integer}.
 */
public final class OutboxPosition {

  private OutboxPosition() {}

  /** Encodes a position so that the unsigned order of the bytes is the contract order. */
  public static void write(KeyWriter out, Instant createdAt, String outboxId, boolean integerIds) {
    out.instant(createdAt);
    if (integerIds) {
      Revision.of(withoutLeadingZeros(outboxId)).write(out);
    } else {
      out.text(outboxId);
    }
  }

  /** A text wholly of digits is an integer, however it is padded; any other text stays as it is. */
  private static String withoutLeadingZeros(String id) {
    if (id.isEmpty() || !CharMatcher.inRange('0', '9').matchesAllOf(id)) {
      return id;
    }
    String digits = CharMatcher.is('0').trimLeadingFrom(id);
    return digits.isEmpty() ? "0" : digits;
  }
}
