package dev.constat.rules.outbox;

/** The states an outbox row goes through. */
public enum Status {
  PENDING,
  PROCESSING,
  DISPATCHED,
  DLQ
}
