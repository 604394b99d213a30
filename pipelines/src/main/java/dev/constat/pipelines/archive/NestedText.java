package dev.constat.pipelines.archive;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reading.UnreadableValue;
import dev.constat.rules.reading.ValueTaker;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/**
 * The JSON text of one nested value, as {@link NestedValue} goes through it. The columns of {@link
 * ValueTaker} are the leaves of the value. Of what grows beyond the limit or cannot be read, the
 * first problem is kept and the rest passed over.
 */
final class NestedText implements ValueTaker {

  private final ImmutableList<String> leaves;
  private final int limit;
  private final StringBuilder json = new StringBuilder();
  private boolean ambiguous;
  private boolean nonFinite;
  private UnreadableValue problem;

  /**
   * A text, to begin with none.
   *
   * @param leaves what messages call each leaf
   * @param limit how many characters it may have
   */
  NestedText(ImmutableList<String> leaves, int limit) {
    this.leaves = leaves;
    this.limit = limit;
  }

  /** Begins anew. */
  void begin() {
    json.setLength(0);
    ambiguous = false;
    nonFinite = false;
    problem = null;
  }

  /** Gives what was written to columns of a row. */
  void giveTo(RowBuilder row, int[] columns) {
    Payload payload =
        problem == null
            ? new Payload(
                json.toString().getBytes(StandardCharsets.UTF_8), true, ambiguous, nonFinite)
            : null;
    for (int column : columns) {
      if (payload == null) {
        row.fail(column, problem);
      } else {
        row.rebuilt(column, payload);
      }
    }
  }

  /** A piece of JSON as it is. */
  void raw(String piece) {
    if (fits(piece.length())) {
      json.append(piece);
    }
  }

  /** The name of a member, with the colon behind it. */
  void member(String name) {
    quoted(name);
    raw(":");
  }

  /** A member is null, and left out. */
  void leftOut() {
    ambiguous = true;
  }

  /** Where the next piece will stand. */
  int position() {
    return json.length();
  }

  /** What was written from a position on. */
  String from(int position) {
    return json.substring(Math.min(position, json.length()));
  }

  private void quoted(String text) {
    if (fits(text.length())) {
      CanonicalJson.quote(text, json);
    }
  }

  private boolean fits(int more) {
    if (problem == null && json.length() > limit - more) {
      problem =
          new UnreadableValue(
              "the payload is over limits.line_bytes: as JSON it is longer than "
                  + limit
                  + " characters",
              "raise it with limits: {line_bytes: ...} in the run spec, or leave the payload out",
              json.substring(0, Math.min(json.length(), 100)));
    }
    return problem == null;
  }

  @Override
  public void text(int column, String text) {
    quoted(text);
  }

  @Override
  public void bytes(int column, byte[] bytes) {
    if (!fits(bytes.length)) {
      return;
    }
    if (!Utf8.isWellFormed(bytes)) {
      fail(
          column,
          new UnreadableValue(
              name(column) + " is no UTF-8",
              "give it as UTF-8 text",
              new String(bytes, StandardCharsets.UTF_8)));
      return;
    }
    quoted(new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public void number(int column, String literal) {
    raw(literal);
  }

  @Override
  public void integer(int column, long value) {
    raw(Long.toString(value));
  }

  @Override
  public void unsigned(int column, long bits) {
    raw(Long.toUnsignedString(bits));
  }

  @Override
  public void bool(int column, boolean value) {
    raw(Boolean.toString(value));
  }

  @Override
  public void instant(int column, Instant value) {
    quoted(value.toString());
  }

  @Override
  public void local(int column, LocalDateTime value) {
    quoted(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(value));
  }

  @Override
  public void nonFinite(int column, String name) {
    nonFinite = true;
    quoted(name);
  }

  @Override
  public void fail(int column, UnreadableValue e) {
    problem = problem == null ? e : problem;
  }

  @Override
  public String name(int column) {
    return leaves.get(column);
  }
}
