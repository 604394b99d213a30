package dev.constat.transforms.scan;

import dev.constat.rules.encoding.KeyWriter;
import java.util.Arrays;

/**
 * The greatest value before each record while a group is scanned in its total order:
 *
 * <pre>{@code
 * while (records.nextGroup()) {
 *   maximum.start(maxima.before(records.groupBuffer(), records.groupFrom(), records.groupTo()));
 *   while (records.nextRecord()) {
 *     judge(maximum.before());
 *     maximum.add(value); // unless the record has none
 *   }
 * }
 * }</pre>
 *
 * <p>Records of one position are in one group, so that each has before it what the total order puts
 * there, whether by position or by what follows it.
 */
public final class RunningMaximum {

  private byte[] maximum;

  /** Begins a group with what stands before it, or null. */
  public void start(byte[] before) {
    maximum = before;
  }

  /** The greatest value so far, or null where there is none; not to be written to. */
  public byte[] before() {
    return maximum;
  }

  /** Takes a record's value in. */
  public void add(KeyWriter value) {
    add(value.buffer(), 0, value.size());
  }

  /** Takes a record's value in, which is copied if it is kept. */
  public void add(byte[] buffer, int from, int to) {
    if (maximum == null
        || Arrays.compareUnsigned(buffer, from, to, maximum, 0, maximum.length) > 0) {
      maximum = Arrays.copyOfRange(buffer, from, to);
    }
  }
}
