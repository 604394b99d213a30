package dev.constat.pipelines.report;

import com.google.common.math.LongMath;
import dev.constat.rules.reconcile.LagBuckets;
import java.time.Duration;
import java.util.List;

/**
 * How long events took from when they happened to when they were received, as bars on a logarithmic
 * scale: a handful of stragglers is seen beside millions.
 */
final class LagChart {

  private static final int LABELS = 112;
  private static final int BARS = 220;
  private static final int ROW = 18;
  private static final int TOP = 4;

  private LagChart() {}

  /**
   * Writes the chart and the same as a table.
   *
   * @param id unique in the page
   * @param source whose events these are
   * @param lags events per bucket of {@link LagBuckets}, and beyond the last
   */
  static void into(Html html, String id, String source, List<Long> lags) {
    int from = 0;
    int to = lags.size() - 1;
    while (from < to && lags.get(from) == 0) {
      from++;
    }
    while (to > from && lags.get(to) == 0) {
      to--;
    }
    long most = lags.stream().mapToLong(Long::longValue).max().orElse(0);
    long all = lags.stream().mapToLong(Long::longValue).sum();
    int decades = 1;
    for (long power = 10; power < most && decades < 18; power *= 10) {
      decades++;
    }
    int height = TOP + (to - from + 1) * ROW + 24;
    String title = id + "-title";
    String text = id + "-text";
    html.open("figure");
    html.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 400 " + height,
        "role",
        "img",
        "aria-labelledby",
        title + " " + text);
    html.element("title", "Delay of the events of " + Values.beginning(source, 64), "id", title);
    html.element(
        "desc",
        Units.count(all, "event", "events")
            + ", most of them "
            + label(lags.indexOf(most))
            + "; the longest delay is "
            + label(to),
        "id",
        text);
    for (int decade = 0; decade <= decades; decade++) {
      String x = Integer.toString(LABELS + BARS * decade / decades);
      html.leaf(
          "line",
          "class",
          "grid",
          "x1",
          x,
          "x2",
          x,
          "y1",
          Integer.toString(TOP),
          "y2",
          Integer.toString(height - 20));
      if (decade % ((decades + 5) / 6) == 0) {
        html.element(
            "text",
            power(decade),
            "class",
            "tick",
            "x",
            x,
            "y",
            Integer.toString(height - 6),
            "text-anchor",
            "middle");
      }
    }
    for (int bucket = from; bucket <= to; bucket++) {
      bar(html, bucket, lags.get(bucket), TOP + (bucket - from) * ROW, decades);
    }
    html.close().line();
    html.open("figcaption")
        .text("received_at − occurred_at of accepted events; the scale of counts is logarithmic")
        .close();
    html.open("details").element("summary", "The same as a table");
    Table table =
        Table.of("Delays of " + Values.beginning(source, 64))
            .column("delay")
            .number("events")
            .number("share");
    for (int bucket = from; bucket <= to; bucket++) {
      long count = lags.get(bucket);
      table.row(
          Table.words(label(bucket)), Table.count(count), Table.words(Units.share(count, all)));
    }
    table.into(html, "summary.json has all");
    html.close().close().line();
  }

  private static void bar(Html html, int bucket, long count, int y, int decades) {
    String baseline = Integer.toString(y + 13);
    html.element(
        "text",
        label(bucket),
        "class",
        "label",
        "x",
        Integer.toString(LABELS - 6),
        "y",
        baseline,
        "text-anchor",
        "end");
    // A single one is a bar too: counts begin at a tenth of the first decade.
    int width =
        count == 0
            ? 0
            : (int) Math.round(4 + (BARS - 4) * StrictMath.log10((double) count) / decades);
    if (width > 0) {
      html.leaf(
          "rect",
          "class",
          bucket == 0 ? "bar ahead" : "bar",
          "x",
          Integer.toString(LABELS),
          "y",
          Integer.toString(y + 3),
          "width",
          Integer.toString(width),
          "height",
          Integer.toString(ROW - 6));
    }
    html.element(
        "text",
        Units.count(count),
        "class",
        "label",
        "x",
        Integer.toString(LABELS + width + 5),
        "y",
        baseline);
  }

  /** A power of ten: {@code 1}, {@code 1,000}, {@code 10M}. */
  private static String power(int decade) {
    String[] units = {"", "k", "M", "G", "T", "P", "E"};
    String digits = "1" + "0".repeat(decade % 3);
    return decade <= 3 ? Units.count(LongMath.pow(10, decade)) : digits + units[decade / 3];
  }

  /** Which delays a bucket holds, in words. */
  static String label(int bucket) {
    if (bucket == 0) {
      return "none, or ahead";
    }
    int last = LagBuckets.BOUNDS.length() - 1;
    return bucket > last
        ? "over " + Units.duration(Duration.ofSeconds(LagBuckets.BOUNDS.get(last)))
        : "up to " + Units.duration(Duration.ofSeconds(LagBuckets.BOUNDS.get(bucket)));
  }
}
