package dev.constat.pipelines.testdata;

import java.util.List;
import java.util.Map;

/**
 * Writes objects of texts, integers, booleans, lists and objects as JSON, members in their order.
 */
final class Json {

  private Json() {}

  /** The object's text, without members that are null. */
  static String of(Map<String, ?> object) {
    StringBuilder out = new StringBuilder();
    write(object, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> object) {
      out.append('{');
      String separator = "";
      for (Map.Entry<?, ?> member : object.entrySet()) {
        if (member.getValue() != null) {
          out.append(separator);
          write(member.getKey(), out);
          write(member.getValue(), out.append(':'));
          separator = ",";
        }
      }
      out.append('}');
    } else if (value instanceof List<?> list) {
      out.append('[');
      String separator = "";
      for (Object element : list) {
        write(element, out.append(separator));
        separator = ",";
      }
      out.append(']');
    } else if (value instanceof Number || value instanceof Boolean || value == NULL) {
      out.append(value);
    } else {
      out.append('"');
      for (char c : value.toString().toCharArray()) {
        if (c == '"' || c == '\\') {
          out.append('\\');
        } else if (c < ' ') {
          throw new IllegalArgumentException("Not meant for control characters: " + value);
        }
        out.append(c);
      }
      out.append('"');
    }
  }

  /** A member that is there and null. */
  static final Object NULL =
      new Object() {
        @Override
        public String toString() {
          return "null";
        }
      };
}
