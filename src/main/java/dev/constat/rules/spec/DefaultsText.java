package dev.constat.rules.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes a value as YAML that shows every key of its group, those without a value as comments. A
 * line that begins with # and no space is such a key; without its # it is what a user would write.
 */
final class DefaultsText {

  private static final String HEADER =
      """
      # Every key of constat.yaml with its default.
      # A key behind # without a space has no default; what it shows is an example.

      """;

  private final StringBuilder text = new StringBuilder(HEADER);
  private final Set<Key<?, ?>> explained = new HashSet<>();

  <G> String write(GroupShape<G> group, G value) {
    writeKeys(group, group.write(value), "", "", true);
    return text.toString();
  }

  /** Writes the keys of a group, the first of them behind {@code bullet}. */
  private <G> void writeKeys(
      GroupShape<G> group, ObjectNode values, String indent, String bullet, boolean active) {
    String mark = bullet;
    for (Key<G, ?> key : group.acceptedKeys()) {
      JsonNode value = values.get(key.name());
      if (value == null && key.isParticular()) {
        continue;
      }
      if (explained.add(key)) {
        text.append(indent.substring(mark.length())).append("# ").append(key.doc()).append('\n');
      }
      boolean on = active && value != null;
      String lead = indent.substring(mark.length()) + (on ? "" : "#") + mark + key.name() + ":";
      writeValue(key, value == null ? key.exampleJson() : value, lead, indent, on);
      mark = "";
    }
  }

  private void writeValue(
      Key<?, ?> key, JsonNode value, String lead, String indent, boolean active) {
    if (key.shape() instanceof GroupShape<?> group) {
      boolean any = active && !value.isEmpty();
      String header = any || !active ? lead : lead.replaceFirst("(?=\\S)", "#");
      text.append(header).append('\n');
      writeKeys(group, (ObjectNode) value, indent + "  ", "", any);
    } else if (key.shape() instanceof ListShape<?> list
        && list.item() instanceof GroupShape<?> group) {
      boolean any = !value.isEmpty();
      text.append(lead).append(any ? "\n" : " []\n");
      for (JsonNode item : any ? value : key.exampleJson()) {
        writeKeys(group, (ObjectNode) item, indent + "    ", "- ", active && any);
      }
    } else {
      text.append(lead).append(' ').append(FlowYaml.of(value)).append('\n');
    }
  }
}
