package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.io.Closer;
import dev.constat.rules.encoding.KeyWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Sorts records by group, then order, then kind, then body, in a fixed amount of memory: records
 * are added, then sorted, then read once.
 *
 * <pre>{@code
 * sorter.add(group, order, kind, body);
 * SortedRecords records = sorter.sort();
 * // read them
 * sorter.clear();
 * }</pre>
 *
 * <p><b>Memory.</b> Records and their index take at most the budget; they begin small and grow as
 * needed. What exceeds the budget goes to the spill space as sorted runs, which are merged when
 * read. A single record larger than the budget is held alone; merging holds one record of each of
 * up to {@value #FAN_IN} runs. {@link #clear} keeps the memory, so that one sorter serves many
 * small sorts without allocating anything.
 *
 * <p><b>Failures.</b> When spilling fails, all runs are dropped and the sorter can only be cleared
 * or closed. {@link #clear} and {@link #close} drop all runs.
 *
 * <p>Not safe for use by several threads.
 */
public final class RecordSorter implements AutoCloseable {

  /** The budget, in bytes, unless another is given. */
  public static final long DEFAULT_BUDGET = 64L << 20;

  /** The smallest budget. */
  public static final long MIN_BUDGET = 4L << 10;

  /** How many runs are merged at a time. */
  static final int FAN_IN = 64;

  private static final int MIN_IO_BUFFER = 512;
  private static final int MAX_IO_BUFFER = 64 << 10;

  private enum State {
    ADDING,
    SORTED,
    FAILED,
    CLOSED
  }

  @FunctionalInterface
  private interface RunContent {
    void writeTo(OutputStream out) throws IOException;
  }

  private final SpillSpace space;
  private final int ioBuffer;
  private final RecordArena arena;
  private final ArenaRecords inMemory;
  private final RecordView blockRecord = new RecordView();

  private final List<SortedRun> runs = new ArrayList<>();
  private MergedRecords merged;
  private State state = State.ADDING;

  /** A sorter with the default budget. */
  public RecordSorter(SpillSpace space) {
    this(space, DEFAULT_BUDGET);
  }

  /** A sorter with a budget of so many bytes. */
  public RecordSorter(SpillSpace space, long budget) {
    checkBudget(budget);
    this.space = Objects.requireNonNull(space, "space");
    this.ioBuffer = (int) Math.max(MIN_IO_BUFFER, Math.min(MAX_IO_BUFFER, budget / (FAN_IN + 1)));
    this.arena = new RecordArena(budget);
    this.inMemory = new ArenaRecords(arena);
  }

  static void checkBudget(long budget) {
    checkArgument(
        budget >= MIN_BUDGET,
        "Invalid memory budget: %s bytes, must be at least %s",
        budget,
        MIN_BUDGET);
  }

  /** Adds a record. */
  public void add(KeyWriter group, KeyWriter order, int kind, KeyWriter body) throws IOException {
    add(
        group.buffer(),
        0,
        group.size(),
        order.buffer(),
        0,
        order.size(),
        kind,
        body.buffer(),
        0,
        body.size());
  }

  /**
   * Adds a record, whose parts are copied.
   *
   * @param kind from 0 to 255
   */
  public void add(
      byte[] group,
      int groupFrom,
      int groupTo,
      byte[] order,
      int orderFrom,
      int orderTo,
      int kind,
      byte[] body,
      int bodyFrom,
      int bodyTo)
      throws IOException {
    RecordView.check(
        group, groupFrom, groupTo, order, orderFrom, orderTo, kind, body, bodyFrom, bodyTo);
    int length = RecordView.lengthOf(groupTo - groupFrom, orderTo - orderFrom, bodyTo - bodyFrom);
    reserve(length, 1);
    RecordView.write(
        arena.chunk(),
        arena.position(),
        group,
        groupFrom,
        groupTo,
        order,
        orderFrom,
        orderTo,
        kind,
        body,
        bodyFrom,
        bodyTo);
    arena.add(length);
  }

  /**
   * Adds the records of a block.
   *
   * @param store where it waits
   * @param ticket stands for it
   */
  public void addBlock(BlockStore store, byte[] ticket) throws IOException {
    int length = store.length(ticket);
    if (length <= arena.maxChunk()) {
      addWhole(store, ticket, length);
      return;
    }
    byte[] block = new byte[length];
    store.take(ticket, block, 0);
    Blocks.checkHeader(block, 0, length);
    for (int at = Blocks.HEADER; at < length; at = blockRecord.to) {
      Blocks.moveTo(blockRecord, block, at, length);
      int size = blockRecord.length();
      reserve(size, 1);
      System.arraycopy(block, at, arena.chunk(), arena.position(), size);
      arena.add(size);
    }
  }

  /** Adds a block as it is, so that no record of it is copied. */
  private void addWhole(BlockStore store, byte[] ticket, int length) throws IOException {
    reserve(length, 0);
    store.take(ticket, arena.chunk(), arena.position());
    int records = Blocks.checkHeader(arena.chunk(), arena.position(), length);
    if (!arena.reserve(length, records)) {
      // There is room for its bytes, but none for an index of so many records.
      byte[] block = Arrays.copyOfRange(arena.chunk(), arena.position(), arena.position() + length);
      spill();
      checkState(arena.reserve(length, records), "[BUG] An empty arena has no room");
      System.arraycopy(block, 0, arena.chunk(), arena.position(), length);
    }
    byte[] chunk = arena.chunk();
    int end = arena.position() + length;
    arena.skip(Blocks.HEADER);
    int rest = records;
    for (; arena.position() < end; rest--) {
      checkArgument(rest > 0, "Invalid block: more than the %s records that it says", records);
      Blocks.moveTo(blockRecord, chunk, arena.position(), end);
      arena.add(blockRecord.length());
    }
    checkArgument(rest == 0, "Invalid block: %s of %s records are missing", rest, records);
  }

  /** Sorts what was added. The records can be read until this sorter is cleared or closed. */
  public SortedRecords sort() throws IOException {
    checkAdding();
    if (runs.isEmpty()) {
      arena.sort();
      state = State.SORTED;
      return inMemory.restart();
    }
    spill();
    // What the records took is now for the buffers of the merge.
    arena.release();
    while (runs.size() > FAN_IN) {
      mergeSome(Math.min(FAN_IN, runs.size() - FAN_IN + 1));
    }
    merged = open(runs.size());
    state = State.SORTED;
    return merged;
  }

  /** Drops all records and is ready to be added to again. */
  public void clear() throws IOException {
    checkState(state != State.CLOSED, "The sorter is closed");
    state = State.ADDING;
    inMemory.end();
    arena.clear();
    if (merged != null || !runs.isEmpty()) {
      dropRuns();
    }
  }

  /** Drops all records and gives up the memory. */
  @Override
  public void close() throws IOException {
    state = State.CLOSED;
    inMemory.end();
    arena.release();
    dropRuns();
  }

  private void reserve(int length, int records) throws IOException {
    checkAdding();
    if (!arena.reserve(length, records)) {
      spill();
      checkState(arena.reserve(length, records), "[BUG] An empty arena has no room");
    }
  }

  private void checkAdding() {
    switch (state) {
      case ADDING -> {}
      case SORTED ->
          throw new IllegalStateException("The records were sorted; clear the sorter first");
      case FAILED -> throw new IllegalStateException("The sorter failed before; clear it first");
      case CLOSED -> throw new IllegalStateException("The sorter is closed");
    }
  }

  /** Moves what is in memory to a run of its own. */
  private void spill() throws IOException {
    arena.sort();
    writeRun(arena.size(), arena::writeTo);
    arena.clear();
  }

  /** Replaces the oldest runs by one. */
  private void mergeSome(int count) throws IOException {
    long records = 0;
    for (SortedRun run : runs.subList(0, count)) {
      records += run.records();
    }
    merged = open(count);
    writeRun(records, merged::writeTo);
    merged = null;
  }

  private void writeRun(long records, RunContent content) throws IOException {
    try {
      SpillSpace.Run run = space.open();
      runs.add(new SortedRun(run, records, ioBuffer));
      try (OutputStream out = new BufferedOutputStream(run.write(), ioBuffer)) {
        content.writeTo(out);
      }
    } catch (IOException | RuntimeException e) {
      IOException failure = new IOException("Cannot sort in temporary space: " + e.getMessage(), e);
      state = State.FAILED;
      arena.clear();
      try {
        dropRuns();
      } catch (IOException | RuntimeException suppressed) {
        failure.addSuppressed(suppressed);
      }
      throw failure;
    }
  }

  /** Takes the oldest runs to be read as one. */
  private MergedRecords open(int count) {
    List<SortedRun> oldest = runs.subList(0, count);
    MergedRecords records = new MergedRecords(oldest);
    oldest.clear();
    return records;
  }

  private void dropRuns() throws IOException {
    try (Closer closer = Closer.create()) {
      runs.forEach(closer::register);
      runs.clear();
      if (merged != null) {
        closer.register(merged);
        merged = null;
      }
    }
  }
}
