package dev.constat.pipelines.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.pipelines.output.Evidence;
import dev.constat.pipelines.output.Execution;
import dev.constat.pipelines.output.RebuildReport;
import dev.constat.pipelines.output.RepairPlanReport;
import dev.constat.pipelines.output.ReplayPlanReport;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.output.TaskReport;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.reconcile.Book;
import dev.constat.rules.spec.RepairPlan;
import dev.constat.rules.spec.ReplayPlan;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

final class ReportPageTest {

  private static final int TWO_MEGABYTES = 2_000_000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "findings | None. 1 check looked at 3 receptions",
        "causes | There are no findings to compare.",
        "decisions | No reception was decided about",
        "lateness | No event was accepted, so none could be late.",
        "outbox | No outbox was given to this run, so no delivery was judged.",
        "outbox | No event came twice, so no memory of duplicates was needed.",
        "replays | 3 receptions were looked through for a replay_id: none. No registry was given.",
        "books | 1 book was added up, and nothing is left over in any.",
        "coverage | 1 check judged every subject that came before them.",
        "coverage | No subject was too young at a cut",
        "coverage | Not given to this run, so nothing of it was judged: outbox, acknowledgements",
        "inputs | events/a.jsonl",
        "method | The run spec names no effects.",
        "method | No external effect was caused.",
      })
  void nothingFoundSaysWhatWasChecked(String section, String words) {
    Markup page = Markup.of(page(Reports.empty(), null));
    assertThat(page.section(section)).contains(words);
    assertThat(page.texts("p").get(1))
        .isEqualTo("MATCH Nothing was found in 3 receptions, as of 5 January 2026, 12:00:00 UTC.");
  }

  @ParameterizedTest
  @CsvSource({"PT5M, 1, false", "PT15M, 1, false", "P30D, 0, true"})
  void aBudgetBeyondTheLadderHasNoPlaceInTheChart(String budget, int lines, boolean said) {
    RunSpec spec =
        RunSpecParser.parse(
            "constat: 1\narchives: {events: {files: a.jsonl}}\n"
                + "sources: [{source: '*', lateness: {budget: "
                + budget
                + "}}]\n",
            "constat.yaml",
            "shop");
    String page =
        new String(
            Reports.page(spec, Reports.of(1, "n"), null, Reports.FILES, Reports.noExamples()),
            StandardCharsets.UTF_8);
    assertThat(page.split("class=\"inforce\"", -1)).hasSize(lines + 1);
    assertThat(page.contains("where it is not longer than any of these")).isEqualTo(said);
  }

  @Test
  void anEmptyOutboxSaysSo() {
    Markup page =
        Markup.of(
            Reports.page(Reports.ALL, Reports.empty(), null, Reports.FILES, Reports.noExamples()));
    assertThat(page.section("outbox"))
        .contains(
            "The outbox was read and holds no row that counts.",
            "0 outbox rows were checked for dead letters, declared or not: none.",
            "No row names an aggregate",
            "No consumer acknowledged a row that is not there.");
    assertThat(page.section("replays")).contains("The registry lists no replay.");
    assertThat(page.section("method")).contains("topic is trade", "mailer", "30 min");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "findings | 12 findings, 13 occurrences",
        "findings | Shown are 0 of 12; the page leaves out 12. All of them:",
        "causes | name3",
        "decisions | not in the contract",
        "decisions | 1 min 30 s",
        "lateness | 33.3 %",
        "lateness | 5 min (in force)",
        "lateness | The page leaves out the charts of 4 sources",
        "outbox | of these tried more than once",
        "outbox | name11",
        "replays | not known",
        "books | 1 book does not add up. That is a bug of Constat",
        "coverage | because of name11",
        "coverage | IN_FLIGHT: too young at the cut",
        "inputs | 3,000,000",
        "inputs | 3 d",
        "method | SHA-256 of the run spec",
        "method | line_bytes 67,108,864, nesting 1,000",
      })
  void eachSectionTellsWhatThereIs(String section, String words) {
    Markup page = Markup.of(page(Reports.of(12, "name"), null));
    assertThat(page.section(section)).contains(words);
    assertThat(page.section("page-verdict"))
        .startsWith("INCONCLUSIVE")
        .contains("; the evidence is incomplete:");
  }

  @Test
  void theGravestComeFirstThenThoseOfWhichThereAreMost() {
    RunReport report =
        withFindings(
            new RunReport.KindCount(Kind.DLQ, Kind.DLQ.level(), 900, 900, 0),
            new RunReport.KindCount(Kind.DOUBLE_EFFECT, Kind.DOUBLE_EFFECT.level(), 2, 2, 0),
            new RunReport.KindCount(Kind.MISSING_ACK, Kind.MISSING_ACK.level(), 7, 7, 0));
    assertThat(Markup.of(page(report, null)).texts("h3"))
        .startsWith("MISSING_ACK error", "DOUBLE_EFFECT error", "DLQ warning");
  }

  @Test
  void everyKindHasItsRuleInWords() {
    Markup page = Markup.of(page(Reports.of(2, "name"), null));
    assertThat(page.texts("p"))
        .containsAll(List.of(Kind.values()).stream().map(Kind::rule).toList());
    for (Kind kind : Kind.values()) {
      assertThat(kind.rule()).endsWith(".").doesNotContain("\n").hasSizeBetween(20, 130);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "<script>alert(1)</script>\u202e\u0000\ud800\"'&", "שלום"})
  void isWellFormedAndLoadsNothing(String name) throws Exception {
    byte[] bytes = page(Reports.of(30, name), null);
    Markup page = Markup.of(bytes);

    assertThat(page.all("script")).isEmpty();
    assertThat(page.all("link")).isEmpty();
    assertThat(page.all("html").get(0).getAttribute("lang")).isEqualTo("en");
    assertThat(page.attributes("href")).allMatch(href -> href.startsWith("#"));
    assertThat(page.attributes("id")).doesNotHaveDuplicates();
    assertThat(page.attributes("href").stream().map(href -> href.substring(1)))
        .isSubsetOf(new HashSet<>(page.attributes("id")));
    assertThat(page.attributes("aria-label")).doesNotHaveDuplicates();
    String style = page.texts("style").get(0);
    String hash =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(style.getBytes(StandardCharsets.UTF_8)));
    assertThat(page.attributes("content").get(0))
        .isEqualTo(
            "default-src 'none'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'"
                .formatted(hash));
    for (Element table : page.all("table")) {
      String words = table.getTextContent();
      assertThat(table.getElementsByTagName("th").getLength()).as(words).isPositive();
    }
    assertThat(page.all("th")).allMatch(heading -> heading.hasAttribute("scope"));
  }

  @Test
  void aMillionFindingsAndTooMuchOfEverythingElseStayBelowTwoMegabytes() {
    String id = "\u202e\"<&".repeat(1_000);
    Examples examples = new Examples(1_000, place -> new Evidence.File(id));
    Kind[] kinds = Kind.values();
    for (int i = 0; i < 1_000_000; i++) {
      // The first ones are those that are shown.
      boolean hostile = i < kinds.length * 2;
      String subject =
          hostile
              ? new JsonObject().put("outbox_id", id).put(id, id).put("number", i).toString()
              : "{\"outbox_id\":\"o" + i + "\"}";
      ExamplesTest.Builder finding = ExamplesTest.finding(kinds[i % kinds.length]).about(subject);
      if (hostile) {
        finding.because(id).sides(sides(id), sides(id + "x"));
      }
      examples.add(finding.get());
    }
    List<Execution.InputFile> files = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      files.add(new Execution.InputFile("events", id + i, 3, 345, "ff".repeat(32)));
    }

    byte[] bytes =
        Reports.page(
            Reports.EVENTS_ALONE,
            Reports.of(2_000, id),
            null,
            ImmutableList.copyOf(files),
            examples);

    assertThat(bytes).hasSizeLessThan(TWO_MEGABYTES);
    Markup page = Markup.of(bytes);
    assertThat(page.all("details").stream().filter(e -> e.getAttribute("class").equals("example")))
        .hasSizeGreaterThanOrEqualTo(kinds.length);
    assertThat(page.section("findings")).contains("the page leaves out");
    assertThat(page.section("inputs")).contains("The page leaves out 4,900 more rows");
    assertThat(page.section("decisions")).contains("The page leaves out 1,950 more rows");
    assertThat(page.section("books")).contains("The page leaves out 1,950 more books");
  }

  @Test
  void manyOrdinaryFindingsFillTheRoomThereIsAndNoMore() {
    Examples examples = new Examples(100_000, place -> new Evidence.Line("events/a.jsonl", 1, 1));
    long each = 0;
    for (int i = 0; i < 1_000_000; i++) {
      Kind kind = Kind.values()[i % Kind.values().length];
      each += kind == Kind.MISSING_ACK ? 1 : 0;
      examples.add(ExamplesTest.finding(kind).about("{\"outbox_id\":\"o" + i + "\"}").get());
    }
    byte[] bytes =
        Reports.page(
            Reports.EVENTS_ALONE,
            Reports.of(Math.toIntExact(each), "name"),
            null,
            Reports.FILES,
            examples);

    assertThat(bytes).hasSizeBetween(1_000_000, TWO_MEGABYTES);
    assertThat(examples.chosen().values()).allMatch(shown -> shown.size() >= 10);
  }

  @Test
  void localeAndZoneOfTheMachineChangeNothing() {
    byte[] here = page(Reports.of(12, "name"), null);
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr-TR-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
      assertThat(page(Reports.of(12, "name"), null)).isEqualTo(here);
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  @Test
  void aRebuildTellsWhatItMade() {
    RebuildReport rebuild =
        new RebuildReport(
            "r1",
            "01",
            "volume",
            null,
            Reports.NOON,
            ImmutableList.of(new RebuildReport.Version("1", 5, 4, 1, 0)),
            ImmutableList.of(
                new RebuildReport.Difference(
                    "2", 3, 7, ImmutableSortedMap.of("budget", 2L), ImmutableList.of())));
    assertThat(Markup.of(page(Reports.empty(), rebuild)).section("made"))
        .contains("What was rebuilt", "volume", "r1", "from the beginning")
        .contains("Differences from the first version");
  }

  @Test
  void aPlanTellsWhatItWouldSendAndThatItSentNothing() {
    TaskReport repair =
        new RepairPlanReport(
            ImmutableList.of(new RepairPlanReport.Messages("notify", "MISSING_ACK", 3, 1)),
            ImmutableSortedMap.of("ORDER", 1L),
            ImmutableSortedMap.of("DOUBLE_EFFECT", 9L));
    byte[] page =
        Reports.page(
            Reports.ALL.planning(new RepairPlan()),
            Reports.empty(),
            repair,
            Reports.FILES,
            Reports.noExamples());
    assertThat(Markup.of(page).section("made"))
        .contains("3 messages would have to be sent again. Nothing was sent.")
        .contains("Errors that no message mends", "DOUBLE_EFFECT", "ORDER");
    assertThat(Markup.of(page).attributes("id")).doesNotContain("lateness", "outbox", "replays");

    TaskReport replay =
        new ReplayPlanReport(
            "trade",
            Reports.NOON,
            null,
            "b1",
            7,
            ImmutableSortedMap.of(),
            0,
            ImmutableList.of(new ReplayPlanReport.Effect("notify", true, 7, 14, 0, null, 0)));
    page =
        Reports.page(
            Reports.ALL.planning(new ReplayPlan("trade", Reports.NOON, null, "b1")),
            Reports.empty(),
            replay,
            Reports.FILES,
            Reports.noExamples());
    assertThat(Markup.of(page).section("made"))
        .contains("7 events of topic trade", "as batch b1. Nothing was published.")
        .contains("None is withheld.", "not known");
  }

  @Test
  void anOpenBookIsSeenFirst() {
    RunReport report = Reports.of(12, "name");
    Markup page = Markup.of(page(report, null));
    Book open = report.books().get(7);
    assertThat(
            page.all("table").stream()
                .filter(table -> table.getAttribute("class").equals("book"))
                .findFirst()
                .orElseThrow()
                .getTextContent())
        .startsWith(open.name());
    assertThat(open.residue()).isEqualTo(1);
    assertThat(report.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
  }

  private static JsonObject sides(String id) {
    JsonObject side = new JsonObject();
    for (int i = 0; i < 30; i++) {
      side.put("member" + i, id);
    }
    return side;
  }

  private static RunReport withFindings(RunReport.KindCount... counts) {
    RunReport report = Reports.empty();
    return new RunReport(
        report.name(),
        report.version(),
        report.asOf(),
        Verdict.DISCREPANCIES,
        report.reasons(),
        report.inputs(),
        report.decisions(),
        report.timeliness(),
        ImmutableList.copyOf(counts),
        report.silent(),
        report.books(),
        report.coverage(),
        report.sources(),
        report.lateness(),
        report.effects(),
        report.order(),
        report.deliveries(),
        report.replays(),
        report.causes(),
        report.baseline());
  }

  private static byte[] page(RunReport report, TaskReport task) {
    return Reports.page(
        Reports.EVENTS_ALONE.archives().size() == report.inputs().size()
            ? Reports.EVENTS_ALONE
            : Reports.ALL,
        report,
        task,
        Reports.FILES,
        Reports.noExamples());
  }
}
