package dev.constat.rules.lease;

/** The paths under which deliveries and leases are counted, by effect type. */
public final class LeaseTally {

  /** Sum, by effect type and {@link dev.constat.rules.outbox.CrashWindow}: redeliveries stated. */
  public static final String WINDOWS = "crash windows";

  /** Sum, by measure, effect type and bucket of {@link DelayBuckets}: delays. */
  static final String DELAYS = "delays";

  /** Sum, by measure and effect type: the same in milliseconds, each as DelayBuckets cuts it. */
  static final String DELAY_MILLIS = "delay millis";

  /** Minimum, by measure and effect type: (longest delay first, outbox_id). */
  static final String LONGEST = "longest delay";

  /** Sum, by effect type: claims that were done later than the declared TTL allows. */
  static final String OVER_TTL = "over lease ttl";

  /** Sum, by effect type: outbox rows, those of replays excepted. */
  static final String ROWS = "rows of type";

  /** Maximum, by effect type: created_at of these. */
  static final String LAST_CREATED = "last created";

  private LeaseTally() {}
}
