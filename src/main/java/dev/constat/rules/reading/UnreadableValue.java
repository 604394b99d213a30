package dev.constat.rules.reading;

import java.nio.charset.StandardCharsets;

/** A value that its column cannot take. Cheap to throw: archives may hold millions of them. */
public final class UnreadableValue extends Exception {

  private static final long serialVersionUID = 1L;

  private final String remedy;
  private final String excerpt;
  private final transient byte[] raw;

  /**
   * A value that was read as text.
   *
   * @param problem what is wrong, as half a sentence that names the column
   * @param remedy what to do
   * @param value the value
   */
  public UnreadableValue(String problem, String remedy, String value) {
    this(problem, remedy, Excerpt.of(value), value.getBytes(StandardCharsets.UTF_8));
  }

  private UnreadableValue(String problem, String remedy, String excerpt, byte[] raw) {
    super(problem, null, false, false);
    this.remedy = remedy;
    this.excerpt = excerpt;
    this.raw = raw;
  }

  /** A value of which only the bytes can be shown. */
  static UnreadableValue ofBytes(String problem, String remedy, byte[] value) {
    return new UnreadableValue(problem, remedy, Excerpt.of(value), value);
  }

  /** A column without a value. */
  static UnreadableValue ofNothing(String problem, String remedy) {
    return new UnreadableValue(problem, remedy, null, new byte[0]);
  }

  /** What is wrong, as half a sentence. */
  public String problem() {
    return getMessage();
  }

  /** What to do. */
  public String remedy() {
    return remedy;
  }

  /** The value as text, shortened; null where there is none. */
  public String excerpt() {
    return excerpt;
  }

  /** The bytes of the value. */
  public byte[] raw() {
    return raw;
  }
}
