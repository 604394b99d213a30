package dev.constat.rules.json;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds the canonical text of a small JSON object, member by member, in any order. */
public final class JsonObject {

  private final TreeMap<String, String> members = new TreeMap<>();

  /** A text, or JSON's null. */
  public JsonObject put(String name, String value) {
    if (value == null) {
      members.put(name, "null");
      return this;
    }
    StringBuilder quoted = new StringBuilder(value.length() + 2);
    CanonicalJson.quote(value, quoted);
    members.put(name, quoted.toString());
    return this;
  }

  /** An integer. */
  public JsonObject put(String name, long value) {
    members.put(name, Long.toString(value));
    return this;
  }

  /** An integer, or JSON's null. */
  public JsonObject putNullable(String name, Long value) {
    members.put(name, String.valueOf(value));
    return this;
  }

  /** A boolean. */
  public JsonObject put(String name, boolean value) {
    members.put(name, Boolean.toString(value));
    return this;
  }

  /** An instant in ISO 8601 with Z, or JSON's null. */
  public JsonObject put(String name, Instant value) {
    return put(name, value == null ? null : value.toString());
  }

  /** An array of texts. */
  public JsonObject put(String name, List<String> values) {
    StringBuilder array = new StringBuilder("[");
    for (String value : values) {
      array.append(array.length() > 1 ? "," : "");
      CanonicalJson.quote(value, array);
    }
    members.put(name, array.append(']').toString());
    return this;
  }

  /** An object of integers. */
  public JsonObject put(String name, Map<String, Long> counts) {
    JsonObject object = new JsonObject();
    counts.forEach(object::put);
    members.put(name, object.toString());
    return this;
  }

  /** An array, or JSON's null. */
  public JsonObject put(String name, JsonArray array) {
    members.put(name, String.valueOf(array));
    return this;
  }

  /** A value by its canonical JSON text. */
  public JsonObject putJson(String name, String json) {
    members.put(name, json);
    return this;
  }

  /** The object's text. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("{");
    for (Map.Entry<String, String> member : members.entrySet()) {
      out.append(out.length() > 1 ? "," : "");
      CanonicalJson.quote(member.getKey(), out);
      out.append(':').append(member.getValue());
    }
    return out.append('}').toString();
  }
}
