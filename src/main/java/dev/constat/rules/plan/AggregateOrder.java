package dev.constat.rules.plan;

import dev.constat.rules.findings.Kind;
import java.util.Arrays;

/**
 * Keeps what is planned of one aggregate in order. First comes its first row that is not terminal;
 * then its rows and messages are passed from the last to the first. A message is safe as long as no
 * row before it is not terminal, so that of those that hold each other back the first is sent, and
 * no row behind it was delivered. A message of a row that was delivered itself comes before that
 * row.
 */
public final class AggregateOrder {

  private byte[] headPosition;
  private String head;
  private String nearest;

  /** Begins an aggregate. */
  public void begin() {
    headPosition = null;
    head = null;
    nearest = null;
  }

  /**
   * A row that is not terminal; of several, the first counts.
   *
   * @param position bytes whose unsigned order is that of the aggregate
   */
  public void head(byte[] position, String outboxId) {
    if (headPosition == null || Arrays.compareUnsigned(position, headPosition) < 0) {
      headPosition = position;
      head = outboxId;
    }
  }

  /** A row that was delivered. */
  public void delivered(String outboxId) {
    nearest = outboxId;
  }

  /**
   * A message: as it is where it is safe, else withheld because of the row that holds it back, or
   * of the nearest delivered row behind it. One that is withheld already stays so.
   *
   * @param position bytes whose unsigned order is that of the aggregate
   * @param unlessHeld whether all that is wrong with its row is that another holds it back, if one
   *     does
   */
  public PlanLine message(PlanLine line, byte[] position, boolean unlessHeld) {
    boolean held = head != null && Arrays.compareUnsigned(headPosition, position) < 0;
    PlanLine told = held && unlessHeld ? line.ofKind(Kind.BLOCKED_BY_HEAD) : line;
    if (!told.planned()) {
      return told;
    }
    if (held) {
      return told.with("order_safe", false).withheld(Withheld.BLOCKED_BY_HEAD, head);
    }
    return nearest == null
        ? told.with("order_safe", true)
        : told.with("order_safe", false).withheld(Withheld.OVERTAKEN, nearest);
  }
}
