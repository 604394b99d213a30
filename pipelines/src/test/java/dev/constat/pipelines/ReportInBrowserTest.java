package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code report.html} in Chromium, opened from disk with the network off. Its path is the system
 * property {@code constat.browser}; a build on a machine without one leaves this out and says so.
 */
@Tag("browser")
final class ReportInBrowserTest {

  private static final Path CHROMIUM =
      Path.of(System.getProperty("constat.browser", "/usr/bin/chromium"));

  @TempDir private static Path out;

  private static Path report;
  private static Playwright playwright;
  private static Browser browser;

  @BeforeAll
  static void open() throws IOException {
    assertThat(CHROMIUM)
        .as("Chromium; install it (apt-get install chromium) or name it by -Dconstat.browser=PATH")
        .isExecutable();
    Answer answer =
        Answer.to(
            "reconcile",
            TestFolders.TEST_DATA.resolve("quickstart/constat.yaml"),
            "--out",
            out,
            "--runner",
            "direct");
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    report = TestFolders.onlyRun(out).resolve("report.html");
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(CHROMIUM)
                    .setArgs(
                        List.of(
                            "--no-sandbox", "--disable-gpu", "--disable-background-networking")));
  }

  @AfterAll
  static void close() {
    if (playwright != null) {
      playwright.close();
    }
  }

  /** A page, and what the browser had to say about it. */
  private record Opened(BrowserContext context, Page page, List<String> said, List<String> asked)
      implements AutoCloseable {

    @Override
    public void close() {
      context.close();
    }
  }

  private static Opened opened(int width, boolean scripts, ColorScheme colours) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, 900)
                .setJavaScriptEnabled(scripts)
                .setColorScheme(colours)
                .setOffline(true));
    Page page = context.newPage();
    List<String> said = new ArrayList<>();
    List<String> asked = new ArrayList<>();
    page.onConsoleMessage(message -> said.add(message.text()));
    page.onPageError(said::add);
    page.onRequest(request -> asked.add(request.url()));
    page.navigate(report.toUri().toString());
    return new Opened(context, page, said, asked);
  }

  @ParameterizedTest(name = "{0} pixels, scripts {1}, {2}")
  @CsvSource({
    "1280, true, LIGHT",
    "1280, false, DARK",
    "390, true, DARK",
    "390, false, LIGHT",
  })
  void isReadWithoutNetworkAndScripts(int width, boolean scripts, ColorScheme colours) {
    try (Opened opened = opened(width, scripts, colours)) {
      Page page = opened.page();
      assertThat(page.title()).isEqualTo("quickstart: DISCREPANCIES (Constat)");
      for (String heading :
          List.of("Findings", "Lateness", "Books", "Coverage and blind spots", "Replays")) {
        assertVisible(
            page.getByRole(
                AriaRole.HEADING,
                new Page.GetByRoleOptions().setName(heading).setExact(true).setLevel(2)));
      }
      for (String table :
          List.of("Findings by kind", "Decisions by source and schema version", "events read")) {
        assertVisible(
            page.getByRole(
                AriaRole.TABLE, new Page.GetByRoleOptions().setName(table).setExact(true)));
      }
      for (String chart :
          List.of("Delay of the events of venue-a", "What each budget makes of venue-a")) {
        Locator picture = page.getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName(chart));
        assertVisible(picture);
        assertThat(picture.boundingBox().width).isLessThanOrEqualTo(width);
      }
      assertThat(page.locator("html").evaluate("html => html.scrollWidth")).isEqualTo(width);
      assertThat(opened.said()).isEmpty();
      assertThat(opened.asked()).containsExactly(report.toUri().toString());
    }
  }

  private static void assertVisible(Locator locator) {
    assertThat(locator.count()).as(locator.toString()).isEqualTo(1);
    assertThat(locator.isVisible()).as(locator.toString()).isTrue();
  }

  @ParameterizedTest(name = "{0} pixels, {1}")
  @CsvSource({"1280, LIGHT", "1280, DARK", "390, LIGHT"})
  void isAccessible(int width, ColorScheme colours) {
    try (Opened opened = opened(width, true, colours)) {
      opened.page().evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
      List<String> faults = new ArrayList<>();
      for (Rule rule : new AxeBuilder(opened.page()).analyze().getViolations()) {
        faults.add(
            rule.getImpact()
                + " "
                + rule.getId()
                + ": "
                + rule.getHelp()
                + " "
                + rule.getNodes().stream().limit(3).map(node -> node.getHtml()).toList());
      }
      assertThat(faults).isEmpty();
    }
  }

  @Test
  void theKeyboardReachesTheFindingsFirst() {
    try (Opened opened = opened(1280, true, ColorScheme.LIGHT)) {
      Page page = opened.page();
      page.keyboard().press("Tab");
      Locator skip =
          page.getByRole(
              AriaRole.LINK, new Page.GetByRoleOptions().setName("Skip to the findings"));
      assertThat(skip.evaluate("link => link === document.activeElement")).isEqualTo(true);
      assertThat(skip.boundingBox().x).isNotNegative();
      page.keyboard().press("Enter");
      assertThat(page.url()).endsWith("#findings");
    }
  }

  @Test
  void printsWhatIsFolded() {
    try (Opened opened = opened(800, true, ColorScheme.DARK)) {
      Page page = opened.page();
      Locator folded = page.locator("details.example:not([open]) table").first();
      assertThat(folded.isVisible()).isFalse();
      page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
      assertThat(folded.isVisible()).isTrue();
      assertThat(page.locator("nav").isVisible()).isFalse();
      assertThat(page.locator("body").evaluate("b => getComputedStyle(b).backgroundColor"))
          .isEqualTo("rgb(255, 255, 255)");
      byte[] pdf = page.pdf(new Page.PdfOptions().setFormat("A4"));
      assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
    }
  }

  @Test
  void hostileIdsAreOnlyText() throws IOException {
    Path archive = Files.createDirectories(out.resolve("hostile"));
    String id = "<script>document.title='x'</script><img src=x onerror=alert(1)>\\u202e\\u0000'";
    Files.writeString(
        archive.resolve("events.jsonl"),
        """
        {"ingestion_id":"a","source":"%1$s","source_event_id":"%1$s","occurred_at":"2026-01-05T12:00:00Z","received_at":"2026-01-05T12:00:01Z","payload":"{}"}
        {"ingestion_id":"b","source":"%1$s","source_event_id":"%1$s","occurred_at":"2026-01-05T12:00:00Z","received_at":"2026-01-05T12:00:02Z","payload":"[]"}
        """
            .formatted(id));
    Path spec =
        Files.writeString(
            archive.resolve("constat.yaml"),
            "constat: 1\narchives: {events: {files: events.jsonl}}\n");
    Path runs = archive.resolve("out");
    Answer answer = Answer.to("reconcile", spec, "--out", runs, "--runner", "direct");
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);

    BrowserContext context = browser.newContext(new Browser.NewContextOptions().setOffline(true));
    Page page = context.newPage();
    List<String> said = new ArrayList<>();
    page.onConsoleMessage(message -> said.add(message.text()));
    page.onDialog(dialog -> said.add(dialog.message()));
    page.navigate(TestFolders.onlyRun(runs).resolve("report.html").toUri().toString());
    assertThat(page.title()).isEqualTo("hostile: DISCREPANCIES (Constat)");
    assertThat(page.locator("script, img").count()).isZero();
    assertThat(page.locator("#decisions").innerText()).contains("<script>", "\\u202e", "\\u0000");
    assertThat(said).isEmpty();
    context.close();
  }
}
