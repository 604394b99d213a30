package dev.constat.rules.reconcile;

/** The paths under which reading counts, each followed by the input's key. */
public final class ReadTally {

  /** Sum: records read, unreadable ones included. */
  public static final String ROWS = "rows";

  /** Sum: records and files that could not be read. */
  public static final String UNREADABLE = "unreadable";

  /** Sum: records of {@link #UNREADABLE} among the {@link #ROWS}. */
  public static final String UNREADABLE_ROWS = "unreadable rows";

  /** Sum: records whose required time has no zone. */
  public static final String UNDECIDED = "undecided";

  /** Sum: records dropped because they are later than an as_of that was given. */
  public static final String AFTER_AS_OF = "after as_of";

  /** Sum: records dropped because they are earlier than from minus look_back. */
  public static final String BEFORE_LOOK_BACK = "before look-back";

  /** Sum: records handed on. */
  public static final String USABLE = "usable";

  /** Minimum: the smallest time of the input's clock column. */
  public static final String FIRST = "first";

  /** Maximum: the largest time that says how far the input reaches. */
  public static final String LAST = "last";

  /** Maximum over the outbox: (created_at, outbox_id) of its DISPATCHED rows. */
  public static final String LAST_DISPATCHED = "last dispatched";

  /** Sum, by input, file and part: lines of the part. */
  public static final String LINES = "lines";

  /** Sum, by input, file and name: a column that the contract lacks and the run does not name. */
  public static final String UNKNOWN_COLUMN = "unknown column";

  /** Sum, by input, file and column: times without a zone. */
  public static final String UNZONED = "unzoned";

  /** Minimum, by input, file and column: place of the first such time. */
  public static final String UNZONED_FIRST = "unzoned first";

  /** Minimum, by input and file: the file's SHA-256. */
  public static final String DIGEST = "digest";

  /** Sum, by input and file: records read. */
  public static final String FILE_ROWS = "file rows";

  /** Maximum, by input and column: whether any record has the column, be it without a value. */
  public static final String PRESENT = "present";

  /** Sum, by place of a rule among the projections: recorded cells. */
  public static final String RECORDED_CELLS = "recorded cells";

  /** Sum, by the same: recorded cells that say which events they consumed. */
  public static final String RECORDED_EVENTS = "recorded events";

  private ReadTally() {}
}
