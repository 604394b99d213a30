package dev.constat.pipelines.testdata;

import dev.constat.pipelines.testdata.Shop.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an audit of a generated archive has to say, known from what was put into it. */
final class Planted {

  private record Finding(String subject, String hint, long occurrences, String story) {}

  private final TreeMap<String, TreeMap<String, Finding>> findings = new TreeMap<>();
  private final TreeMap<String, Long> decisions = new TreeMap<>();
  private final TreeMap<String, Long> timeliness = new TreeMap<>();
  private final TreeMap<String, Long> silent = new TreeMap<>();

  /**
   * A finding that has to be there.
   *
   * @param subject names and values in turn; a value is a text, a list of texts or null
   */
  void finding(String kind, String story, long occurrences, Object... subject) {
    hinted(null, kind, story, occurrences, subject);
  }

  /**
   * A finding that has to be there and to say why.
   *
   * @param hint one of its hints, or null
   * @param subject names and values in turn; a value is a text, a list of texts or null
   */
  void hinted(String hint, String kind, String story, long occurrences, Object... subject) {
    TreeMap<String, Object> members = new TreeMap<>();
    for (int i = 0; i < subject.length; i += 2) {
      members.put((String) subject[i], subject[i + 1] == null ? Json.NULL : subject[i + 1]);
    }
    String text = Json.of(members);
    Finding before =
        findings
            .computeIfAbsent(kind, key -> new TreeMap<>())
            .put(text, new Finding(text, hint, occurrences, story));
    if (before != null) {
      throw new IllegalStateException(kind + " was planted twice on " + text);
    }
  }

  /**
   * An effect of an event that a consumer got again under its usual key.
   *
   * @param how the crash window, or that a replay did it
   */
  void redelivery(String how, String story, long times, Event event, String consumer) {
    hinted(
        how,
        "REDELIVERY",
        story,
        times,
        "source",
        event.source,
        "source_event_id",
        event.id,
        "effect_type",
        event.effectType(),
        "consumer",
        consumer,
        "effect_key",
        event.id + ":" + event.effectType());
  }

  void decision(String decision) {
    decisions.merge(decision, 1L, Long::sum);
  }

  /** How an accepted reception stands to the clock. */
  void timeliness(String timely) {
    timeliness.merge(timely, 1L, Long::sum);
  }

  /** A subject of a check that is too young or too old to be spoken of. */
  void silent(String kind, String why) {
    silent.merge(why + " " + kind, 1L, Long::sum);
  }

  /** All of it as one JSON document, one finding per line. */
  String text() {
    StringBuilder out = new StringBuilder("{\n");
    out.append("  \"verdict\": \"DISCREPANCIES\",\n  \"exit_code\": 1,\n");
    out.append("  \"decisions\": ").append(Json.of(decisions)).append(",\n");
    out.append("  \"timeliness\": ").append(Json.of(timeliness)).append(",\n");
    out.append("  \"silent\": ").append(Json.of(silent)).append(",\n");
    out.append("  \"findings\": {\n");
    List<String> kinds = new ArrayList<>();
    findings.forEach((kind, ofKind) -> kinds.add(ofKind(kind, ofKind)));
    return out.append(String.join(",\n", kinds)).append("\n  }\n}\n").toString();
  }

  private static String ofKind(String kind, TreeMap<String, Finding> ofKind) {
    List<String> lines = new ArrayList<>();
    for (Finding finding : ofKind.values()) {
      Map<String, Object> rest = new LinkedHashMap<>();
      rest.put("hint", finding.hint());
      rest.put("occurrences", finding.occurrences());
      rest.put("story", finding.story());
      lines.add("      {\"subject\":" + finding.subject() + "," + Json.of(rest).substring(1));
    }
    return "    \"%s\": {\"findings\": %s, \"of\": [\n%s\n    ]}"
        .formatted(kind, ofKind.size(), String.join(",\n", lines));
  }
}
