package dev.constat.transforms.stages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.CharMatcher;
import com.google.common.io.Resources;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A case as its file tells it: a title in the first line, then sections that begin with {@code ==}
 * and their name. Blank lines and lines that begin with {@code #} say nothing.
 *
 * <p>{@code rows} are JSON lines; what they leave out takes the values that the cases share: see
 * {@link ArchiveRecord#ofLine}. {@code spec} replaces whole top-level keys of the run spec that the
 * cases share. The other sections say what is to come of it.
 *
 * <p>An input of which a case shows no row is configured and holds a record of an unrelated, clean
 * event; recorded decisions, recorded cells and the registry of replays are inputs only where a
 * case shows some. The unrelated event has no key of any projection.
 */
final class CaseFile {

  /** The source of the unrelated event. */
  static final String UNRELATED = "unrelated";

  private static final String CUT = "cut: 2026-01-05T12:00:00Z";

  private static final List<String> UNRELATED_ROWS =
      List.of(
          """
          {"k":"ev","source":"unrelated","source_event_id":"u","partition":null,"occurred_at":"2026-01-05T08:00:00Z","ingestion_id":"u"}\
          """,
          """
          {"k":"ob","id":"u","event":"unrelated/u","effect_type":"notify","status":"DISPATCHED","created_at":"2026-01-05T08:00:01Z"}\
          """,
          """
          {"k":"ack","outbox":"u","consumer":"c1","acked_at":"2026-01-05T08:00:02Z","effect_key":"unrelated/u/notify"}\
          """);

  private final String title;
  private final Map<String, List<String>> sections;

  private CaseFile(String title, Map<String, List<String>> sections) {
    this.title = title;
    this.sections = sections;
  }

  /** The case of that name. */
  static CaseFile named(String name) {
    String text;
    try {
      text =
          Resources.toString(
              Resources.getResource(CaseFile.class, "cases/" + name + ".case"), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("Case " + name + " cannot be read", e);
    }
    return parse(text);
  }

  static CaseFile parse(String text) {
    List<String> lines = text.lines().toList();
    Map<String, List<String>> sections = new LinkedHashMap<>();
    List<String> section = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith("== ")) {
        section = new ArrayList<>();
        sections.put(line.substring(3).trim(), section);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        section.add(CharMatcher.whitespace().trimTrailingFrom(line));
      }
    }
    return new CaseFile(lines.get(0), sections);
  }

  /** What the case is about. */
  String title() {
    return title;
  }

  /** Whether the case says something under that name. */
  boolean says(String section) {
    return sections.containsKey(section);
  }

  /** The lines of a section, sorted. */
  List<String> lines(String section) {
    return sections.getOrDefault(section, List.of()).stream().sorted().toList();
  }

  /** Its records, with those of the unrelated event where the case shows none of an input. */
  List<ArchiveRecord> records() {
    List<ArchiveRecord> records =
        new ArrayList<>(ArchiveRecord.ofLines(sections.getOrDefault("rows", List.of())));
    boolean everyInput =
        has(records, Input.EVENTS)
            && has(records, Input.OUTBOX)
            && has(records, Input.ACKNOWLEDGEMENTS);
    if (!everyInput && !says("nothing unrelated")) {
      boolean decided = has(records, Input.DECISIONS);
      records.addAll(ArchiveRecord.ofLines(UNRELATED_ROWS));
      if (decided) {
        records.add(
            ArchiveRecord.ofLine(
                "{\"k\":\"dec\",\"ingestion_id\":\"u\",\"decision\":\"ACCEPTED\"}"));
      }
    }
    return records;
  }

  private static boolean has(List<ArchiveRecord> records, Input input) {
    return records.stream().anyMatch(record -> record.input() == input);
  }

  /** Its run spec. */
  RunSpec spec() {
    Map<String, StringBuilder> keys = new LinkedHashMap<>();
    addKeys(keys, sharedSpec(records()).lines().toList());
    List<String> own = sections.getOrDefault("spec", List.of());
    own.stream()
        .filter(line -> !line.startsWith(" "))
        .forEach(line -> keys.remove(line.substring(0, line.indexOf(':'))));
    addKeys(keys, own);
    return RunSpecParser.parse(String.join("", keys.values()), "constat.yaml", "case");
  }

  private static String sharedSpec(List<ArchiveRecord> records) {
    return """
        constat: 1
        as_of: 2026-01-05T12:00:00Z
        archives:
          events: {files: events, CUT}
          outbox: {files: outbox, CUT}
          acknowledgements: {files: acknowledgements, CUT}
        DECISIONS
        PROJECTIONS
        REPLAYS
        effects:
          - {type: notify, consumers: [c1]}
        """
        .replace("DECISIONS\n", optional(Input.DECISIONS, records))
        .replace("PROJECTIONS\n", optional(Input.PROJECTIONS, records))
        .replace("REPLAYS\n", optional(Input.REPLAYS, records))
        .replace("CUT", CUT);
  }

  private static String optional(Input input, List<ArchiveRecord> records) {
    return has(records, input) ? "  KEY: {files: KEY, CUT}\n".replace("KEY", input.key()) : "";
  }

  private static void addKeys(Map<String, StringBuilder> keys, List<String> lines) {
    String key = null;
    for (String line : lines) {
      if (!line.startsWith(" ")) {
        key = line.substring(0, line.indexOf(':'));
      }
      keys.computeIfAbsent(key, name -> new StringBuilder()).append(line).append('\n');
    }
  }
}
