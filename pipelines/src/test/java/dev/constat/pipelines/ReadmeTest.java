package dev.constat.pipelines;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.constat.pipelines.cli.Main;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.projection.EventOrder;
import dev.constat.rules.projection.Projection;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
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

  @Test
  void theSyntheticArchiveIsFoundOutSo() {
    String shown = block("console", "\\$ pipelines/bin/constat generate [^\\n]*\\n(.*?)(?=```)");
    Path archive = folder.resolve("synthetic");
    Answer generated = Answer.to("generate", "--events", 20_000, "--seed", 7, "--out", archive);
    assertThat(shown).startsWith(generated.out());
    assertThat(generated.exitCode()).isZero();

    Path runs = folder.resolve("synthetic-runs");
    assertThat(Answer.to("reconcile", archive.resolve("constat.yaml"), "--out", runs).exitCode())
        .isEqualTo(3);

    Answer scored = Answer.to("score", runs, archive.resolve("truth.jsonl"));
    String table = shown.substring(shown.lastIndexOf('$')).lines().skip(1).collect(joining("\n"));
    assertThat(scored.out().lines())
        .containsSubsequence(
            table.lines().filter(line -> !line.equals("...")).toArray(String[]::new));
    assertThat(scored.exitCode()).isZero();
  }

  @Test
  void theEventsAreExplainedSo() {
    Pattern asked =
        Pattern.compile("\\$ pipelines/bin/constat explain (\\S+) (\\S+)\\n(.*)", Pattern.DOTALL);
    List<Matcher> shown =
        blocks("console").stream().map(asked::matcher).filter(Matcher::matches).toList();
    assertThat(shown).hasSize(2);
    for (Matcher event : shown) {
      Answer answer =
          Answer.to(
              "explain",
              event.group(1),
              event.group(2),
              "--run",
              run,
              "--spec",
              ROOT.resolve("test-data/quickstart/constat.yaml"));
      assertThat(answer.out()).isEqualTo(event.group(3));
      assertThat(answer.exitCode()).isZero();
    }
  }

  @Test
  void thePlansAreMadeSo() {
    Path spec = ROOT.resolve("test-data/quickstart/constat.yaml");
    Path plans = folder.resolve("plans");
    List<String[]> asked =
        List.of(
            new String[] {
              "--topic", "trade", "--from", "2026-01-06T14:00:00Z", "--to", "2026-01-06T14:10:00Z"
            },
            new String[] {"--pending-repair"});
    for (String[] options : asked) {
      String shown =
          block(
              "console",
              "\\$ pipelines/bin/constat plan-replay \\S+ "
                  + String.join(" ", options)
                  + "\\n(.*?)(?=```)");
      List<Object> arguments = new ArrayList<>(List.of("plan-replay", spec, "--out", plans));
      arguments.addAll(List.of(options));
      Answer answer = Answer.to(arguments.toArray());
      assertThat(withoutRun(answer.out())).isEqualTo(withoutRun(shown));
      assertThat(answer.exitCode()).isZero();
    }
  }

  @Test
  void theLinesOfPlansAreSome() throws IOException {
    thePlansAreMadeSo();
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder.resolve("plans"))) {
      for (Path file : files.filter(path -> path.toString().endsWith("-plan.jsonl")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    List<String> shown =
        blocks("json").stream().map(String::strip).filter(l -> l.contains("position\":")).toList();
    assertThat(shown).hasSize(2);
    assertThat(lines).containsAll(shown);
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
    List<String> queries =
        blocks("sql").stream().flatMap(block -> Stream.of(block.split(";\n"))).toList();
    assertThat(queries).hasSize(6);
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
  void theBudgetsMakeWhatIsShown() throws SQLException {
    String query = only(blocks("sql"), "lateness");
    List<String> shown =
        only(blocks("text"), "too_late").lines().map(line -> line.replaceAll(" +", " ")).toList();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckdb.createStatement();
        ResultSet rows = statement.executeQuery(query.replace("out/RUN", run.toString()))) {
      List<String> found = new ArrayList<>();
      int width = rows.getMetaData().getColumnCount();
      for (boolean more = true; more; more = rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= width; i++) {
          row.add(found.isEmpty() ? rows.getMetaData().getColumnName(i) : rows.getString(i));
        }
        found.add(String.join(" ", row));
      }
      assertThat(found).containsExactlyElementsOf(shown);
    }
  }

  @Test
  void theSpecIsOne() {
    RunSpec spec = RunSpecParser.parse(only(blocks("yaml"), "constat: 1\n"), "README.md", "readme");
    assertThat(spec.effects()).hasSize(1);
  }

  @Test
  void theProjectionsAreSome() {
    List<String> titles =
        blocks("yaml").stream()
            .filter(block -> block.startsWith("projections:"))
            .map(block -> "constat: 1\narchives: {events: {files: events.jsonl}}\n" + block)
            .flatMap(
                text -> RunSpecParser.parse(text, "README.md", "readme").projections().stream())
            .map(ProjectionRule::title)
            .toList();
    assertThat(titles)
        .containsExactly(
            "volume version 1", "volume version 2", "status version 1", "overdraft version 1");
  }

  /** Compiled as a reader would, and asked for what it promises. */
  @Test
  void theProjectionOfOnesOwnIsOne() throws Exception {
    Path sources = Files.createDirectories(folder.resolve("own"));
    Path source =
        Files.writeString(
            sources.resolve("LowestBalance.java"), only(blocks("java"), "LowestBalance"));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                sources.toString(),
                source.toString());
    assertThat(compiled).isZero();
    try (URLClassLoader classes = new URLClassLoader(new URL[] {sources.toUri().toURL()})) {
      Projection own =
          (Projection) classes.loadClass("LowestBalance").getDeclaredConstructor().newInstance();
      assertThat(own.kind()).isEqualTo("lowest-balance");
      Projection.Fold fold = own.begin(ImmutableMap.of());
      for (String cents : Arrays.asList("5e2", "-7e2", null, "3e2")) {
        fold.next(contribution(cents));
      }
      assertThat(fold.end()).containsExactly(new Projection.Result(null, List.of(-200L)));
    }
  }

  private static Projection.Contribution contribution(String value) {
    return new Projection.Contribution() {
      @Override
      public String event() {
        return "e";
      }

      @Override
      public EventOrder order() {
        return EventOrder.at(Instant.EPOCH);
      }

      @Override
      public String value(String pointer) {
        return value;
      }
    };
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

  private List<String> blocks(String language) {
    return Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
        .matcher(readme)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private static String only(List<String> blocks, String holding) {
    List<String> found = blocks.stream().filter(block -> block.contains(holding)).toList();
    assertThat(found).as("the block with " + holding).hasSize(1);
    return found.get(0);
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
