package dev.constat.rules.reconcile;

/** Whether an absence may be stated of a subject of some age (spec section 6, horizons). */
public enum Standing {
  /** Old enough for the other side to have spoken, and young enough for it to be kept. */
  SETTLED,
  /** Too young: the other side may yet speak. */
  IN_FLIGHT,
  /** Too old: the other side may be gone. */
  OUT_OF_HORIZON
}
