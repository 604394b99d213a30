package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.pipelines.cli.Main;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpecParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is what a reader gets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadmeTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private Path folder;
  private String readme;
  private String answer;
  private int code;
  private Path run;

  @BeforeAll
  void runTheQuickstart(@TempDir Path out) throws IOException {
    folder = out;
    readme = Files.readString(ROOT.resolve("README.md"));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    code =
        Main.run(
            new String[] {
              "reconcile",
              ROOT.resolve("test-data/quickstart/constat.yaml").toString(),
              "--out",
              folder.toString()
            },
            new PrintStream(text, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    answer = text.toString(StandardCharsets.UTF_8);
    try (Stream<Path> runs = Files.list(folder)) {
      run = runs.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  @Test
  void theQuickstartAnswersSo() {
    String shown = block("console", "\\$ pipelines/bin/constat reconcile [^\\n]*\\n(.*?)\\$ echo");
    assertThat(withoutFolder(answer)).isEqualTo(withoutFolder(shown));
    assertThat(code).isEqualTo(1);
  }

  @Test
  void theRebuildAnswersSo() {
    String shown = block("console", "\\$ pipelines/bin/constat rebuild [^\\n]*\\n(.*?)(?=```)");
    Answer answer =
        Answer.to(
            "rebuild",
            ROOT.resolve("test-data/rebuild-two-versions/constat.yaml"),
            "--projection",
            "volume",
            "--out",
            folder.resolve("rebuilt"));
    assertThat(withoutRun(answer.out())).isEqualTo(withoutRun(shown));
    assertThat(answer.exitCode()).isZero();
  }

  private static String withoutRun(String text) {
    return text.replaceAll("rebuild-[0-9a-fRUN]+\\n", "rebuild-\n").replaceAll("report: .*", "");
  }

  private static String withoutFolder(String text) {
    return text.replaceAll("report: .*/", "report: ");
  }

  @Test
  void theFindingIsOneOfThem() throws IOException {
    String shown = block("json", "(\\{.*?\\})\\n");
    assertThat(Files.readAllLines(run.resolve("findings.jsonl"))).contains(shown);
  }

  @Test
  void theQueriesFindSomething() throws SQLException {
    List<String> queries = List.of(block("sql", "(.*?)").split(";\n"));
    assertThat(queries).hasSize(3);
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement()) {
      for (String query : queries) {
        try (ResultSet rows = statement.executeQuery(query.replace("out/RUN", run.toString()))) {
          assertThat(rows.next()).as(query).isTrue();
        }
      }
    }
  }

  @Test
  void theSpecIsOne() {
    assertThat(RunSpecParser.parse(block("yaml", "(.*?)"), "README.md", "readme").effects())
        .hasSize(1);
  }

  @Test
  void everyColumnIsNamed() {
    for (Input input : Input.values()) {
      for (Column column : input.columns()) {
        String name = "`" + column.name() + "`";
        assertThat(readme).contains(column.required() ? "**" + name + "**" : name);
      }
    }
  }

  private String block(String language, String pattern) {
    Matcher matcher =
        Pattern.compile("```" + language + "\\n" + pattern + "(?:[^`]*)```", Pattern.DOTALL)
            .matcher(readme);
    assertThat(matcher.find()).as("a block of " + language).isTrue();
    return matcher.group(1).isEmpty()
        ? matcher.group().replaceAll("^```.*\\n|```$", "")
        : matcher.group(1);
  }
}
