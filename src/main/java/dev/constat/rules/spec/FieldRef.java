package dev.constat.rules.spec;

import com.google.common.base.Preconditions;
import java.io.Serializable;

/**
 * A value of an event that the run spec names: a column ({@code instrument}, {@code /instrument})
 * or a place inside the payload ({@code /payload/amt}).
 *
 * @param text as the run spec writes it
 * @param column the column
 * @param pointer JSON Pointer (RFC 6901) inside the payload, or "" for a plain column
 */
public record FieldRef(String text, String column, String pointer) implements Serializable {

  private static final String PAYLOAD = "/payload/";

  /** Reads the notation of the run spec. */
  public static FieldRef parse(String text) {
    Preconditions.checkArgument(!text.isEmpty(), "A field reference is empty");
    if (text.startsWith(PAYLOAD)) {
      return new FieldRef(text, "payload", text.substring(PAYLOAD.length() - 1));
    }
    String column = text.startsWith("/") ? text.substring(1) : text;
    Preconditions.checkArgument(
        !column.isEmpty() && column.indexOf('/') < 0,
        "%s names neither a column nor a place in the payload (/payload/...)",
        text);
    return new FieldRef(text, column, "");
  }

  /** Whether it points into the payload. */
  public boolean inPayload() {
    return !pointer.isEmpty();
  }
}
