package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** One run spec while it is read: where its values stand, and what is wrong so far. */
final class Reading {

  private static final int SHOWN_LIMIT = 60;
  private static final HexFormat HEX = HexFormat.of();

  private final String file;
  private final List<SpecProblem> problems = new ArrayList<>();
  private final Map<KeyPath, Mark> keys = new HashMap<>();
  private final Map<KeyPath, Mark> values = new HashMap<>();

  Reading(String file) {
    this.file = file;
  }

  /** Remembers where a value stands. */
  void enter(KeyPath path, Node value) {
    values.put(path, value.getStartMark());
  }

  /** The way to an item of a list, which is the list's own where a single value stands for it. */
  KeyPath itemOf(KeyPath list, int position) {
    KeyPath item = list.item(position);
    return values.containsKey(item) ? item : list;
  }

  /** States a problem with the value at {@code path}. */
  void problem(KeyPath path, String value, String problem, String remedy) {
    problem(values.get(path), path, value, problem, remedy);
  }

  /** States why the text at {@code path} is refused. */
  void refused(KeyPath path, String text, Refusal refusal) {
    if (refusal.isOfSecret()) {
      problem(path, null, path.label() + " " + refusal.getMessage(), refusal.remedy());
      return;
    }
    String problem = path.label() + " " + quoted(text) + " " + refusal.getMessage();
    problem(path, text, problem, refusal.remedy());
  }

  /** States a problem with the key at {@code path}. */
  void keyProblem(KeyPath path, String problem, String remedy) {
    problem(keys.get(path), path, null, problem, remedy);
  }

  private void problem(Mark at, KeyPath path, String value, String problem, String remedy) {
    problem(at.getLine() + 1, at.getColumn() + 1, path, value, problem, remedy);
  }

  /** States a problem at a line and column, both from 1. */
  void problem(int line, int column, KeyPath path, String value, String problem, String remedy) {
    problems.add(new SpecProblem(file, line, column, path.toString(), value, problem, remedy));
  }

  /** How many problems there are so far. */
  int count() {
    return problems.size();
  }

  /** All problems as one exception. */
  SpecException failure() {
    return new SpecException(ImmutableList.copyOf(problems));
  }

  /** States that a value is not what its key takes. */
  void wrongType(KeyPath path, Node node, String noun, String remedy) {
    if (node instanceof ScalarNode scalar) {
      Literal literal = Literal.of(scalar);
      if (literal.kind() == Literal.Kind.NULL) {
        problem(path, null, path.label() + " has no value", "give it " + noun + " or remove it");
        return;
      }
      problem(
          path,
          scalar.getValue(),
          path.label() + " must be " + noun + ", not " + literal.shown(),
          remedy);
      return;
    }
    String found = node instanceof MappingNode ? "a map" : "a list";
    problem(path, null, path.label() + " must be " + noun + ", not " + found, remedy);
  }

  /** States that something else than {@code noun} stands at {@code path}, without showing it. */
  void wrongType(KeyPath path, String noun, String remedy) {
    problem(path, null, path.label() + " must be " + noun, remedy);
  }

  /**
   * The entries of a map in the order of the file. Keys are text; those that are not, or come
   * twice, are problems and left out.
   */
  Map<String, Node> entries(KeyPath path, MappingNode map) {
    Map<String, Node> entries = new LinkedHashMap<>();
    for (NodeTuple entry : map.getValue()) {
      Mark at = entry.getKeyNode().getStartMark();
      if (!(entry.getKeyNode() instanceof ScalarNode scalar)) {
        problem(at, path, null, "A key of " + path.title() + " is not text", "write it as text");
        continue;
      }
      String name = scalar.getValue();
      KeyPath key = path.key(name);
      if (name.equals("<<") && scalar.getScalarStyle() == ScalarStyle.PLAIN) {
        problem(at, key, null, "Merge keys (<<) are not accepted", "write the keys out");
      } else if (entries.containsKey(name)) {
        problem(
            at,
            key,
            null,
            "%s is given twice in %s (first in line %s)"
                .formatted(name, path.title(), keys.get(key).getLine() + 1),
            "remove one of them");
      } else {
        keys.put(key, at);
        enter(key, entry.getValueNode());
        entries.put(name, entry.getValueNode());
      }
    }
    return entries;
  }

  /** A text as messages show it. */
  static String quoted(String text) {
    return "'" + shortened(text) + "'";
  }

  /** The beginning of a text, on one line and without characters that a terminal would obey. */
  static String shortened(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(SHOWN_LIMIT)
        .forEach(
            point -> {
              if (Character.isISOControl(point)) {
                shown.append("\\x").append(HEX.toHexDigits((byte) point));
              } else {
                shown.appendCodePoint(point);
              }
            });
    boolean whole = text.codePointCount(0, text.length()) <= SHOWN_LIMIT;
    return whole ? shown.toString() : shown + "...";
  }
}
