package dev.constat.rules.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Findings about inputs, schema versions, types and consumers: stated once for many records. */
class RunFindingsTest {

  private static final Place LINE = new Place(0, 2, 0, 77, 4);

  private static final InputFindings NAMED =
      new InputFindings(
          new InputFindings.Files() {
            @Override
            public String name(Input input, int file) {
              return input.key() + "/" + file + ".jsonl";
            }

            @Override
            public String place(Place place) {
              return "line " + (place.line() + 1);
            }
          });

  private static Finding unreadable(boolean record, String value, String problem) {
    return InputFindings.unreadable(
        Input.EVENTS,
        new Unreadable(
            LINE,
            record,
            "occurred_at",
            value,
            problem,
            "declare time_unit",
            "{}".getBytes(UTF_8),
            2));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "true, 17, it is odd, A record cannot be read: it is odd (17)",
        "true, 17, 17 is odd, A record cannot be read: 17 is odd",
        "true, -, it is odd, A record cannot be read: it is odd",
        "false, -, it is torn, The file cannot be read: it is torn",
      })
  void whatCannotBeReadIsAnError(boolean record, String value, String problem, String sentence) {
    Finding raw = unreadable(record, value, problem);
    assertThat(raw.kind()).isEqualTo(Kind.INPUT_ERROR);
    assertThat(raw.reason()).isEqualTo(sentence);
    assertThat(raw.evidence()).containsExactly(LINE);
    assertThat(raw.actual()).contains("\"raw_base64\":\"e30=\"", "\"column\":\"occurred_at\"");
    assertThat(raw.expected()).isEqualTo("{\"remedy\":\"declare time_unit\"}");
    assertThat(NAMED.named(raw).subject())
        .isEqualTo(
            "{\"file\":\"events/2.jsonl\",\"input\":\"events\",\"place\":\""
                + (record ? "line 5" : "file")
                + "\"}");
  }

  private static List<Finding> inputs(Run run) {
    RunFacts facts = run.facts();
    return NAMED.of(facts, run.tally());
  }

  @Test
  void timesWithoutAZoneAreOneFindingPerColumn() {
    Run run = Run.standard();
    InputFindings.countUnzoned(run.tally(), Input.OUTBOX, "lease_until", new Place(1, 0, 0, 9, 1));
    InputFindings.countUnzoned(run.tally(), Input.OUTBOX, "lease_until", new Place(1, 0, 0, 3, 0));
    InputFindings.countUnzoned(run.tally(), Input.OUTBOX, "created_at", new Place(1, 0, 0, 3, 0));
    InputFindings.countUnzoned(run.tally(), Input.OUTBOX, "lease_until", new Place(1, 1, 0, 3, 0));
    List<Finding> findings = inputs(run);
    assertThat(findings).hasSize(3).allMatch(f -> f.kind() == Kind.UNZONED_TIMESTAMP);
    Finding lease =
        findings.stream()
            .filter(f -> f.subject().contains("0.jsonl") && f.subject().contains("lease_until"))
            .findFirst()
            .orElseThrow();
    assertThat(lease.occurrences()).isEqualTo(2);
    assertThat(lease.reason()).isEqualTo("Times without a zone: they are unknown");
    assertThat(lease.evidence()).containsExactly(new Place(1, 0, 0, 3, 0));
    assertThat(findings)
        .anyMatch(
            f ->
                f.subject().contains("created_at")
                    && f.reason().equals("Times without a zone: the records are undecided"));
  }

  @Test
  void anInputWithoutRowsIsNone() {
    assertThat(inputs(Run.standard().empty(Input.OUTBOX)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(Kind.NO_INPUT);
              assertThat(finding.subject()).isEqualTo("{\"input\":\"outbox\"}");
              assertThat(finding.reason()).isEqualTo("Nothing was read from outbox");
            });
    assertThat(
            inputs(Run.standard().archive(Input.OUTBOX, "allow_empty: true").empty(Input.OUTBOX)))
        .isEmpty();
  }

  @Test
  void notesAreOnePerFileAndNote() {
    Run run = Run.standard();
    run.tally().add(3, CheckTally.NOTES, "events", "2", "zero padding");
    run.tally().add(9, ReadTally.UNKNOWN_COLUMN, "events", "2", "b");
    run.tally().add(9, ReadTally.UNKNOWN_COLUMN, "events", "2", "a");
    List<Finding> findings = inputs(run);
    assertThat(findings).hasSize(2).allMatch(f -> f.kind() == Kind.INPUT_NOTE);
    assertThat(findings.get(0).occurrences()).isEqualTo(3);
    assertThat(findings.get(1).reason())
        .isEqualTo("Columns that the contract lacks are ignored: a, b");
    assertThat(findings.get(1).subject())
        .isEqualTo(
            "{\"file\":\"events/2.jsonl\",\"input\":\"events\",\"note\":\"unknown columns\"}");
    assertThat(InputFindings.skipped(Input.EVENTS, "_x", "hidden").reason())
        .isEqualTo("Skipped: hidden");
  }

  // Schema versions

  private static void seen(Tally tally, String version, String at, String id) {
    KeyWriter out = new KeyWriter().instant(Times.at(at));
    tally.max(out.toBytes(), CheckTally.SCHEMA_LAST, "S", version);
    out.text(id).raw(Places.of(Input.EVENTS, id).toBytes());
    tally.min(out.toBytes(), CheckTally.SCHEMA_FIRST, "S", version);
  }

  @Test
  void unknownVersionsAreCountedOnce() {
    Run run = Run.standard().source("{source: S, schema_versions: ['1']}");
    Tally tally = run.tally();
    seen(tally, "1", "10:00:00", "i1");
    seen(tally, "7", "10:00:02", "i3");
    seen(tally, "7", "10:00:01", "i2");
    seen(tally, null, "10:00:03", "i4");
    tally.add(2, CheckTally.UNKNOWN_SCHEMA, "S", "7");
    tally.add(1, CheckTally.UNKNOWN_SCHEMA, "S", null);
    List<Finding> findings = VersionFindings.of(run.facts(), tally);
    assertThat(findings).hasSize(2).allMatch(f -> f.kind() == Kind.UNKNOWN_SCHEMA_VERSION);
    Finding seven =
        findings.stream().filter(f -> f.subject().contains("7")).findFirst().orElseThrow();
    assertThat(seven.subject()).isEqualTo("{\"schema_version\":\"7\",\"source\":\"S\"}");
    assertThat(seven.occurrences()).isEqualTo(2);
    assertThat(seven.firstAt()).isEqualTo(Times.at("10:00:01"));
    assertThat(seven.lastAt()).isEqualTo(Times.at("10:00:02"));
    assertThat(seven.evidence()).containsExactly(Places.of(Input.EVENTS, "i2"));
    assertThat(findings)
        .anyMatch(
            f ->
                f.subject().equals("{\"schema_version\":null,\"source\":\"S\"}")
                    && f.reason().equals("Accepted events carry no schema version"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // arrivals of versions a and b; the one that appeared
        "10:00:00, i1, 10:00:01, i2, b",
        "10:00:01, i1, 10:00:00, i2, a",
        "10:00:00, i1, 10:00:00, i2, b",
        "10:00:00, i2, 10:00:00, i1, a",
      })
  void aVersionAppearsThatTheSourceDidNotBeginWith(
      String atA, String idA, String atB, String idB, String appeared) {
    Run run = Run.standard();
    seen(run.tally(), "a", atA, idA);
    seen(run.tally(), "b", atB, idB);
    assertThat(VersionFindings.of(run.facts(), run.tally()))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(Kind.SCHEMA_VERSION_APPEARED);
              assertThat(finding.subject())
                  .isEqualTo("{\"schema_version\":\"" + appeared + "\",\"source\":\"S\"}");
            });
  }

  @Test
  void noVersionAppearsWhereTheContractListsThem() {
    Run run = Run.standard().source("{source: S, schema_versions: [a, b]}");
    seen(run.tally(), "a", "10:00:00", "i1");
    seen(run.tally(), "b", "10:00:01", "i2");
    assertThat(VersionFindings.of(run.facts(), run.tally())).isEmpty();
  }

  @Test
  void undeclaredTypesAndUnexpectedConsumersAreOneEach() {
    Run run = Run.undecided().effect("{type: notify, consumers: [c1]}");
    Notes notes =
        Story.in(run)
            .receive(Receptions.of("i1").at("10:00:00"))
            .rows(
                Rows.of("o1").acks(Acks.at("10:00:02", "k"), Acks.at("10:00:03", "k").by("c9")),
                Rows.of("o2").type("x").created("10:00:07"),
                Rows.of("o3").type("x").created("10:00:05"))
            .tell();
    List<Finding> findings = VersionFindings.of(run.facts(), notes.tally());
    Finding undeclared =
        findings.stream().filter(f -> f.kind() == Kind.UNDECLARED_EFFECT).findFirst().orElseThrow();
    assertThat(undeclared.subject()).isEqualTo("{\"effect_type\":\"x\"}");
    assertThat(undeclared.occurrences()).isEqualTo(2);
    assertThat(undeclared.evidence()).containsExactly(Rows.of("o3").place());
    assertThat(undeclared.firstAt()).isEqualTo(Times.at("10:00:05"));
    assertThat(undeclared.lastAt()).isEqualTo(Times.at("10:00:07"));
    Finding unexpected =
        findings.stream()
            .filter(f -> f.kind() == Kind.UNEXPECTED_CONSUMER)
            .findFirst()
            .orElseThrow();
    assertThat(unexpected.subject()).isEqualTo("{\"consumer\":\"c9\",\"effect_type\":\"notify\"}");
    assertThat(unexpected.occurrences()).isEqualTo(1);
  }
}
