package dev.constat.transforms.outputs;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.buckets.SpillSpace;
import java.io.IOException;

/**
 * Puts findings in the order of reports, within a fixed budget of memory, and makes one of the
 * parts of a finding.
 */
public final class FindingSorter implements AutoCloseable {

  private static final long BUDGET = 16L << 20;

  private final RecordSorter sorter;
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  /** Takes findings in order. */
  @FunctionalInterface
  public interface Reader {

    /** Takes the next one. */
    void accept(Finding finding) throws IOException;
  }

  /** A sorter that spills to {@code space}. */
  public FindingSorter(SpillSpace space) {
    this.sorter = new RecordSorter(space, BUDGET);
  }

  /** Adds a finding, or a part of one. */
  public void add(Finding finding) throws IOException {
    order.clear().raw(FindingCodec.sortKey(finding));
    body.clear().raw(FindingCodec.encode(finding));
    sorter.add(empty, order, 0, body);
  }

  /** Hands over every finding once and forgets them all. */
  public void drainTo(Reader reader) throws IOException {
    SortedRecords sorted = sorter.sort();
    Finding open = null;
    while (sorted.nextGroup()) {
      while (sorted.nextRecord()) {
        Finding next = FindingCodec.decode(sorted.body());
        if (open != null && open.isAbout(next)) {
          open = open.merge(next);
        } else {
          if (open != null) {
            reader.accept(open);
          }
          open = next;
        }
      }
    }
    if (open != null) {
      reader.accept(open);
    }
    sorter.clear();
  }

  /** Forgets them all. */
  public void clear() throws IOException {
    sorter.clear();
  }

  @Override
  public void close() throws IOException {
    sorter.close();
  }
}
