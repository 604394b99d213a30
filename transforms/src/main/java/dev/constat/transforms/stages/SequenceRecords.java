package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.reconcile.Arrival;
import dev.constat.rules.reconcile.Arrived;
import dev.constat.rules.reconcile.EventColumns;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.Sequence;
import dev.constat.rules.time.Clock;
import dev.constat.rules.time.Timeliness;
import java.time.Instant;

/**
 * The records of the stage that follows the numbers of documented sequences: every numbered
 * reception, in its (source, scope) as {@link Arrived#writeOrder} has it.
 */
final class SequenceRecords {

  private final RecordOut out;
  private final RunSpec spec;
  private final EventColumns columns;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  SequenceRecords(RecordOut out, RunSpec spec) {
    this.out = out;
    this.spec = spec;
    this.columns = new EventColumns(spec);
  }

  /** When it happened, as far as that can be: one wrong clock must not begin an epoch. */
  private Instant happened(Reception reception) {
    Timeliness timeliness =
        Clock.timeliness(
            reception.occurredAt(),
            reception.receivedAt(),
            null,
            spec.contract(reception.source()).futureTolerance());
    return timeliness == Timeliness.FUTURE ? reception.receivedAt() : reception.occurredAt();
  }

  /** Whether any source of a run documents its sequences. */
  static boolean needed(RunSpec spec) {
    return spec.sources().stream().anyMatch(contract -> contract.sequence() != null);
  }

  /** Appends a reception, if its number means something. */
  void reception(Arrival arrival) {
    Reception reception = arrival.reception();
    Decision decision = arrival.decision();
    Sequence sequence = spec.contract(reception.source()).sequence();
    if (sequence == null
        || reception.sourceSequence() == null
        || reception.replayed()
        || !decision.inHistory() && decision != Decision.ARCHIVE_CONFLICT) {
      return; // repeats count once
    }
    group.clear().text(reception.source());
    for (String column : sequence.scope()) {
      group.nullableText(columns.value(column, reception));
    }
    Arrived.writeOrder(order.clear(), reception, arrival.key());
    body.clear().unsigned(reception.sourceSequence()).instant(happened(reception));
    out.append(group, order, 0, body);
  }
}
