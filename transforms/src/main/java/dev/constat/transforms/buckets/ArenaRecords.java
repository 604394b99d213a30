package dev.constat.transforms.buckets;

/** Reads the records of an arena. One instance serves all uses of its arena. */
final class ArenaRecords extends SortedRecords {

  /** How many records are brought near at a time; a power of two. */
  private static final int AHEAD = 16;

  private final RecordArena arena;
  private final RecordView record = new RecordView();
  private int next;

  private byte[] groupBuffer;
  private int groupFrom;
  private int groupTo;

  ArenaRecords(RecordArena arena) {
    this.arena = arena;
  }

  /** Starts at the arena's first record. */
  SortedRecords restart() {
    next = 0;
    open();
    return this;
  }

  @Override
  boolean advance() {
    if (next == arena.size()) {
      return false;
    }
    if ((next & AHEAD - 1) == 0) {
      arena.bringNear(next, next + AHEAD);
    }
    arena.moveTo(record, next++);
    return true;
  }

  @Override
  RecordView record() {
    return record;
  }

  @Override
  void keepGroup(RecordView first) {
    groupBuffer = first.buffer;
    groupFrom = first.groupFrom;
    groupTo = first.orderFrom;
  }

  @Override
  public byte[] groupBuffer() {
    return groupBuffer;
  }

  @Override
  public int groupFrom() {
    return groupFrom;
  }

  @Override
  public int groupTo() {
    return groupTo;
  }
}
