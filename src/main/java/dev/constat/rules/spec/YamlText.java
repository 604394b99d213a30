package dev.constat.rules.spec;

import com.google.common.base.Preconditions;
import java.util.HexFormat;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Makes a tree of the plain part of YAML: one document of maps, lists and scalars. Anchors, aliases
 * and tags are refused, so that a value stands where it is read.
 */
final class YamlText {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** Far more than anyone writes; the parser's time grows with the square of a long line. */
  private static final int LONGEST = 1 << 20;

  private final String text;
  private final Reading reading;
  private final String noun;
  private final String firstLine;

  /**
   * The text of a file.
   *
   * @param noun what the file is
   * @param firstLine how one begins
   */
  YamlText(String text, Reading reading, String noun, String firstLine) {
    this.text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    this.reading = reading;
    this.noun = noun;
    this.firstLine = firstLine;
  }

  /** The tree, or null where problems were stated. */
  Node compose() {
    if (text.length() > LONGEST) {
      problem(1, 1, "The file is too long for a " + noun + " (over 1 MiB)", "name a " + noun);
      return null;
    }
    int before = reading.count();
    checkCharacters();
    if (reading.count() > before) {
      return null;
    }
    try {
      checkEvents();
      if (reading.count() > before) {
        return null;
      }
      Node node = new Composer(parser(), new Resolver(), new LoaderOptions()).getSingleNode();
      if (isEmpty(node)) {
        problem(1, 1, "The " + noun + " is empty", "begin it with " + firstLine);
        return null;
      }
      return node;
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
      problem(mark, "Not YAML: " + e.getProblem(), "check indentation, colons and quotes");
    } catch (YAMLException e) {
      problem(1, 1, "Not YAML: " + e.getMessage(), "check the file");
    }
    return null;
  }

  private static boolean isEmpty(Node node) {
    return node == null
        || node instanceof ScalarNode scalar && Literal.of(scalar).kind() == Literal.Kind.NULL;
  }

  private ParserImpl parser() {
    return new ParserImpl(new StreamReader(text), new LoaderOptions());
  }

  private void checkCharacters() {
    int line = 1;
    int column = 1;
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      if (!StreamReader.isPrintable(character)) {
        problem(line, column, "Not YAML: %s".formatted(named(character)), "remove it");
        return;
      }
      boolean newLine = character == '\n';
      line = newLine ? line + 1 : line;
      column = newLine ? 1 : column + 1;
      i += Character.charCount(character);
    }
  }

  private static String named(int character) {
    return "the character U+" + hex(character) + " is not printable";
  }

  private static String hex(int character) {
    return HexFormat.of().withUpperCase().toHexDigits(character, character > 0xFFFF ? 6 : 4);
  }

  private void checkEvents() {
    ParserImpl parser = parser();
    int documents = 0;
    while (!parser.checkEvent(Event.ID.StreamEnd)) {
      Event event = parser.getEvent();
      if (event instanceof DocumentStartEvent) {
        documents++;
        if (documents == 2) {
          problem(
              event.getStartMark(),
              "A second document begins here",
              "keep one " + noun + " per file");
          return;
        }
      } else if (event instanceof AliasEvent alias) {
        problem(
            event.getStartMark(),
            "Aliases (*%s) are not accepted".formatted(alias.getAnchor()),
            "write the value out");
      } else if (event instanceof NodeEvent node) {
        checkNode(node);
      }
    }
  }

  private void checkNode(NodeEvent node) {
    if (node.getAnchor() != null) {
      problem(
          node.getStartMark(),
          "Anchors (&%s) are not accepted".formatted(node.getAnchor()),
          "remove it");
    }
    String tag =
        node instanceof ScalarEvent scalar
            ? scalar.getTag()
            : ((CollectionStartEvent) node).getTag();
    if (tag != null) {
      problem(
          node.getStartMark(), "Tags (%s) are not accepted".formatted(tag), "write a plain value");
    }
    if (node instanceof ScalarEvent scalar && !isWellFormed(scalar.getValue())) {
      problem(node.getStartMark(), "Half a surrogate pair is no character", "remove it");
    }
  }

  private static boolean isWellFormed(String value) {
    return value
        .codePoints()
        .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }

  private void problem(Mark mark, String problem, String remedy) {
    Preconditions.checkNotNull(mark, "no place of: %s", problem);
    problem(mark.getLine() + 1, mark.getColumn() + 1, problem, remedy);
  }

  private void problem(int line, int column, String problem, String remedy) {
    reading.problem(line, column, KeyPath.ROOT, null, problem, remedy);
  }
}
