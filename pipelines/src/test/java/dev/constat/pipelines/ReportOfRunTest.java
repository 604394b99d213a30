package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** {@code report.html} of the quickstart: it says what the files of the run say. */
final class ReportOfRunTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path out;

  private static Path run;
  private static String page;
  private static Document document;

  @BeforeAll
  static void reconcile() throws Exception {
    Answer answer =
        Answer.to(
            "reconcile",
            TestFolders.TEST_DATA.resolve("quickstart/constat.yaml"),
            "--out",
            out,
            "--runner",
            "direct");
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    run = TestFolders.onlyRun(out);
    page = Files.readString(run.resolve("report.html"));
    document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(page.getBytes(UTF_8)));
  }

  @Test
  void isAFileOfTheRunLikeEveryOther() throws IOException {
    List<String> files = new ArrayList<>();
    JSON.readTree(run.resolve("run.json").toFile())
        .get("files")
        .forEach(file -> files.add(file.get("file").textValue()));
    assertThat(files).contains("report.html");
    assertThat(page).hasSizeLessThan(500_000);
  }

  @Test
  void beginsWithVerdictAndScopeInOneSentence() {
    assertThat(element("page-verdict"))
        .isEqualTo(
            "DISCREPANCIES 104 errors, 31 warnings and 28 for information in 3,874 receptions,"
                + " 2,536 outbox rows, 4,480 acknowledgements, 2,567 recorded decisions, 777"
                + " recorded cells and 4 registered replays, as of 7 January 2026, 17:48:00 UTC.");
  }

  @Test
  void itsCommandsListAllFindingsOfAKind() throws Exception {
    Map<String, Long> expected = new TreeMap<>();
    for (String line : Files.readAllLines(run.resolve("findings.jsonl"))) {
      JsonNode finding = JSON.readTree(line);
      expected.merge(
          finding.get("level").textValue() + " " + finding.get("kind").textValue(), 1L, Long::sum);
    }
    Map<String, Long> listed = new TreeMap<>();
    for (String command : commands()) {
      if (command.startsWith("grep ")) {
        List<String> lines = shell(command).lines().toList();
        JsonNode first = JSON.readTree(lines.get(0));
        listed.put(
            first.get("level").textValue() + " " + first.get("kind").textValue(),
            (long) lines.size());
      }
    }
    assertThat(listed).isEqualTo(expected);
    assertThat(counted()).isEqualTo(expected);
  }

  @Test
  void picturesSayWhatSummarySays() {
    assertThat(element("lateness"))
        .contains("Delay of the events of venue-a")
        .contains("2,061 events, most of them up to 1 s; the longest delay is up to 1 h")
        .contains("Late events: 35 with a budget of 0 s, 0 with 7 d")
        .contains("1,566 events were held to every budget from 0 s to 7 d: none would be late");
  }

  @Test
  void showsNoPayload() {
    assertThat(page).doesNotContain("instrument\\", "&quot;qty&quot;", "&quot;px&quot;");
    assertThat(element("decisions")).contains("quarantine/*.parquet", "2 d 2 h 39 min");
  }

  @Test
  void sectionsHoldTheFiguresOfTheRun() {
    assertThat(element("causes")).contains("relay-3", "risk");
    assertThat(element("outbox")).contains("STUCK_PENDING", "7 h 21 min 59 s", "newsletter");
    assertThat(element("replays")).contains("mend-risk-1", "try-risk", "1,401");
    assertThat(element("books")).contains("23 books were added up, and nothing is left over");
    assertThat(element("coverage"))
        .contains("no event_ids of the events consumed")
        .contains("OUT_OF_HORIZON: older than what was kept");
    assertThat(element("inputs")).contains("events/orders/2026-01-05.jsonl.gz", "14d76cff44d2f818");
    assertThat(element("method")).contains("order.partly-filled", "byte for byte");
    assertThat(element("findings"))
        .contains("14 subjects were checked for BROKEN_CHAIN: none.")
        .contains("outbox/outbox-2026-01-07.parquet, row 1732 (row group 0)");
  }

  /** The statement that counts, run by DuckDB. */
  private static Map<String, Long> counted() throws SQLException {
    String command =
        commands().stream().filter(c -> c.startsWith("duckdb -c \"")).findFirst().orElseThrow();
    String query =
        command
            .substring("duckdb -c \"".length(), command.length() - 1)
            .replace("'findings.jsonl'", "'" + run.resolve("findings.jsonl") + "'");
    Map<String, Long> counted = new TreeMap<>();
    try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = duckdb.createStatement();
        ResultSet result = sql.executeQuery(query)) {
      while (result.next()) {
        counted.put(
            result.getString("level") + " " + result.getString("kind"), result.getLong("findings"));
      }
    }
    return counted;
  }

  private static List<String> commands() {
    NodeList blocks = document.getElementsByTagName("pre");
    List<String> commands = new ArrayList<>();
    for (int i = 0; i < blocks.getLength(); i++) {
      commands.add(blocks.item(i).getTextContent());
    }
    return commands;
  }

  private static String shell(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(run.toFile())
            .redirectErrorStream(true)
            .start();
    String answer = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(command + "\n" + answer).isZero();
    return answer;
  }

  private static String element(String id) {
    NodeList all = document.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      var attribute = all.item(i).getAttributes().getNamedItem("id");
      if (attribute != null && attribute.getNodeValue().equals(id)) {
        return all.item(i).getTextContent().replaceAll("\\s+", " ");
      }
    }
    throw new AssertionError("No element of id " + id);
  }
}
