package dev.constat.transforms.buckets;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Encoded records in memory, with an index to sort them by, together within a budget of bytes.
 *
 * <p>Records lie whole in chunks that are allocated as they are needed and used again after {@link
 * #clear}. Chunks rather than one growing array, because growing would need both arrays at once.
 */
final class RecordArena {

  private static final int MIN_CHUNK = 64 << 10;

  // Below half a region of the smallest G1 heap, so that chunks are ordinary objects.
  private static final int MAX_CHUNK = 256 << 10;

  private static final int FIRST_INDEX = 16;

  private static final int CACHE_LINE = 64;

  /** So many bytes of a record are brought near; most records have fewer. */
  private static final int NEAR = 4 * CACHE_LINE;

  /** A reference and a prefix to sort by. */
  private static final int INDEX_ENTRY = 2 * Long.BYTES;

  private final long budget;
  private final int maxChunk;
  private final int minChunk;

  // Chunks up to the current one hold records, those behind it are spare.
  private byte[][] chunks = new byte[8][];
  private int chunkCount;
  private int current = -1;
  private int position;
  private long chunkBytes;

  // Read by nobody; without it, what touches memory would be optimized away.
  @SuppressWarnings("unused")
  private int touched;

  // A reference is the number of a chunk and, in the lower half, the position in it.
  private long[] references = new long[FIRST_INDEX];
  private int size;

  private final ArenaSort sort = new ArenaSort(this);

  RecordArena(long budget) {
    this.budget = budget;
    this.maxChunk = (int) Math.min(MAX_CHUNK, budget / 8);
    this.minChunk = Math.min(MIN_CHUNK, maxChunk);
  }

  int size() {
    return size;
  }

  /** How many bytes chunks and index take. */
  long memory() {
    return chunkBytes + (long) references.length * INDEX_ENTRY;
  }

  /** Up to so many bytes at once, what is reserved is ordinary. */
  int maxChunk() {
    return maxChunk;
  }

  /**
   * Finds room for more records, to be written one after the other from {@link #position} of {@link
   * #chunk} on and then added.
   *
   * @param length of all of them, in bytes
   * @param records how many there are
   * @return false when that would exceed the budget; never when the arena is empty, so that every
   *     record fits somewhere
   */
  boolean reserve(int length, int records) {
    return (records <= references.length - size || growIndex(records))
        && (current >= 0 && chunks[current].length - position >= length || nextChunk(length));
  }

  byte[] chunk() {
    return chunks[current];
  }

  int position() {
    return position;
  }

  /** Passes over bytes that are no record. */
  void skip(int length) {
    position += length;
  }

  /** Adds the record of so many bytes that was written where there was room. */
  void add(int length) {
    references[size++] = (long) current << Integer.SIZE | position;
    position += length;
  }

  /** Sorts the records. */
  void sort() {
    sort.sort(references, size);
  }

  /** Moves a view to a record. */
  void moveTo(RecordView record, int index) {
    moveToReference(record, references[index]);
  }

  void moveToReference(RecordView record, long reference) {
    record.moveTo(chunks[(int) (reference >>> Integer.SIZE)], (int) reference);
  }

  /**
   * Touches records that are read next. In their order they lie anywhere in memory; fetched one by
   * one, each would be waited for, fetched together they are waited for once.
   */
  void bringNear(int from, int to) {
    int sum = 0;
    for (int i = from; i < Math.min(to, size); i++) {
      byte[] chunk = chunks[(int) (references[i] >>> Integer.SIZE)];
      int at = (int) references[i];
      int last = chunk.length - 1;
      for (int near = at; near < at + NEAR; near += CACHE_LINE) {
        sum += chunk[Math.min(near, last)];
      }
    }
    touched = sum;
  }

  /** Writes all records in their current order. */
  void writeTo(OutputStream out) throws IOException {
    RecordView record = new RecordView();
    for (int i = 0; i < size; i++) {
      moveTo(record, i);
      out.write(record.buffer, record.from, record.length());
    }
  }

  /** Forgets the records and keeps the memory, but for what served single large records. */
  void clear() {
    if (size == 0) {
      return;
    }
    if (current > 0 || chunks[0].length > maxChunk) {
      dropLargeChunks();
    }
    size = 0;
    position = 0;
    current = -1;
  }

  /** Forgets the records and gives up the memory. */
  void release() {
    Arrays.fill(chunks, 0, chunkCount, null);
    chunkCount = 0;
    chunkBytes = 0;
    current = -1;
    position = 0;
    size = 0;
    references = new long[FIRST_INDEX];
    sort.release();
  }

  private boolean growIndex(int records) {
    int needed = size + records - references.length;
    int extra =
        Math.max(
            needed, Math.min(references.length / 2, Integer.MAX_VALUE / 2 - references.length));
    if (extra > Integer.MAX_VALUE / 2 - references.length
        || !hasMemory((long) extra * INDEX_ENTRY)) {
      return false;
    }
    references = Arrays.copyOf(references, references.length + extra);
    sort.release();
    return true;
  }

  private void trimIndex() {
    int wanted = Math.max(FIRST_INDEX, size + size / 8);
    if (wanted < references.length) {
      references = Arrays.copyOf(references, wanted);
      sort.release();
    }
  }

  private boolean nextChunk(int length) {
    int next = current + 1;
    if (next == chunkCount || chunks[next].length < length) {
      int wanted = Math.max(length, (int) Math.min(maxChunk, Math.max(minChunk, chunkBytes)));
      if (!hasMemory(wanted)) {
        // Room in the index, left by an earlier use with smaller records, is better spent here.
        trimIndex();
        if (!hasMemory(wanted) && size > 0) {
          return false;
        }
      }
      if (chunkCount == chunks.length) {
        chunks = Arrays.copyOf(chunks, 2 * chunkCount);
      }
      System.arraycopy(chunks, next, chunks, next + 1, chunkCount - next);
      chunks[next] = new byte[wanted];
      chunkCount++;
      chunkBytes += wanted;
    }
    current = next;
    position = 0;
    return true;
  }

  /** Whether the budget allows for so many more bytes, if need be by giving up spare chunks. */
  private boolean hasMemory(long extra) {
    while (memory() + extra > budget && chunkCount > current + 1) {
      chunkCount--;
      chunkBytes -= chunks[chunkCount].length;
      chunks[chunkCount] = null;
    }
    return memory() + extra <= budget;
  }

  private void dropLargeChunks() {
    int kept = 0;
    for (int i = 0; i < chunkCount; i++) {
      if (chunks[i].length > maxChunk) {
        chunkBytes -= chunks[i].length;
      } else {
        chunks[kept++] = chunks[i];
      }
    }
    Arrays.fill(chunks, kept, chunkCount, null);
    chunkCount = kept;
  }
}
