package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.io.BaseEncoding;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.SourceContract;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What is to be said of the inputs themselves: of what could not be read, and of how it reads. */
public final class InputFindings {

  private static final String RULE = "reading/1";
  private static final int SHOWN_COLUMNS = 100;

  // A value of one letter is no part of the words around it.
  private static final String NO_WORD_BEFORE = "(?<![\\p{L}\\p{N}])";
  private static final String NO_WORD_BEHIND = "(?![\\p{L}\\p{N}])";

  private final Files files;

  /** Names files and records as evidence does. */
  public interface Files {

    /** The name of a file, relative to the run spec. */
    String name(Input input, int file);

    /** Where a record stands in its file, in words that fit a subject: "line 12", "row 7". */
    String place(Place place);
  }

  /** Findings that name files so. */
  public InputFindings(Files files) {
    this.files = files;
  }

  /**
   * A record or file that cannot be read. Its subject names the place by rank until {@link #named}
   * replaces it: how many lines came before is only known when every part was read.
   */
  public static Finding unreadable(Input input, Unreadable unreadable) {
    JsonObject actual =
        new JsonObject()
            .put("column", unreadable.column())
            .put("value", unreadable.value())
            .put("bytes", unreadable.length());
    if (unreadable.raw().length > 0) {
      byte[] raw = unreadable.raw();
      actual.put(
          "raw_base64",
          BaseEncoding.base64().encode(raw, 0, Math.min(raw.length, Unreadable.RAW_LIMIT)));
    }
    BaseEncoding hex = BaseEncoding.base16().lowerCase();
    return Statement.of(
            Kind.INPUT_ERROR,
            new JsonObject()
                .put("input", input.key())
                .put("place", hex.encode(unreadable.place().toBytes()))
                .put("record", unreadable.record()))
        .because(sentence(unreadable))
        .sides(new JsonObject().put("remedy", unreadable.remedy()), actual)
        .under(RULE)
        .seenAt(unreadable.place())
        .finding();
  }

  /** What is wrong may quote what was read, so all of it counts as a value. */
  private static Sentence sentence(Unreadable unreadable) {
    String problem = unreadable.problem();
    Sentence sentence =
        Sentence.of(unreadable.record() ? "A record cannot be read: " : "The file cannot be read: ")
            .value("problem", problem);
    return unreadable.value() == null || problem.contains(unreadable.value())
        ? sentence
        : sentence.and(" (").value("value", unreadable.value()).and(")");
  }

  /**
   * The reason of a finding as logs and pages may show it: where content that could not be read is
   * quoted, there stands {@code …} in its place.
   */
  public static String withoutContent(Finding finding) {
    if (finding.kind() != Kind.INPUT_ERROR
        || !(StrictJson.parseOwn(finding.actual()).at("/value") instanceof JsonValue.Text value)
        || value.value().isBlank()) {
      return finding.reason();
    }
    String content = value.value();
    String before = Character.isLetterOrDigit(content.codePointAt(0)) ? NO_WORD_BEFORE : "";
    String behind =
        Character.isLetterOrDigit(content.codePointBefore(content.length())) ? NO_WORD_BEHIND : "";
    return Pattern.compile(before + Pattern.quote(content) + behind)
        .matcher(finding.reason())
        .replaceAll("…");
  }

  /** An INPUT_ERROR under the subject that people read: input, file, place. */
  public Finding named(Finding error) {
    Place place = error.evidence().get(0);
    Input input = Input.values()[place.input()];
    JsonObject subject =
        new JsonObject().put("input", input.key()).put("file", files.name(input, place.file()));
    if (error.subject().contains("\"record\":true")) {
      subject.put("place", files.place(place));
    } else {
      subject.put("place", "file");
    }
    return error.withSubject(subject.toString());
  }

  /** Counts a time without a zone. */
  public static void countUnzoned(Tally tally, Input input, String column, Place place) {
    String file = Integer.toString(place.file());
    tally.add(1, ReadTally.UNZONED, input.key(), file, column);
    tally.min(place.toBytes(), ReadTally.UNZONED_FIRST, input.key(), file, column);
  }

  /** UNZONED_TIMESTAMP, INPUT_NOTE and NO_INPUT: what the tally of a run says of its inputs. */
  public List<Finding> of(RunFacts facts, Tally tally) {
    List<Finding> findings = new ArrayList<>();
    for (Input input : facts.spec().archives().keySet()) {
      unzoned(input, tally, findings);
      notes(input, tally, findings);
      unknownColumns(input, tally, findings);
      missingColumns(input, facts, tally, findings);
      if (input == Input.REPLAYS) {
        overruled(facts, findings);
      }
      if (facts.input(input).rows() == 0 && !facts.spec().archives().get(input).allowEmpty()) {
        findings.add(
            Statement.of(Kind.NO_INPUT, new JsonObject().put("input", input.key()))
                .because(Sentence.of("Nothing was read from ").configured(input.key()))
                .sides(
                    new JsonObject()
                        .put("rows", 1)
                        .put(
                            "remedy", "correct files of " + input.key() + ", or allow_empty: true"),
                    new JsonObject().put("rows", 0))
                .under(RULE)
                .finding());
      }
    }
    return findings;
  }

  private void unzoned(Input input, Tally tally, List<Finding> findings) {
    for (Map.Entry<List<String>, Long> entry :
        tally.sumsUnder(ReadTally.UNZONED, input.key()).entrySet()) {
      String file = entry.getKey().get(0);
      String name = entry.getKey().get(1);
      boolean required =
          input.columns().stream().filter(Column::required).anyMatch(c -> c.name().equals(name));
      byte[] first = tally.min(ReadTally.UNZONED_FIRST, input.key(), file, name);
      findings.add(
          Statement.of(
                  Kind.UNZONED_TIMESTAMP,
                  new JsonObject()
                      .put("input", input.key())
                      .put("file", files.name(input, Integer.parseInt(file)))
                      .put("column", name))
              .because(
                  required
                      ? "Times without a zone: the records are undecided"
                      : "Times without a zone: they are unknown")
              .sides(
                  new JsonObject().put("remedy", "declare zone of " + input.key()),
                  new JsonObject().put("records", entry.getValue()))
              .under(RULE)
              .seenAt(Place.fromBytes(first, 0))
              .times(entry.getValue())
              .finding());
    }
  }

  private void notes(Input input, Tally tally, List<Finding> findings) {
    tally
        .sumsUnder(CheckTally.NOTES, input.key())
        .forEach((path, count) -> findings.add(note(input, path, count)));
    tally
        .minimaUnder(CheckTally.NOTES, input.key())
        .keySet()
        .forEach(path -> findings.add(note(input, path, 1)));
  }

  /** Registry rows that say something else of a replay than the row that holds. */
  private void overruled(RunFacts facts, List<Finding> findings) {
    Map<Integer, Long> byFile = new TreeMap<>();
    facts.replays().superseded().forEach(row -> byFile.merge(row.place().file(), 1L, Long::sum));
    String note = "one replay_id on unequal rows: the one started last holds";
    byFile.forEach(
        (file, count) ->
            findings.add(
                note(
                    Input.REPLAYS,
                    files.name(Input.REPLAYS, file),
                    note,
                    Sentence.ofConfigured(note),
                    count)));
  }

  private static void missingColumns(
      Input input, RunFacts facts, Tally tally, List<Finding> findings) {
    missingColumns(input, facts, tally)
        .forEach(
            (column, theirs) ->
                findings.add(
                    Statement.of(
                            Kind.INPUT_NOTE,
                            new JsonObject()
                                .put("input", input.key())
                                .put("file", "every file")
                                .put("note", "no column " + theirs))
                        .because(Sentence.ofConfigured(missingColumn(input, column, theirs)))
                        .sides(
                            new JsonObject()
                                .put("remedy", "correct its name in the run spec, or leave it out"),
                            new JsonObject().put("column", theirs).put("records", 0))
                        .under(RULE)
                        .finding()));
  }

  /** Says that a column of the run spec is nowhere. */
  public static String missingColumn(Input input, String column, String theirs) {
    return "No record of "
        + input.key()
        + " has the column "
        + theirs
        + (column.equals(theirs)
            ? ", which the run spec names"
            : ", which the run spec maps to " + column);
  }

  /**
   * Columns that the run spec names and no record of an input has, by our name, with theirs: what
   * the run spec asks of them would silently hold for nothing. Columns without a value are there.
   */
  public static ImmutableSortedMap<String, String> missingColumns(
      Input input, RunFacts facts, Tally tally) {
    RunSpec spec = facts.spec();
    ImmutableSortedMap.Builder<String, String> missing = ImmutableSortedMap.naturalOrder();
    if (facts.input(input).rows() == 0) {
      return missing.build();
    }
    RunSpec.Archive archive = spec.archives().get(input);
    Map<String, String> asked = new TreeMap<>(archive.columns());
    asked.entrySet().removeIf(entry -> archive.mapsByFormat(entry.getKey(), entry.getValue()));
    if (input == Input.EVENTS) {
      spec.namedColumns(input).forEach(column -> asked.putIfAbsent(column, column));
      asked.remove(SourceContract.REVISION);
      spec.sources().forEach(contract -> asked.keySet().removeAll(contract.fields().keySet()));
    }
    asked.keySet().removeAll(archive.constants().keySet());
    asked.forEach(
        (column, theirs) -> {
          if (tally.max(ReadTally.PRESENT, input.key(), column) == null) {
            missing.put(column, theirs);
          }
        });
    return missing.build();
  }

  private void unknownColumns(Input input, Tally tally, List<Finding> findings) {
    Map<Integer, List<String>> byFile = new TreeMap<>();
    tally
        .sumsUnder(ReadTally.UNKNOWN_COLUMN, input.key())
        .keySet()
        .forEach(
            path ->
                byFile
                    .computeIfAbsent(Integer.valueOf(path.get(0)), file -> new ArrayList<>())
                    .add(path.get(1)));
    byFile.forEach(
        (file, columns) ->
            findings.addAll(unknownColumns(input, files.name(input, file), columns)));
  }

  /**
   * A note about columns that the contract lacks; none where there are none.
   *
   * @param file the file or table that has them
   * @param columns by name
   */
  public static ImmutableList<Finding> unknownColumns(
      Input input, String file, Collection<String> columns) {
    return columns.isEmpty()
        ? ImmutableList.of()
        : ImmutableList.of(note(input, file, "unknown columns", unknown(columns), 1));
  }

  /** Where records bring their own names, a name may be anything. */
  private static Sentence unknown(Collection<String> columns) {
    Sentence sentence = Sentence.of("Columns that the contract lacks are ignored: ");
    String separator = "";
    for (String column : columns.stream().limit(SHOWN_COLUMNS).toList()) {
      sentence = sentence.configured(separator).value("unknown_column", column);
      separator = ", ";
    }
    return columns.size() > SHOWN_COLUMNS ? sentence.and(", ...") : sentence;
  }

  private Finding note(Input input, List<String> path, long count) {
    return note(
        input,
        files.name(input, Integer.parseInt(path.get(0))),
        path.get(1),
        Sentence.ofConfigured(path.get(1)), // says nothing but columns of the contract or the spec
        count);
  }

  private static Finding note(
      Input input, String file, String note, Sentence sentence, long count) {
    return Statement.of(
            Kind.INPUT_NOTE,
            new JsonObject().put("input", input.key()).put("file", file).put("note", note))
        .because(sentence)
        .under(RULE)
        .times(count)
        .finding();
  }

  /** A note about a file that was not read at all. */
  public static Finding skipped(Input input, String file, String why) {
    return Statement.of(
            Kind.INPUT_NOTE,
            new JsonObject().put("input", input.key()).put("file", file).put("note", "skipped"))
        .because(Sentence.of("Skipped: ").configured(why))
        .under(RULE)
        .finding();
  }
}
