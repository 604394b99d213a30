package dev.constat.pipelines.archive;

import com.fasterxml.jackson.core.JsonToken;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reading.UnreadableValue;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.Format;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a record that is a CloudEvent says besides columns: which version of CloudEvents it follows,
 * and what its {@code data} is (CloudEvents 1.0, JSON event format, section 3.1).
 *
 * <p>Under a JSON content type, or none, {@code data} is the JSON value that stands there: a string
 * is a JSON string and not the text of a document, null is the content null. Under another, a
 * string is the content's text. {@code data_base64} is the content's bytes.
 */
final class CloudEvent {

  private static final String VERSION = "1.0";
  private static final String SPEC_VERSION = "specversion";
  private static final String CONTENT_TYPE = "datacontenttype";
  private static final String DATA = "data";
  private static final String DATA_BASE64 = "data_base64";
  private static final Pattern JSON =
      Pattern.compile("[^/;]+/(?:[^;]+\\+)?json\\s*(?:;.*)?", Pattern.DOTALL);

  private final int payload;

  private String version;
  private String contentType;
  private String base64;
  private boolean hasData;
  private byte[] literal;
  private String notText;

  private CloudEvent(int payload) {
    this.payload = payload;
  }

  /** For the records of an archive; null where they are no CloudEvents. */
  static CloudEvent of(Layout layout, Archive archive) {
    if (archive.format() != Format.CLOUDEVENTS) {
      return null;
    }
    int payload = layout.indexOf("payload");
    boolean taken = DATA.equals(archive.columns().get("payload"));
    return new CloudEvent(taken ? payload : -1);
  }

  /** Begins a record. */
  void begin() {
    version = null;
    contentType = null;
    base64 = null;
    hasData = false;
    literal = null;
    notText = null;
  }

  /** Whether a field says how the record is to be read, besides what columns it may fill. */
  boolean describes(String name) {
    return switch (name) {
      case SPEC_VERSION, CONTENT_TYPE -> true;
      case DATA_BASE64 -> payload >= 0;
      default -> false;
    };
  }

  /**
   * Takes a field that {@link #describes} the record.
   *
   * @param value its text; of what is no string, its first token, and null for null
   * @param string whether it is one
   */
  void describe(String name, String value, boolean string) {
    if (value != null && !string && notText == null) {
      notText = name;
    }
    switch (name) {
      case SPEC_VERSION -> version = value;
      case CONTENT_TYPE -> contentType = value;
      default -> base64 = value;
    }
  }

  /** Whether a field is the data that becomes the payload. */
  boolean isData(String name) {
    return payload >= 0 && name.equals(DATA);
  }

  /**
   * Takes the data, whose column takes its value like any other.
   *
   * @param text of a string or null, as it stands in the record; else null
   */
  void data(byte[] text) {
    hasData = true;
    literal = text;
  }

  /** Whether data of this kind is only understood with the content type, which may come later. */
  static boolean dependsOnContentType(JsonToken token) {
    return token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NULL;
  }

  /** What keeps the record from being one that this version reads; null where nothing does. */
  String problem() {
    if (notText != null) {
      return notText + " is no string";
    }
    if (VERSION.equals(version)) {
      return null;
    }
    return version == null
        ? "specversion is absent"
        : "specversion is " + Excerpt.of(version) + ", not " + VERSION;
  }

  /** Gives the payload what only the whole record tells. */
  void end(RowBuilder rows) {
    if (base64 != null) {
      if (hasData) {
        rows.fail(
            payload,
            new UnreadableValue(
                "the event has both data and data_base64", "write one of them", base64));
      } else {
        decode(rows);
      }
    } else if (literal != null && isJson()) {
      rows.nested(payload, literal);
    }
  }

  private void decode(RowBuilder rows) {
    try {
      rows.bytes(payload, Base64.getDecoder().decode(base64.getBytes(StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      rows.fail(
          payload,
          new UnreadableValue(
              "data_base64 is no Base64 of RFC 4648", "encode the content anew", base64));
    }
  }

  private boolean isJson() {
    return contentType == null
        || JSON.matcher(contentType.strip().toLowerCase(Locale.ROOT)).matches();
  }
}
