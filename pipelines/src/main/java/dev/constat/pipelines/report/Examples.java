package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.pipelines.output.Evidence;
import dev.constat.pipelines.output.Places;
import dev.constat.pipelines.report.Html.Fragment;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.reconcile.InputFindings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps what the page shows of findings while they pass: the first of each kind and level, written
 * out, and since when there are any. Takes a bounded amount of memory, however many pass and
 * however long they are.
 */
public final class Examples {

  /** How many bytes the examples of one kind and level may take, the first excepted. */
  private static final int BYTES_PER_KIND = 64 << 10;

  /** How many bytes all examples may take, the first of each kind excepted. */
  private static final int BYTES = 1_000_000;

  /** How many members each side shows. */
  private static final int MEMBERS = 24;

  /** From how many bytes on an example shows fewer members and less of long values. */
  private static final int COMPACT = 12_000;

  private static final int FEW_MEMBERS = 8;
  private static final int PLACES = 10;
  private static final int HINTS = 10;
  private static final int LONG_VALUES = 4_000;

  /** What holds content that could not be read; a page shows no payload. */
  private static final ImmutableList<String> CONTENT = ImmutableList.of("raw_base64", "value");

  /** A kind and a level. */
  private record Group(Level level, Kind kind) {}

  /** What is kept of the findings of one kind and level. */
  static final class OfKind {

    private final List<Fragment> examples = new ArrayList<>();
    private int bytes;
    private boolean full;
    private Instant first;
    private Instant last;

    /** When the first of them began, or null. */
    Instant first() {
      return first;
    }

    /** When the last of them ended, or null. */
    Instant last() {
      return last;
    }

    private void span(Finding finding) {
      Instant from = finding.firstAt();
      Instant to = finding.lastAt();
      first = first == null || from != null && from.isBefore(first) ? from : first;
      last = last == null || to != null && to.isAfter(last) ? to : last;
    }
  }

  private final int perKind;
  private final Places places;
  private final Map<Group, OfKind> kinds = new LinkedHashMap<>();

  /**
   * Keeps examples.
   *
   * @param perKind how many of each kind and level at most
   * @param places names what evidence points to
   */
  public Examples(int perKind, Places places) {
    this.perKind = perKind;
    this.places = places;
  }

  /** Takes the next finding in; they come in the order of {@code findings.jsonl}. */
  public void add(Finding finding) {
    OfKind kind =
        kinds.computeIfAbsent(new Group(finding.level(), finding.kind()), group -> new OfKind());
    kind.span(finding);
    if (kind.full || kind.examples.size() >= perKind) {
      return;
    }
    boolean shownOpen = finding.level() == Level.ERROR && kind.examples.isEmpty();
    Fragment example = Html.fragment(html -> write(finding, shownOpen, MEMBERS, LONG_VALUES, html));
    if (example.bytes() > COMPACT) {
      example = Html.fragment(html -> write(finding, shownOpen, FEW_MEMBERS, 0, html));
    }
    if (kind.bytes + example.bytes() > BYTES_PER_KIND && !kind.examples.isEmpty()) {
      kind.full = true;
      return;
    }
    kind.bytes += example.bytes();
    kind.examples.add(example);
  }

  /** What is kept of the findings of a kind and level, or null where there was none. */
  OfKind of(Level level, Kind kind) {
    return kinds.get(new Group(level, kind));
  }

  /**
   * The examples that a page has room for, by kind and level: the first of each, then the second of
   * each, and so on, for as long as there is room.
   */
  ImmutableMap<OfKind, ImmutableList<Fragment>> chosen() {
    Map<OfKind, Integer> counts = new LinkedHashMap<>();
    kinds.values().forEach(kind -> counts.put(kind, 0));
    int left = BYTES;
    boolean more = true;
    for (int rank = 0; more; rank++) {
      more = false;
      for (OfKind kind : kinds.values()) {
        if (counts.get(kind) == rank && rank < kind.examples.size()) {
          int bytes = kind.examples.get(rank).bytes();
          if (rank == 0 || bytes <= left) {
            left -= bytes;
            counts.put(kind, rank + 1);
            more = true;
          }
        }
      }
    }
    ImmutableMap.Builder<OfKind, ImmutableList<Fragment>> chosen = ImmutableMap.builder();
    counts.forEach(
        (kind, count) -> chosen.put(kind, ImmutableList.copyOf(kind.examples.subList(0, count))));
    return chosen.buildOrThrow();
  }

  private void write(Finding finding, boolean shownOpen, int members, int longValues, Html html) {
    Values values = new Values(longValues);
    Map<String, JsonValue> subject = members(finding.subject());
    html.open("details", "class", "example", "open", shownOpen ? "open" : null).open("summary");
    boolean next = false;
    for (Map.Entry<String, JsonValue> member : first(subject, 4)) {
      html.text(next ? " · " : "")
          .element("span", Values.beginning(member.getKey(), 64), "class", "name")
          .text(" ");
      values.brief(html, member.getValue().asText());
      next = true;
    }
    html.text(" ").open("span", "class", "reason");
    values.sentence(html, InputFindings.withoutContent(finding));
    html.close().close().line();
    sides(finding, members, values, html);
    html.open("dl", "class", "facts");
    for (Map.Entry<String, JsonValue> member : first(subject, members)) {
      if (length(member.getValue()) > 96) {
        html.fact(
            Values.beginning(member.getKey(), 64),
            part -> values.value(part, member.getValue().asText()));
      }
    }
    if (finding.firstAt() != null) {
      html.fact(
          finding.firstAt().equals(finding.lastAt()) ? "at" : "from", part -> span(finding, part));
    }
    if (finding.occurrences() != 1) {
      html.fact("occurrences", part -> part.text(Units.count(finding.occurrences())));
    }
    if (!finding.hints().isEmpty()) {
      html.fact("hints", part -> hints(finding, values, part));
    }
    if (!finding.evidence().isEmpty()) {
      html.fact("evidence", part -> evidence(finding, values, part));
    }
    html.fact("rule", part -> values.value(part, finding.rule()));
    html.fact("fingerprint", part -> part.element("code", finding.fingerprint()));
    html.close().close().line();
  }

  private static void span(Finding finding, Html html) {
    html.element("time", finding.firstAt().toString(), "datetime", finding.firstAt().toString());
    if (finding.lastAt() != null && !finding.lastAt().equals(finding.firstAt())) {
      html.text(" to ")
          .element("time", finding.lastAt().toString(), "datetime", finding.lastAt().toString());
    }
  }

  private static void hints(Finding finding, Values values, Html html) {
    html.open("ul");
    finding.hints().stream()
        .limit(HINTS)
        .forEach(
            hint -> {
              html.open("li");
              values.value(html, hint);
              html.close();
            });
    more(html, finding.hints().size() - HINTS);
    html.close();
  }

  private void evidence(Finding finding, Values values, Html html) {
    html.open("ul");
    finding.evidence().stream()
        .limit(PLACES)
        .forEach(
            place -> {
              html.open("li");
              place(place, values, html);
              html.close();
            });
    more(html, finding.evidence().size() - PLACES);
    html.close();
  }

  private static void more(Html html, int leftOut) {
    if (leftOut > 0) {
      html.element("li", "and " + Units.count(leftOut) + " more", "class", "quiet");
    }
  }

  private void place(Place place, Values values, Html html) {
    Evidence evidence = places.of(place);
    if (evidence instanceof Evidence.Row row) {
      values.value(html, row.file());
      html.text(", row " + row.row() + " (row group " + row.rowGroup() + ")");
    } else if (evidence instanceof Evidence.Line line) {
      values.value(html, line.file());
      html.text(", line " + line.line() + " (byte " + line.byteOffset() + ")");
    } else if (evidence instanceof Evidence.File file) {
      values.value(html, file.file());
    } else if (evidence instanceof Evidence.TableRow row) {
      values.value(html, row.table());
      html.text(", ");
      values.value(html, row.key());
    }
  }

  private static void sides(Finding finding, int members, Values values, Html html) {
    Map<String, JsonValue> expected = members(finding.expected());
    Map<String, JsonValue> actual = members(finding.actual());
    if (finding.kind() == Kind.INPUT_ERROR) {
      actual.keySet().removeAll(CONTENT);
    }
    Map<String, Boolean> names = new LinkedHashMap<>();
    expected.keySet().stream().filter(actual::containsKey).forEach(name -> names.put(name, true));
    expected.keySet().forEach(name -> names.putIfAbsent(name, false));
    actual.keySet().forEach(name -> names.putIfAbsent(name, false));
    if (names.isEmpty()) {
      return;
    }
    html.open("table", "class", "sides").open("thead").open("tr");
    html.element("td", "");
    html.element("th", "by the rules", "scope", "col");
    html.element("th", "in the history", "scope", "col");
    html.close().close().line().open("tbody").line();
    names.entrySet().stream()
        .limit(members)
        .forEach(
            name -> {
              html.open("tr").open("th", "scope", "row");
              values.brief(html, name.getKey());
              html.close();
              if (name.getValue()) {
                both(text(expected, name.getKey()), text(actual, name.getKey()), values, html);
              } else {
                one(expected, name.getKey(), values, html);
                one(actual, name.getKey(), values, html);
              }
              html.close().line();
            });
    html.close().close().line();
    if (names.size() > members) {
      html.element(
          "p",
          "and " + Units.count(names.size() - members) + " more; findings.jsonl has all",
          "class",
          "quiet");
    }
  }

  private static void both(String expected, String actual, Values values, Html html) {
    if (expected.equals(actual)) {
      for (String same : List.of(expected, actual)) {
        html.open("td");
        values.side(html, same);
        html.close();
      }
      return;
    }
    Difference difference = Difference.of(expected, actual);
    for (String part : List.of(difference.left(), difference.right())) {
      html.open("td");
      values.marked(html, difference.prefix(), part, difference.suffix());
      html.close();
    }
  }

  private static void one(Map<String, JsonValue> side, String name, Values values, Html html) {
    html.open("td");
    if (side.containsKey(name)) {
      values.side(html, text(side, name));
    }
    html.close();
  }

  private static String text(Map<String, JsonValue> side, String name) {
    String text = side.get(name).asText();
    return text == null ? "null" : text;
  }

  private static int length(JsonValue value) {
    String text = value.asText();
    return text == null ? 0 : text.length();
  }

  private static List<Map.Entry<String, JsonValue>> first(
      Map<String, JsonValue> members, int most) {
    return members.entrySet().stream().limit(most).toList();
  }

  private static Map<String, JsonValue> members(String json) {
    return StrictJson.parseOwn(json) instanceof JsonValue.Members all
        ? new LinkedHashMap<>(all.byName())
        : new LinkedHashMap<>();
  }
}
