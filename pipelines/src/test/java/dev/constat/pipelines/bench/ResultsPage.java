package dev.constat.pipelines.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The page that holds the latest results ({@code RESULTS.md}). Each mode writes what stands between
 * its own two marks; all else is left as it is, so that people can write around it. A page that is
 * not there begins as {@code bench/RESULTS.md} of the class path.
 */
final class ResultsPage {

  private static final String TEMPLATE = "/bench/RESULTS.md";

  private ResultsPage() {}

  /**
   * Writes a mode's part.
   *
   * @throws IllegalArgumentException if the page lacks the marks
   */
  static void write(Path page, String mode, String text) throws IOException {
    String old = Files.exists(page) ? Files.readString(page) : template();
    if (page.toAbsolutePath().getParent() != null) {
      Files.createDirectories(page.toAbsolutePath().getParent());
    }
    Files.writeString(page, replaced(old, mode, text));
  }

  /** A page with another part in the place of a mode's. */
  static String replaced(String page, String mode, String text) {
    String begin = "<!-- bench:" + mode + " -->";
    String end = "<!-- /bench:" + mode + " -->";
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "The page of results has no place for `%s`: put %s and %s where it shall stand"
              .formatted(mode, begin, end));
    }
    return page.substring(0, from + begin.length())
        + "\n\n"
        + text.strip()
        + "\n\n"
        + page.substring(to);
  }

  /** A mode's part: machine, table, and what was found equal. */
  static String part(Results results, String table) {
    Machine machine = results.machine();
    StringBuilder text = new StringBuilder();
    text.append(
        "Measured on %s: %s, %s cores, %s GB of memory, %s, Java %s, DuckDB %s. Heap %s, %s.\n\n"
            .formatted(
                machine.day(),
                machine.processor(),
                machine.cores(),
                String.format(Locale.ROOT, "%.1f", machine.memoryBytes() / 1e9),
                machine.kernel(),
                machine.java(),
                machine.duckdb(),
                results.heap(),
                results.rounds() == 1
                    ? "one run each"
                    : "medians of %s runs".formatted(results.rounds())));
    text.append(table);
    boolean first = true;
    for (Results.Size size : results.sizes()) {
      for (String line : size.compared()) {
        text.append(first ? "\nEqual to Constat's tables, row by row:\n\n" : "");
        text.append("- %s receptions, %s\n".formatted(ResultTable.count(size.receptions()), line));
        first = false;
      }
    }
    return text.toString();
  }

  private static String template() throws IOException {
    try (InputStream template = ResultsPage.class.getResourceAsStream(TEMPLATE)) {
      return new String(template.readAllBytes(), UTF_8);
    }
  }
}
