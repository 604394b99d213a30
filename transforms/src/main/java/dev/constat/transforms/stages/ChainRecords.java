package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.chain.Link;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.projection.ProjectedEvent;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.reconcile.ArrivalJudge.Timed;
import dev.constat.rules.reconcile.Arrived;
import dev.constat.rules.spec.RunSpec;
import java.util.BitSet;

/**
 * The records of the stage that walks chains of corrections: events in history that correct others
 * or may be corrected, in their source and scope by id and revision.
 */
final class ChainRecords {

  private static final int KIND = 0;

  private final RecordOut out;
  private final ImmutableList<Projector> projectors;
  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  ChainRecords(RecordOut out, RunSpec spec) {
    this.out = out;
    this.projectors = Projector.all(spec.projections());
  }

  /** Appends an event that has a link. */
  void append(Timed timed) {
    Arrived arrived = timed.arrived();
    EventKey key = arrived.link().key();
    group.clear().text(arrived.source());
    key.writeScope(group);
    order.clear();
    key.writeGroup(order);
    key.revision().write(order);
    BitSet projected = new BitSet();
    if (timed.event() != null) {
      for (int rule = 0; rule < projectors.size(); rule++) {
        boolean placed =
            !projectors.get(rule).rule().windowed() || !timed.placements().get(rule).isEmpty();
        projected.set(rule, placed && projectors.get(rule).projects(timed.event()));
      }
    }
    Link link =
        new Link(
            key,
            arrived.ingestionId(),
            arrived.receivedAt(),
            arrived.occurredAt(),
            arrived.decision() == Decision.CORRECTION,
            arrived.link().supersedes(),
            arrived.link().supersedesOccurredAt(),
            arrived.withdrawn(),
            timed.watermark(),
            projected,
            arrived.place());
    key.write(body.clear());
    link.writeContent(body);
    body.bool(timed.event() != null);
    if (timed.event() != null) {
      timed.event().write(body);
    }
    out.append(group, order, KIND, body);
  }

  /** Reads the link of a record; what projections need stands behind it. */
  static Link link(KeyReader body, int scopeColumns) {
    return Link.read(EventKey.read(body, scopeColumns), body);
  }

  /** Reads what projections need of the event, behind its link; null where they need nothing. */
  static ProjectedEvent event(KeyReader body, int projectedFields) {
    return body.bool() ? ProjectedEvent.read(body, projectedFields) : null;
  }
}
