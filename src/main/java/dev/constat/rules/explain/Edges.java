package dev.constat.rules.explain;

import java.time.Instant;

/**
 * What a run could see of its inputs; each is null where the run does not say.
 *
 * @param eventsCut up to when events are complete
 * @param outboxStart from when on outbox rows are
 * @param outboxCut up to when they are
 * @param acksStart from when on acknowledgements are
 * @param acksCut up to when they are
 */
public record Edges(
    Instant eventsCut, Instant outboxStart, Instant outboxCut, Instant acksStart, Instant acksCut) {

  /** Nothing is known. */
  public static final Edges UNKNOWN = new Edges(null, null, null, null, null);
}
