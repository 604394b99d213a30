package dev.constat.rules.json;

/** Builds the canonical text of a small JSON array, element by element. */
public final class JsonArray {

  private final StringBuilder elements = new StringBuilder();

  /** An array of texts, or null where there is none. */
  public static JsonArray ofNullable(Iterable<String> texts) {
    if (texts == null) {
      return null;
    }
    JsonArray array = new JsonArray();
    texts.forEach(array::add);
    return array;
  }

  /** A text. */
  public JsonArray add(String text) {
    comma();
    CanonicalJson.quote(text, elements);
    return this;
  }

  /** An object. */
  public JsonArray add(JsonObject object) {
    comma();
    elements.append(object);
    return this;
  }

  private void comma() {
    if (!elements.isEmpty()) {
      elements.append(',');
    }
  }

  /** The array's text. */
  @Override
  public String toString() {
    return "[" + elements + "]";
  }
}
