package dev.constat.rules.synthesis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One record of a {@link SyntheticTable}: values by position, without an object per number. */
public final class SyntheticRecord {

  /** No table has more columns. */
  private static final int COLUMNS = 17;

  private final byte[][] texts = new byte[COLUMNS][];
  private final long[] numbers = new long[COLUMNS];
  private final boolean[] present = new boolean[COLUMNS];

  SyntheticRecord() {}

  /** Whether a column has a value. */
  public boolean has(int column) {
    return present[column];
  }

  /** The value of a column of text, in UTF-8; not to be changed. */
  public byte[] text(int column) {
    return texts[column];
  }

  /** The value of any other column. */
  public long number(int column) {
    return numbers[column];
  }

  SyntheticRecord set(int column, byte[] text) {
    texts[column] = text;
    present[column] = text != null;
    return this;
  }

  SyntheticRecord set(int column, String text) {
    return set(column, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  SyntheticRecord set(int column, long number) {
    numbers[column] = number;
    present[column] = true;
    return this;
  }

  SyntheticRecord unset(int column) {
    present[column] = false;
    return this;
  }

  /** Takes all values away. */
  SyntheticRecord clear() {
    Arrays.fill(present, false);
    return this;
  }

  /** The same record once more, to be changed. */
  SyntheticRecord copy() {
    SyntheticRecord copy = new SyntheticRecord();
    System.arraycopy(texts, 0, copy.texts, 0, COLUMNS);
    System.arraycopy(numbers, 0, copy.numbers, 0, COLUMNS);
    System.arraycopy(present, 0, copy.present, 0, COLUMNS);
    return copy;
  }
}
