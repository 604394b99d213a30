package dev.constat.rules.spec;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.common.collect.Streams;
import java.util.regex.Pattern;

/** Writes JSON trees as people write YAML on one line: text without quotes where it needs none. */
final class FlowYaml {

  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_./+-][A-Za-z0-9_./+:*-]*(?<!:)");

  private FlowYaml() {}

  static String of(JsonNode tree) {
    if (tree.isArray()) {
      return Streams.stream(tree).map(FlowYaml::of).collect(joining(", ", "[", "]"));
    }
    if (tree.isObject()) {
      return tree.properties().stream()
          .map(entry -> text(entry.getKey()) + ": " + of(entry.getValue()))
          .collect(joining(", ", "{", "}"));
    }
    return tree.isTextual() ? text(tree.textValue()) : tree.toString();
  }

  static String text(String text) {
    boolean safe =
        SAFE.matcher(text).matches()
            && !text.equals("-")
            && Literal.plain(text).kind() == Literal.Kind.TEXT;
    return safe ? text : TextNode.valueOf(text).toString();
  }
}
