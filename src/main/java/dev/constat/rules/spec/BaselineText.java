package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.Baseline.Entry;

/** Writes into the text of a baseline without touching what stands there. */
public final class BaselineText {

  private static final String BEGINNING = "baseline: 1\nentries:\n";

  /** How far a list may be indented, the usual way first. */
  private static final ImmutableList<String> INDENTS = ImmutableList.of("  ", "", "    ");

  private BaselineText() {}

  /**
   * The text of a baseline that acknowledges one more finding.
   *
   * @param text the file as it is, or null where there is none yet
   * @param file how messages name the file
   * @param fingerprint of the finding
   * @param owner who answers for it
   * @param reason why it is known
   * @param until when the entry expires, in ISO 8601
   * @throws SpecException if the file or a value is not sound, the finding is acknowledged already,
   *     or an entry cannot be put behind the last one
   */
  public static String acknowledging(
      String text, String file, String fingerprint, String owner, String reason, String until) {
    String line = line(fingerprint, owner, reason, until);
    Entry entry = BaselineParser.parse(BEGINNING + line, "the entry").entries().get(0);
    String before = text == null ? BEGINNING : text;
    ImmutableList<Entry> known =
        text == null ? ImmutableList.of() : BaselineParser.parse(text, file).entries();
    for (Entry other : known) {
      if (fingerprint.equals(other.fingerprint())) {
        throw refusal(
            file,
            "%s acknowledges %s already, for %s until %s"
                .formatted(file, fingerprint, other.owner(), other.until()),
            "change that entry");
      }
    }
    ImmutableList<Entry> wanted = ImmutableList.<Entry>builder().addAll(known).add(entry).build();
    for (String indent : INDENTS) {
      String after = before + (before.endsWith("\n") ? "" : "\n") + indent + line.strip() + "\n";
      if (reads(after, wanted)) {
        return after;
      }
    }
    throw refusal(
        file,
        file + " does not end with its list of entries, one per line",
        "add this one by hand: " + line.strip());
  }

  private static String line(String fingerprint, String owner, String reason, String until) {
    return "  - {fingerprint: %s, owner: %s, reason: %s, until: %s}\n"
        .formatted(
            FlowYaml.text(fingerprint),
            FlowYaml.text(owner),
            FlowYaml.text(reason),
            FlowYaml.text(until));
  }

  private static boolean reads(String text, ImmutableList<Entry> wanted) {
    try {
      return BaselineParser.parse(text, "").entries().equals(wanted);
    } catch (SpecException e) {
      return false; // that is what is asked
    }
  }

  private static SpecException refusal(String file, String problem, String remedy) {
    Reading reading = new Reading(file);
    reading.problem(1, 1, KeyPath.BASELINE, null, problem, remedy);
    return reading.failure();
  }
}
