package dev.constat.rules.lease;

/** The paths under which deliveries and leases are counted, by effect type. */
public final class LeaseTally {

  /** Sum, by effect type and {@link dev.constat.rules.outbox.CrashWindow}: redeliveries stated. */
  public static final String WINDOWS = "crash windows";

  private LeaseTally() {}
}
