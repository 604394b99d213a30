package dev.constat.pipelines.output;

import com.google.common.base.Preconditions;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * The samples of one metric in the Prometheus text format, sorted by their labels.
 *
 * <p>A null label value leaves the label out, which is the format's own way to say absent; because
 * it takes an empty value for the same, a text that is empty or begins with a quote is put in
 * quotes.
 */
final class MetricFamily {

  private final String name;
  private final String type;
  private final String help;
  private final TreeMap<String, String> samples = new TreeMap<>();

  private MetricFamily(String name, String type, String help) {
    this.name = name;
    this.type = type;
    this.help = help;
  }

  static MetricFamily gauge(String name, String help) {
    return new MetricFamily(name, "gauge", help);
  }

  static MetricFamily histogram(String name, String help) {
    return new MetricFamily(name, "histogram", help);
  }

  /** Adds a sample; {@code labels} are names and values in turn. */
  MetricFamily add(long value, String... labels) {
    return add(Long.toString(value), labels);
  }

  /** Adds a sample whose value is already in plain decimal notation. */
  MetricFamily add(String value, String... labels) {
    String set = labelSet(labels);
    samples.put(set, name + set + " " + value + "\n");
    return this;
  }

  /** Adds a histogram: counts per bound and one above all; {@code bounds} in plain decimals. */
  MetricFamily addHistogram(long[] counts, String[] bounds, String sum, String... labels) {
    Preconditions.checkArgument(
        counts.length == bounds.length + 1,
        "%s counts for %s bounds of %s",
        counts.length,
        bounds.length,
        name);
    StringBuilder lines = new StringBuilder();
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      total += counts[i];
      String[] withBound = Arrays.copyOf(labels, labels.length + 2);
      withBound[labels.length] = "le";
      withBound[labels.length + 1] = i < bounds.length ? bounds[i] : "+Inf";
      lines.append(name).append("_bucket").append(labelSet(withBound));
      lines.append(' ').append(total).append('\n');
    }
    String set = labelSet(labels);
    lines.append(name).append("_sum").append(set).append(' ').append(sum).append('\n');
    lines.append(name).append("_count").append(set).append(' ').append(total).append('\n');
    samples.put(set, lines.toString());
    return this;
  }

  private static String labelSet(String... labels) {
    StringBuilder set = new StringBuilder();
    for (int i = 0; i < labels.length; i += 2) {
      if (labels[i + 1] != null) {
        set.append(set.length() == 0 ? '{' : ',').append(labels[i]).append("=\"");
        appendValue(labels[i + 1], set);
        set.append('"');
      }
    }
    return set.length() == 0 ? "" : set.append('}').toString();
  }

  private static void appendValue(String value, StringBuilder out) {
    String text = value.isEmpty() || value.startsWith("\"") ? '"' + value + '"' : value;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> out.append("\\\\");
        case '"' -> out.append("\\\"");
        case '\n' -> out.append("\\n");
        default -> {
          if (JsonText.isObeyed(c)) {
            out.append('\\').append(JsonText.escape(c)); // shown as backslash, u, digits
          } else {
            out.append(c);
          }
        }
      }
    }
  }

  /** Appends the family, unless it has no sample. */
  void appendTo(StringBuilder out) {
    if (samples.isEmpty()) {
      return;
    }
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    samples.values().forEach(out::append);
  }
}
