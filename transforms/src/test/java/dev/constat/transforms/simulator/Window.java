package dev.constat.transforms.simulator;

/** Through which window a message came to a consumer again. */
public enum Window {
  /** It had been published; the mark that says so was not made. */
  PUBLISHED_BEFORE_MARK,
  /** A worker published whose lease had ended, after another had claimed the row. */
  LAPSED_LEASE,
  /** Such a worker, and its claim covered several rows. */
  BATCH_OVER_LEASE,
  /** Two workers held a lease on the row at once. */
  OVERLAPPING_LEASES,
  /** The row had been marked, and the mark did not stand. */
  SUPERSEDED_MARK,
  /** The event had a second row. */
  SURPLUS_ROW,
  /** Nothing that a row could show: the broker or the consumer repeated it. */
  NOT_SHOWN
}
