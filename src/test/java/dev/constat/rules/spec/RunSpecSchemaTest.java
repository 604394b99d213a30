package dev.constat.rules.spec;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.constat.rules.spec.Lateness.Budget;
import dev.constat.rules.spec.RunSpec.FailOn;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** What {@code constat schema} prints says what the parser does. */
class RunSpecSchemaTest {

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(RunSpecSchema.json(), InputFormat.JSON);

  @ParameterizedTest
  @MethodSource
  void schemaAndParserAccept(String text) {
    Specs.parse(text);
    assertThat(SCHEMA.validate(tree(text))).isEmpty();
  }

  static Stream<String> schemaAndParserAccept() {
    return Stream.of(
        Specs.SMALLEST,
        RunSpecSchema.defaults(),
        uncommented(RunSpecSchema.defaults()),
        Specs.events("columns: {payload: /a/b~1c}"),
        Specs.events("constants: {source: 5, topic: true}"),
        Specs.events("format: cloudevents"),
        Specs.source("hash: jcs/1"),
        Specs.archive("outbox", "values: {1: DLQ}"),
        Specs.source("identity: {scope: a, fingerprint: {rule: fp/10, fields: /a}, revision: b}"),
        Specs.source("withdrawn: {field: a, equals: null}"),
        Specs.effect("when: {topic: [a, null, 5, true], x: false}"),
        Specs.effect("consumers: c1"),
        Specs.top("effects: {type: a}"),
        Specs.effect("when: {timeliness: [LATE, FUTURE]}"),
        Specs.source("sequence: {scope: partition}"),
        Specs.source("lateness: {budget: PT0S}"),
        Specs.source("lateness: [{budget: PT5M}, {version: b, from: 2026-01-01T00:00:00Z}]"),
        Specs.archive("projections", "columns: {values: cell, value: state}"),
        Specs.top("projections: []"),
        Specs.projection("kind: current\n    key: region\n    value: /a~1b"),
        Specs.projection("kind: own-2\n    fields: /x\n    options: {a: b, c: 1}"),
        Specs.windowed("window: {days: 1, zone: UTC}\n    aggregates: {_n: count}"),
        Specs.windowed(
            "window: {sliding: PT2M, every: PT1M}\n    aggregates: {a: {distinct: /x/y}}"),
        Specs.top("layout: {buckets: 4096}"),
        Specs.top("limits: {nesting: 10000, row_group_bytes: 2147483647}"),
        Specs.top("limits: {}"),
        Specs.top("as_of: 2026-01-05T12:00:00.123+05:45"));
  }

  @ParameterizedTest
  @MethodSource
  void schemaAndParserRefuse(String text) {
    Specs.failure(text);
    assertThat(SCHEMA.validate(tree(text))).isNotEmpty();
  }

  static Stream<String> schemaAndParserRefuse() {
    return Stream.of(
        "[]",
        "constat: 1",
        "constat: 2\narchives: {events: {files: e}}",
        "constat: 1\narchives: {outbox: {files: e}}",
        "constat: 1\narchives: {events: {files: []}}",
        "constat: 1\narchives: {events: {files: [a, a]}}",
        "constat: 1\narchives: {events: {files: ''}}",
        "constat: 1\narchives: {events: {files: 5}}",
        Specs.top("nam: a"),
        Specs.top("name:"),
        Specs.top("name: [a]"),
        Specs.top("projections: {name: ../a, versions: {version: '1', kind: x}}"),
        Specs.top("projections: {name: a, versions: []}"),
        Specs.top("projections: {name: a, versions: {version: 1, kind: x}}"),
        Specs.top("projections: {name: a, versions: {version: .1, kind: x}}"),
        Specs.top("projections: {name: a, versions: {version: '1'}}"),
        Specs.projection("kind: Own"),
        Specs.projection("kind: own\n    windows: {}"),
        Specs.projection("kind: current\n    value: x"),
        Specs.windowed("window: {fixed: -PT1M}\n    aggregates: {n: count}"),
        Specs.windowed("window: {days: 2, zone: UTC}\n    aggregates: {n: count}"),
        Specs.windowed("window: {fixed: PT1M}\n    aggregates: {n: sum}"),
        Specs.windowed("window: {fixed: PT1M}\n    aggregates: {n: {}}"),
        Specs.windowed("window: {fixed: PT1M}\n    aggregates: {n: {avg: /x}}"),
        Specs.windowed("window: {fixed: PT1M}\n    aggregates: {n: {min: /x, max: /x}}"),
        Specs.windowed("window: {fixed: PT1M}\n    aggregates: {n: {min: x}}"),
        Specs.windowed("window: {fixed: PT1M}\n    aggregates: {a-b: count}"),
        Specs.top("as_of: 2026-01-05T12:00:00"),
        Specs.top("look_back: -P7D"),
        Specs.top("look_back: P1W"),
        Specs.top("look_back: PT"),
        Specs.top("layout: {buckets: 3}"),
        Specs.top("limits: {nesting: 0}"),
        Specs.top("limits: {nesting: 10001}"),
        Specs.top("limits: {columns: many}"),
        Specs.top("limits: {lines: 5}"),
        Specs.top("checks: {identity_drift: yes}"),
        Specs.top("fail_on: new-error"),
        Specs.top("sources: []"),
        Specs.events("jdbc: x"),
        Specs.archive("outbox", "format: cloudevents"),
        Specs.events("id_order: text"),
        Specs.events("values: {}"),
        Specs.events("columns: {a/b: c}"),
        Specs.events("columns: {topic: /a~b}"),
        Specs.events("constants: {topic: null}"),
        Specs.events("zone: ''"),
        Specs.archive("outbox", "values: {done: DONE}"),
        Specs.archive("decisions", "values: {done: DLQ}"),
        Specs.source("hash: fields/1"),
        Specs.source("lateness: {budget: 5m}"),
        Specs.source("lateness: []"),
        Specs.source("future_tolerance: -PT1M"),
        Specs.source("sequence: {scope: a/b}"),
        Specs.source("sequence: [partition]"),
        Specs.source("identity: {fingerprint: {rule: fp/1, fields: a}}"),
        Specs.source("identity: {fingerprint: {rule: fp/2}}"),
        Specs.source("identity: {revision: a/b}"),
        Specs.source("schema_versions: [1]"),
        Specs.effect("max_attempts: 0"),
        Specs.effect("max_attempts: 2.5"),
        Specs.effect("order: sometimes"),
        Specs.effect("when: {topic: []}"),
        Specs.effect("when: {topic: {a: b}}"));
  }

  @Test
  void defaultsAreThoseOfARunSpecThatSaysNothing() {
    RunSpec silent = Specs.parse("{constat: 1, archives: {events: {files: events/*.parquet}}}");
    assertThat(Specs.parse(RunSpecSchema.defaults())).isEqualTo(silent);
  }

  @Test
  void defaultsShowEveryKey() {
    RunSpec spec = Specs.parse(uncommented(RunSpecSchema.defaults()));
    assertThat(spec.name()).isEqualTo("shop");
    assertThat(spec.archives()).hasSize(6);
    assertThat(spec.buckets()).isEqualTo(64);
    assertThat(spec.failOn()).isEqualTo(FailOn.ERROR);
    SourceContract contract = spec.contract("x");
    assertThat(contract.fingerprint()).isNotNull();
    assertThat(contract.revision()).isNotNull();
    assertThat(contract.withdrawn()).isNotNull();
    assertThat(contract.sequence()).isNotNull();
    assertThat(contract.lateness().budgets()).extracting(Budget::from).doesNotContainNull();
    assertThat(spec.projections())
        .extracting(ProjectionRule::kind, rule -> name(rule.window()))
        .containsExactly(
            tuple("windowed", "Fixed"),
            tuple("windowed", "Sliding"),
            tuple("windowed", "Session"),
            tuple("windowed", "Days"),
            tuple("current", "none"),
            tuple("ledger", "none"));
    assertThat(spec.effects())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("consumers")
        .containsExactly(Effect.undeclared("notify"));
  }

  private static String name(WindowRule window) {
    return window == null ? "none" : window.getClass().getSimpleName();
  }

  @Test
  void defaultsAreExplained() {
    assertThat(RunSpecSchema.defaults())
        .startsWith(
            """
            # Every key of constat.yaml with its default.
            # A key behind # without a space has no default; what it shows is an example.

            # Version of this notation.
            constat: 1
            # Names the run. Default: the folder's name.
            #name: shop
            """)
        .contains(
            """
            # The effects expected; of two entries of one type, the first whose when holds.
            effects: []
              # As outbox rows name it.
              #- type: notify
            """)
        .contains(
            """
                # How long its events may take: one budget, or several that hold one after the other.
                lateness:
                  # How far the watermark stays behind the largest occurred_at.
                  - budget: PT5M
                    # Its name, as decisions state it.
                    version: default
                    # The received_at from which on it holds. Default: from the beginning.
                    #from: 2026-01-01T00:00:00Z
                # How far occurred_at may lie after received_at.
                future_tolerance: PT2M
            """)
        .contains(
            """
            projections: []
              # As recorded cells and folders name it.
              #- name: volume
            """)
        .contains(
            """
                  #- version: "2"
                    #kind: windowed
                    #key: business_key
                    #window:
                      # Windows of this size, a new one every period.
                      #sliding: PT10M
                      # The period of sliding windows, at most their size.
                      #every: PT5M
                    #allowed_lateness: PT0S
            """)
        .contains(
            """
              #- name: status
                #versions:
                  #- version: "1"
                    #kind: current
                    #key: business_key
                    # Its value (current): a JSON Pointer into the payload.
                    #value: /status
              #- name: balance
            """)
        .contains(
            """
            # The contract of each source.
            sources:
              # Its name; "*" is every source without a contract of its own.
              - source: "*"
                # What makes two receptions the same event.
                identity:
            """);
  }

  /** The defaults with the keys that are commented out put in force. */
  private static String uncommented(String defaults) {
    return defaults
        .lines()
        .map(line -> line.replaceFirst("^( *)#(?=[^ ]|- )", "$1"))
        .map(line -> line.replaceFirst("^(effects|projections): \\[\\]$", "$1:"))
        .collect(joining("\n"));
  }

  private static JsonNode tree(String text) {
    return tree(new YamlText(text, new Reading(""), "run spec", "constat: 1").compose());
  }

  private static JsonNode tree(Node node) {
    if (node instanceof MappingNode map) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (NodeTuple entry : map.getValue()) {
        object.set(((ScalarNode) entry.getKeyNode()).getValue(), tree(entry.getValueNode()));
      }
      return object;
    }
    if (node instanceof SequenceNode list) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      list.getValue().forEach(item -> array.add(tree(item)));
      return array;
    }
    return Literal.of((ScalarNode) node).json();
  }
}
