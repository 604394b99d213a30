package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One plain document: no anchors, aliases, merge keys or tags, no key twice, no half character. */
class YamlTextTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# only a comment\n", "---\n", "--- ~\n", "null"})
  void anEmptyFileIsRefused(String text) {
    assertThat(Specs.messages(text))
        .isEqualTo("constat.yaml:1:1: The run spec is empty; begin it with constat: 1");
  }

  @ParameterizedTest
  @MethodSource
  void whatIsNotPlainYamlIsRefused(String text, String message) {
    assertThat(Specs.messages(text)).isEqualTo("constat.yaml:" + message);
  }

  static Stream<Arguments> whatIsNotPlainYamlIsRefused() {
    return Stream.of(
        arguments(
            Specs.SMALLEST + "---\nconstat: 1\n",
            "3:1: A second document begins here; keep one run spec per file"),
        arguments(
            "constat: 1\narchives: &a {events: {files: e}}\n",
            "2:11: Anchors (&a) are not accepted; remove it"),
        arguments(
            "constat: &v 1\narchives: *v\n",
            """
            1:10: Anchors (&v) are not accepted; remove it
            constat.yaml:2:11: Aliases (*v) are not accepted; write the value out"""),
        arguments(
            Specs.top("name: !!str shop"),
            "3:7: Tags (tag:yaml.org,2002:str) are not accepted; write a plain value"),
        arguments(
            Specs.top("<<: {name: shop}"),
            "3:1: Merge keys (<<) are not accepted; write the keys out"),
        arguments(
            Specs.top("name: a\nname: b"),
            "4:1: name is given twice in the run spec (first in line 3); remove one of them"),
        arguments(
            Specs.top("[name]: a"), "3:1: A key of the run spec is not text; write it as text"),
        arguments(
            Specs.top("name: \"\\ud800\""),
            "3:7: Half a surrogate pair is no character; remove it"),
        arguments(
            Specs.top("name: a\u0007b"),
            "3:8: Not YAML: the character U+0007 is not printable; remove it"),
        arguments(
            Specs.top("name: a: b"),
            "3:8: Not YAML: mapping values are not allowed here;"
                + " check indentation, colons and quotes"),
        arguments(
            Specs.top("\tname: a"),
            "3:1: Not YAML: found character '\\t(TAB)' that cannot start any token."
                + " (Do not use \\t(TAB) for indentation); check indentation, colons and quotes"),
        arguments("[constat, 1]", "1:1: The run spec must be a map, not a list; write key: value"),
        arguments("shop", "1:1: The run spec must be a map, not 'shop'; write key: value"));
  }

  @Test
  void depthAndSizeAreBounded() {
    assertThat(Specs.messages("a: " + "[".repeat(100) + "]".repeat(100)))
        .startsWith("constat.yaml:1:1: Not YAML: Nesting Depth exceeded");
    assertThat(Specs.messages("#".repeat((1 << 20) + 1)))
        .isEqualTo(
            "constat.yaml:1:1: The file is too long for a run spec (over 1 MiB); name a run spec");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheText() {
    assertThat(Specs.parse("\uFEFF" + Specs.SMALLEST)).isEqualTo(Specs.parse(Specs.SMALLEST));
  }

  @Test
  void jsonIsARunSpecToo() {
    assertThat(Specs.parse("{\"constat\": 1, \"archives\": {\"events\": {\"files\": [\"e\"]}}}"))
        .isEqualTo(Specs.parse(Specs.SMALLEST));
  }
}
