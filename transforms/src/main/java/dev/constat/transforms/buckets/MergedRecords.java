package dev.constat.transforms.buckets;

import com.google.common.io.Closer;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Reads several sorted runs as one. A run is dropped as soon as it is read to its end. */
final class MergedRecords extends SortedRecords implements Closeable {

  // A binary heap by the record each run is at; the smallest is first.
  private final SortedRun[] runs;
  private int size;
  private boolean started;

  private byte[] group = new byte[256];
  private int groupLength;

  /** Reads runs, none of which has been moved yet, and owns them. */
  MergedRecords(List<SortedRun> runs) {
    this.runs = runs.toArray(SortedRun[]::new);
    this.size = this.runs.length;
    open();
  }

  @Override
  boolean advance() throws IOException {
    if (!started) {
      started = true;
      for (int i = size - 1; i >= 0; i--) {
        moveOn(i);
      }
      for (int i = size / 2 - 1; i >= 0; i--) {
        sink(i);
      }
    } else if (size > 0) {
      moveOn(0);
      sink(0);
    }
    return size > 0;
  }

  @Override
  RecordView record() {
    return runs[0].record();
  }

  @Override
  void keepGroup(RecordView first) {
    groupLength = first.orderFrom - first.groupFrom;
    if (group.length < groupLength) {
      group = new byte[(int) Math.min(Integer.MAX_VALUE - 64, 2L * groupLength)];
    }
    System.arraycopy(first.buffer, first.groupFrom, group, 0, groupLength);
  }

  @Override
  public byte[] groupBuffer() {
    return group;
  }

  @Override
  public int groupFrom() {
    return 0;
  }

  @Override
  public int groupTo() {
    return groupLength;
  }

  /** Writes all records to where they become one run. */
  void writeTo(OutputStream out) throws IOException {
    while (advance()) {
      RecordView record = record();
      out.write(record.buffer, record.from, record.length());
    }
  }

  @Override
  public void close() throws IOException {
    end();
    try (Closer closer = Closer.create()) {
      while (size > 0) {
        closer.register(runs[--size]);
      }
    }
  }

  /** Moves a run to its next record; one that has none is closed and the last takes its place. */
  private void moveOn(int index) throws IOException {
    SortedRun run = runs[index];
    if (!run.next()) {
      size--;
      runs[index] = runs[size];
      runs[size] = null;
      run.close();
    }
  }

  private void sink(int index) {
    int parent = index;
    int child = 2 * parent + 1;
    while (child < size) {
      if (child + 1 < size && isBefore(child + 1, child)) {
        child++;
      }
      if (!isBefore(child, parent)) {
        return;
      }
      SortedRun run = runs[parent];
      runs[parent] = runs[child];
      runs[child] = run;
      parent = child;
      child = 2 * parent + 1;
    }
  }

  private boolean isBefore(int left, int right) {
    return RecordView.compare(runs[left].record(), runs[right].record()) < 0;
  }
}
