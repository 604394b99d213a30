package dev.constat.rules.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.rules.diff.DiffTables;
import dev.constat.rules.disclosure.Disclosure;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.plan.PlanTables;
import dev.constat.rules.spec.RepairPlan;
import dev.constat.rules.spec.ReplayPlan;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.rules.table.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RedactorTest {

  private static final RedactionKey KEY = RedactionKey.of("0123456789abcdef");
  private static final RunSpec SPEC =
      RunSpecParser.parse(
          """
          constat: 1
          archives: {events: {files: e.jsonl, constants: {partition: p0}}}
          sources: [{source: shop, schema_versions: ["1"]}]
          effects: [{type: mail, consumers: [mailer], when: {topic: orders}}]
          """,
          "constat.yaml",
          "test");

  private final Redactor redactor = Redaction.of(KEY, SPEC).redactor();

  @Test
  void aTokenIsTheBeginningOfTheKeyedHash() {
    // RFC 4231, section 4.2
    String key = "\u000b".repeat(20);
    assertThat(RedactionKey.of(key).token("Hi There")).isEqualTo("r:b0344c61d8db38535ca8");
  }

  @Test
  void oneValueHasOneTokenUnderOneKey() {
    String token = KEY.token("e-1");
    assertThat(redactor.id("e-1")).isEqualTo(token);
    assertThat(redactor.name("source", "e-1")).isEqualTo(token);
    assertThat(RedactionKey.of("fedcba9876543210").token("e-1")).isNotEqualTo(token);
    assertThat(redactor.id("")).isNotEqualTo(redactor.id(" "));
    assertThat(redactor.id(null)).isNull();
  }

  @Test
  void aKeyIsLongEnoughAndSaysNothing() {
    assertThatThrownBy(() -> RedactionKey.of("0123456789abcde"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("0123");
    assertThat(KEY.toString()).doesNotContain("0123");
    assertThat(KEY.check()).hasSize(8).isEqualTo(RedactionKey.of("0123456789abcdef").check());
    assertThat(KEY.check()).isNotEqualTo(RedactionKey.of("0123456789abcdeg").check());
  }

  @Test
  void namesStayWhereTheRunSpecSaysThemOfTheSameColumn() {
    assertThat(redactor.name("source", "shop")).isEqualTo("shop");
    assertThat(redactor.name("effect_type", "mail")).isEqualTo("mail");
    assertThat(redactor.name("consumer", "mailer")).isEqualTo("mailer");
    assertThat(redactor.name("topic", "orders")).isEqualTo("orders");
    assertThat(redactor.name("schema_version", "1")).isEqualTo("1");
    assertThat(redactor.name("partition", "p0")).isEqualTo("p0");
    assertThat(redactor.name("source", "mail")).isEqualTo(KEY.token("mail"));
    assertThat(redactor.name("topic", "trades")).isEqualTo(KEY.token("trades"));
  }

  @Test
  void everyColumnOfEveryTableIsClassified() {
    List<TableSchema> tables = new ArrayList<>(Tables.ALL);
    tables.add(DiffTables.PROJECTION_DIFF);
    tables.addAll(PlanTables.of(new RepairPlan()));
    tables.addAll(PlanTables.of(new ReplayPlan("t", null, null, "b")));
    for (TableSchema table : tables) {
      for (Column column : table.columns()) {
        assertThat(column.disclosure()).as("%s of %s", column.name(), table.name()).isNotNull();
      }
    }
  }

  @Test
  void everyMemberThatFindingsAreMadeOfIsClassified() throws IOException {
    Pattern put = Pattern.compile("\\.put(?:Nullable)?\\(\\s*\"([a-z_]+)\"");
    Set<String> unlisted = new TreeSet<>();
    int seen = 0;
    Path rules = Path.of("main/java/dev/constat/rules");
    try (Stream<Path> all = Files.walk(rules)) {
      for (Path file : all.filter(path -> path.toString().endsWith(".java")).toList()) {
        String folder = rules.relativize(file).toString();
        if (folder.startsWith("spec/")
            || folder.startsWith("synthesis/")
            || folder.startsWith("redaction/")) {
          continue;
        }
        for (Matcher found = put.matcher(text(file)); found.find(); seen++) {
          String member = found.group(1);
          if (Stream.of(Kind.values()).noneMatch(kind -> isListed(kind, member))) {
            unlisted.add(member + " in " + folder);
          }
        }
      }
    }
    assertThat(seen).isGreaterThan(200);
    assertThat(unlisted).isEmpty();
  }

  /** Kinds that keep everything list everything. */
  private static boolean isListed(Kind kind, String member) {
    return !FindingFields.lists(kind, "no such member") && FindingFields.lists(kind, member)
        || OF_INPUTS_OR_CELLS.contains(member);
  }

  private static final Set<String> OF_INPUTS_OR_CELLS =
      Set.of(
          "input",
          "file",
          "place",
          "column",
          "note",
          "record",
          "remedy",
          "window_start",
          "window_end",
          "raw_base64",
          "kind");

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatNobodyClassifiedIsHashed() {
    TableSchema table =
        TableSchema.of(
            "t",
            new Column("text", Type.TEXT),
            new Column("bytes", Type.BYTES),
            new Column("number", Type.LONG),
            new Column("texts", Type.TEXTS),
            new Column("windows", Type.WINDOWS),
            new Column("withheld", Type.BYTES).as(Disclosure.WITHHELD));
    Object[] row = {
      "e-1", "e-1".getBytes(UTF_8), 7L, List.of("e-1"), List.of(), "e-1".getBytes(UTF_8)
    };
    Object[] redacted = redactor.row(table, row);
    String token = KEY.token("e-1");
    assertThat(redacted[0]).isEqualTo(token);
    assertThat(new String((byte[]) redacted[1], UTF_8)).isEqualTo(token);
    assertThat(redacted[2]).isNull();
    assertThat(redacted[3]).isEqualTo(List.of(token));
    assertThat(redacted[4]).isEqualTo(List.of());
    assertThat(redacted[5]).isNull();
    assertThat(row[0]).isEqualTo("e-1");
  }

  @Test
  void aFindingKeepsItsWordsAndCountsAndNamesItsSubjectByHashes() {
    Finding redacted =
        redactor.finding(
            finding(
                Kind.DOUBLE_EFFECT,
                "{\"consumer\":\"mailer\",\"effect_type\":\"other\",\"instrument\":\"XS1\","
                    + "\"source\":\"shop\",\"source_event_id\":\"e-1\"}",
                Sentence.of("Twice for ").value("source_event_id", "e-1"),
                "{\"acks\":1200,\"effect_keys\":[\"k1\",null],\"new_member\":{\"e-1\":5}}"));
    String e1 = KEY.token("e-1");
    String subject =
        "{\"consumer\":\"mailer\",\"effect_type\":\"%s\",\"instrument\":\"%s\",\"source\":\"shop\","
            + "\"source_event_id\":\"%s\"}";
    assertThat(redacted.subject())
        .isEqualTo(subject.formatted(KEY.token("other"), KEY.token("XS1"), e1));
    assertThat(redacted.reason()).isEqualTo("Twice for " + e1);
    assertThat(redacted.actual())
        .isEqualTo(
            "{\"acks\":1200,\"effect_keys\":[\"%s\",null],\"new_member\":{\"%s\":\"%s\"}}"
                .formatted(KEY.token("k1"), e1, KEY.token("5")));
    assertThat(redacted.fingerprint())
        .isEqualTo(Finding.fingerprint(Kind.DOUBLE_EFFECT, redacted.subject()));
  }

  @Test
  void hashRulesOfRecordsAreHashedAndThoseOfConstatStay() {
    String subject = "{\"source\":\"shop\"}";
    Sentence why = Sentence.of("why");
    Finding known = finding(Kind.CONFLICTING_DUPLICATE, subject, why, "{\"hash_rule\":\"jcs/1\"}");
    assertThat(redactor.finding(known).rule()).isEqualTo("key/1[source, a b] jcs-exact/1");
    Finding foreign = withRule(known, "key/1[source, a b] John Doe");
    assertThat(redactor.finding(foreign).rule())
        .isEqualTo("key/1[source, a b] " + KEY.token("John Doe"));
    Finding odd = withRule(known, "John Doe jcs-exact/1");
    assertThat(redactor.finding(odd).rule()).isEqualTo(KEY.token("John Doe jcs-exact/1"));
  }

  private static Finding withRule(Finding finding, String rule) {
    return new Finding(
        finding.kind(),
        finding.level(),
        finding.subject(),
        finding.sentence(),
        finding.expected(),
        finding.actual(),
        rule,
        finding.evidence(),
        null,
        null,
        finding.hints(),
        1);
  }

  private static Finding finding(Kind kind, String subject, Sentence why, String actual) {
    return new Finding(
        kind,
        Level.ERROR,
        subject,
        why,
        "{}",
        actual,
        "key/1[source, a b] jcs-exact/1",
        ImmutableList.of(),
        null,
        null,
        ImmutableSortedSet.of(),
        1);
  }
}
