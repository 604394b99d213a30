package dev.constat.pipelines.bench;

import dev.constat.pipelines.bench.Results.Entry;
import dev.constat.pipelines.bench.Results.Size;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A table of results, as Markdown whose columns stand below each other on a terminal too. */
final class ResultTable {

  private final List<List<String>> rows = new ArrayList<>();

  private ResultTable(String... header) {
    rows.add(List.of(header));
  }

  /** Every way over every archive, and how it stands to the first of its archive. */
  static String ofComparison(Results results) {
    ResultTable table =
        new ResultTable(
            "receptions",
            "records",
            "way",
            "wall s",
            "CPU s",
            "peak MB",
            "records/s per core",
            "wall of Constat's",
            "CPU of Constat's");
    for (Size size : results.sizes()) {
      Entry first = size.entries().get(0);
      for (Entry entry : size.entries()) {
        if (entry.failure() != null) {
          table.row(size, entry.title(), entry.failure(), "", "", "", "", "");
          continue;
        }
        Measurement median = entry.median();
        boolean measured = first.failure() == null;
        table.row(
            size,
            entry.title(),
            seconds(median.wallMillis()),
            seconds(median.cpuMillis()),
            megabytes(median.peakBytes()),
            count(perCore(size, entry)),
            measured ? ratio(median.wallMillis(), first.median().wallMillis()) : "",
            measured ? ratio(median.cpuMillis(), first.median().cpuMillis()) : "");
      }
    }
    return table.toString();
  }

  /** Time against records and parallelism. */
  static String ofGrowth(Results results) {
    ResultTable table =
        new ResultTable(
            "receptions",
            "records",
            "parallelism",
            "wall s",
            "CPU s",
            "peak MB",
            "records/s",
            "CPU s per million records");
    for (Size size : results.sizes()) {
      for (Entry entry : size.entries()) {
        Measurement median = entry.median();
        table.row(
            size,
            Integer.toString(entry.parallelism()),
            seconds(median.wallMillis()),
            seconds(median.cpuMillis()),
            megabytes(median.peakBytes()),
            count(size.records() * 1000 / Math.max(1, median.wallMillis())),
            tenths(median.cpuMillis() * 10_000 / Math.max(1, size.records())));
      }
    }
    return table.toString();
  }

  /** The heaps that were tried. */
  static String ofMemory(Results results) {
    ResultTable table =
        new ResultTable("receptions", "records", "-Xmx", "result", "wall s", "CPU s", "peak MB");
    for (Size size : results.sizes()) {
      for (Entry entry : size.entries()) {
        if (entry.failure() != null) {
          table.row(size, entry.title(), entry.failure(), "", "", "");
          continue;
        }
        Measurement median = entry.median();
        table.row(
            size,
            entry.title(),
            "passes",
            seconds(median.wallMillis()),
            seconds(median.cpuMillis()),
            megabytes(median.peakBytes()));
      }
    }
    return table.toString();
  }

  /** Records that a core gets through in a second. */
  static long perCore(Size size, Entry entry) {
    return size.records()
        * 1000
        / Math.max(1, entry.median().wallMillis())
        / Math.max(1, entry.parallelism());
  }

  private void row(Size size, String... values) {
    List<String> row = new ArrayList<>(List.of(count(size.receptions()), count(size.records())));
    Collections.addAll(row, values);
    rows.add(row);
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String seconds(long millis) {
    return tenths((millis + 50) / 100);
  }

  private static String tenths(long tenths) {
    return tenths / 10 + "." + tenths % 10;
  }

  private static String megabytes(long bytes) {
    return count((bytes + 500_000) / 1_000_000);
  }

  private static String ratio(long value, long of) {
    return String.format(Locale.ROOT, "%.2f", (double) value / Math.max(1, of));
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      for (int i = 0; i < columns; i++) {
        String value = rows.get(r).get(i);
        String space = " ".repeat(widths[i] - value.length());
        text.append("| ").append(isNumber(i) ? space + value : value + space).append(' ');
      }
      text.append("|\n");
      if (r == 0) {
        for (int i = 0; i < columns; i++) {
          text.append(isNumber(i) ? "|-" : "|:").append("-".repeat(widths[i]));
          text.append(isNumber(i) ? ":" : "-");
        }
        text.append("|\n");
      }
    }
    return text.toString();
  }

  /** Whether a column holds numbers in every row that has something there. */
  private boolean isNumber(int column) {
    return rows.stream()
        .skip(1)
        .map(row -> row.get(column))
        .allMatch(value -> value.isEmpty() || Character.isDigit(value.charAt(0)));
  }
}
