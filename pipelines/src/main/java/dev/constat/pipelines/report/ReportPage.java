package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.Execution;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.output.TaskReport;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.spec.Plan;
import dev.constat.rules.spec.RunSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes {@code report.html}: what a run found, as people read it, in one file that loads nothing
 * and runs no script. The same result gives the same bytes: it knows no clock, no machine and no
 * path but those of the inputs relative to the run spec. However much was found, it stays below two
 * megabytes and says what it left out.
 */
public final class ReportPage {

  /** How many characters long values may open to, over the whole page without its examples. */
  private static final int LONG_VALUES = 20_000;

  private final RunSpec spec;
  private final RunReport report;
  private final TaskReport task;
  private final ImmutableList<Execution.InputFile> files;
  private final Examples examples;
  private final Values values = new Values(LONG_VALUES);

  private ReportPage(
      RunSpec spec,
      RunReport report,
      TaskReport task,
      ImmutableList<Execution.InputFile> files,
      Examples examples) {
    this.spec = spec;
    this.report = report;
    this.task = task;
    this.files = files;
    this.examples = examples;
  }

  /**
   * Writes to {@code out}, which the caller closes.
   *
   * @param task what the run made besides judging, or null where that is all
   * @param files the files that were read
   * @param examples took in every finding of the run
   */
  public static void write(
      RunSpec spec,
      RunReport report,
      TaskReport task,
      ImmutableList<Execution.InputFile> files,
      Examples examples,
      OutputStream out)
      throws IOException {
    ReportPage page = new ReportPage(spec, report, task, files, examples);
    String css = css();
    out.write(Html.document(css, html -> page.head(css, html), page::body));
  }

  private static String css() throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void head(String css, Html html) {
    html.leaf("meta", "charset", "utf-8").line();
    html.leaf(
            "meta",
            "http-equiv",
            "Content-Security-Policy",
            "content",
            "default-src 'none'; style-src 'sha256-"
                + Base64.getEncoder().encodeToString(sha256(css))
                + "'; base-uri 'none'; form-action 'none'")
        .line();
    html.leaf("meta", "name", "viewport", "content", "width=device-width, initial-scale=1").line();
    html.leaf("meta", "name", "referrer", "content", "no-referrer").line();
    html.leaf("meta", "name", "color-scheme", "content", "light dark").line();
    html.element(
        "title", Values.beginning(report.name(), 64) + ": " + report.verdict() + " (Constat)");
    html.line();
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  private void body(Html html) {
    html.element("a", "Skip to the findings", "class", "skip", "href", "#findings").line();
    html.open("header");
    verdict(html);
    html.close().line();
    Map<String, Html.Part> sections = sections();
    Map<String, String> titles = titles();
    html.open("nav", "aria-label", "Contents").open("ul");
    sections
        .keySet()
        .forEach(id -> html.open("li").element("a", titles.get(id), "href", "#" + id).close());
    html.close().close().line();
    html.open("main").line();
    sections.forEach(
        (id, part) -> {
          html.open("section", "id", id, "aria-labelledby", id + "-h");
          html.element("h2", titles.get(id), "id", id + "-h").line();
          html.put(part).close().line();
        });
    html.close().line();
    html.open("footer");
    html.element(
        "p",
        "Times are in UTC; an exact value stands in the title of what is shown shorter. What"
            + " cannot be seen in an id, such as a control character, is shown as an escape like"
            + " \\u001b.");
    html.close().line();
  }

  private Map<String, Html.Part> sections() {
    Map<String, Html.Part> sections = new LinkedHashMap<>();
    boolean plans = spec.task() instanceof Plan;
    FindingsSection findings = new FindingsSection(report, examples, values);
    CoverageSection coverage = new CoverageSection(spec, report, values);
    if (task != null) {
      sections.put("made", html -> new TaskSection(task, values).into(html));
    }
    sections.put("findings", findings::into);
    if (!plans) {
      sections.put("causes", findings::causes);
      sections.put("decisions", html -> new SourcesSection(report, values).into(html));
      sections.put("lateness", html -> new LatenessSection(spec, report, values).into(html));
    }
    if (task == null) {
      sections.put("outbox", html -> new OutboxSection(spec, report, examples, values).into(html));
      sections.put("replays", html -> new ReplaysSection(spec, report, values).into(html));
    }
    sections.put("books", html -> new BooksSection(report, values).into(html));
    sections.put("coverage", coverage::into);
    sections.put("inputs", html -> new InputsSection(report, files, values).into(html));
    sections.put("method", html -> new MethodSection(spec, report, values).into(html));
    return sections;
  }

  private Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put("made", TaskSection.title(task));
    titles.put("findings", "Findings");
    titles.put("causes", "What many findings share");
    titles.put("decisions", "Decisions");
    titles.put("lateness", "Lateness");
    titles.put("outbox", "Outbox and deliveries");
    titles.put("replays", "Replays");
    titles.put("books", "Books");
    titles.put("coverage", "Coverage and blind spots");
    titles.put("inputs", "Inputs");
    titles.put("method", "How this was computed");
    return titles;
  }

  private void verdict(Html html) {
    html.open("p", "class", "kicker").text("Constat ").text(spec.task().command()).close();
    html.open("h1");
    values.brief(html, report.name());
    html.close().line();
    html.open("p", "class", "verdict " + style(report.verdict()), "id", "page-verdict");
    html.element("strong", report.verdict().name()).text(" ");
    html.text(sentence()).close().line();
    if (!report.reasons().isEmpty()) {
      html.open("ul", "class", "reasons");
      for (String reason : report.reasons()) {
        html.open("li");
        values.sentence(html, reason);
        html.close();
      }
      html.close().line();
    }
  }

  private static String style(Verdict verdict) {
    return switch (verdict) {
      case MATCH -> "ok";
      case DISCREPANCIES -> "error";
      case INCONCLUSIVE -> "warning";
    };
  }

  /** Verdict and scope in one sentence. */
  private String sentence() {
    List<String> counts = new ArrayList<>();
    for (Level level : Level.values()) {
      long findings =
          report.findings().stream()
              .filter(count -> count.level() == level)
              .mapToLong(RunReport.KindCount::findings)
              .sum();
      if (findings > 0) {
        counts.add(
            switch (level) {
              case ERROR -> Units.count(findings, "error", "errors");
              case WARNING -> Units.count(findings, "warning", "warnings");
              case INFO -> Units.count(findings) + " for information";
            });
      }
    }
    long acknowledged =
        report.findings().stream().mapToLong(RunReport.KindCount::acknowledged).sum();
    return (counts.isEmpty() ? "Nothing was found" : list(counts))
        + (acknowledged == 0 ? "" : " (" + Units.count(acknowledged) + " acknowledged)")
        + " in "
        + scope(report)
        + (spec.from() == null ? "" : ", judged from " + Units.sentence(spec.from()))
        + (spec.to() == null ? "" : ", judged up to " + Units.sentence(spec.to()))
        + (report.asOf() == null ? "" : ", as of " + Units.sentence(report.asOf()))
        + (report.verdict() == Verdict.INCONCLUSIVE ? "; the evidence is incomplete:" : ".");
  }

  /** What was read, as a phrase. */
  static String scope(RunReport report) {
    List<String> inputs = new ArrayList<>();
    for (RunReport.InputFacts input : report.inputs()) {
      inputs.add(
          switch (input.input()) {
            case "events" -> Units.count(input.rows(), "reception", "receptions");
            case "outbox" -> Units.count(input.rows(), "outbox row", "outbox rows");
            case "acknowledgements" ->
                Units.count(input.rows(), "acknowledgement", "acknowledgements");
            case "decisions" ->
                Units.count(input.rows(), "recorded decision", "recorded decisions");
            case "projections" -> Units.count(input.rows(), "recorded cell", "recorded cells");
            case "replays" -> Units.count(input.rows(), "registered replay", "registered replays");
            default -> Units.count(input.rows()) + " of " + input.input();
          });
    }
    return list(inputs);
  }

  /** Several things as a phrase: {@code a, b and c}. */
  static String list(List<String> things) {
    int last = things.size() - 1;
    return last <= 0
        ? String.join("", things)
        : String.join(", ", things.subList(0, last)) + " and " + things.get(last);
  }
}
