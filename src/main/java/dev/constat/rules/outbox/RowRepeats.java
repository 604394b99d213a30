package dev.constat.rules.outbox;

import java.time.Instant;

/**
 * Attributes the repeats among the acknowledgements of one outbox row, which come in the order of
 * {@link Acknowledgement#writeOrder}: within a consumer and effect key by time.
 */
public final class RowRepeats {

  private final Claims claims;
  private OutboxRow row;
  private boolean attributable;
  private Instant lastAt;
  private String lastWorker;

  /** For rows whose history a {@link Claims} knows when {@link #begin} is called. */
  public RowRepeats(Claims claims) {
    this.claims = claims;
  }

  /**
   * Begins a row, once all of its versions are seen.
   *
   * @param inForce the version in force
   * @param conflict whether no version says which content is the row; its history is then none
   */
  public void begin(OutboxRow inForce, boolean conflict) {
    row = inForce;
    attributable = !conflict;
    lastAt = null;
  }

  /**
   * Folds the next acknowledgement.
   *
   * @param ack the acknowledgement
   * @param fold it alone, as a fold
   * @param open the fold of those before it of the same consumer, replay and key, or null
   */
  public AckFold next(Acknowledgement ack, AckFold fold, AckFold open) {
    if (ack.replayed() || row.replayed()) {
      return open == null ? fold : open.and(fold);
    }
    if (open == null) {
      lastAt = null;
    }
    AckFold counted = fold;
    if (ack.effective()) {
      if (attributable) {
        claims.delivered(ack.worker(), ack.ackedAt());
      }
      if (lastAt != null) {
        counted =
            fold.with(
                Repeats.of(
                    attributable
                        ? claims.window(row, lastAt, lastWorker, ack.ackedAt(), ack.worker())
                        : Claims.Window.NOT_SHOWN,
                    Boolean.TRUE.equals(ack.applied())));
      }
      lastAt = ack.ackedAt();
      lastWorker = ack.worker();
    }
    return open == null ? counted : open.and(counted);
  }
}
