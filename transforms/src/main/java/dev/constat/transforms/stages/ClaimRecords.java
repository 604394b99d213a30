package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.outbox.Claim;
import dev.constat.rules.outbox.Claims;
import dev.constat.rules.outbox.Repeats;
import java.util.List;

/**
 * The records of the stage that follows claims: every outbox row that a claim covers, behind them
 * the repeats that came when its lease had ended. A claim is (owner, claimed_at).
 */
final class ClaimRecords {

  /** An outbox row that the claim covers. */
  static final int KIND_ROW = 0;

  /** Repeats under the claim once its lease had ended. */
  static final int KIND_LAPSE = 1;

  private final RecordOut out;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  ClaimRecords(RecordOut out) {
    this.out = out;
  }

  /** Appends a row to every claim in its history that says whose it is. */
  void row(String outboxId, Claims claims) {
    List<Claim> all = claims.claims();
    for (int i = 0; i < all.size(); i++) {
      Claim claim = all.get(i);
      if (claim.owner() != null) {
        group.clear().text(claim.owner()).instant(claim.claimedAt());
        order.clear().octet(KIND_ROW).text(outboxId);
        out.append(group, order, KIND_ROW, body.clear());
      }
    }
  }

  /** Appends repeats of a redelivery that a lapsed claim explains. */
  void lapse(Finding redelivery, String effectType, Repeats.Lapse lapse) {
    group.clear().text(lapse.owner()).instant(lapse.claimedAt());
    order.clear().octet(KIND_LAPSE).text(redelivery.subject());
    body.clear().text(redelivery.subject()).nullableText(effectType).signed(lapse.repeats());
    out.append(group, order, KIND_LAPSE, body);
  }
}
