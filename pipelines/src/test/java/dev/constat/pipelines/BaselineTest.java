package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a baseline changes of a run, and what {@code constat ack} writes into one. */
final class BaselineTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FAR = "2100-01-01T00:00:00Z";

  @TempDir private static Path shared;
  private static Path spec;
  private static Path unknown;

  @TempDir private Path folder;

  @BeforeAll
  static void runWithoutBaseline() throws IOException {
    Path profile = shared.resolve("mine.yaml");
    Files.writeString(
        profile,
        "{profile: 1, name: mine, faults: {missing_ack: {one_in: 50}, dlq: {one_in: 60}}}");
    Path archive = shared.resolve("archive");
    Answer.to("generate", "--events", 200, "--profile", profile, "--out", archive);
    spec = archive.resolve("constat.yaml");
    Path out = shared.resolve("out");
    Answer answer = Answer.to("reconcile", spec, "--out", out, "--runner", "direct");
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    unknown = TestFolders.onlyRun(out);
  }

  @Test
  void whatIsAcknowledgedDoesNotFailTheRunAndStaysADiscrepancy() throws IOException {
    Path baseline = folder.resolve("known.yaml");
    for (JsonNode finding : findings(unknown, "MISSING_ACK")) {
      Answer ack =
          Answer.to(
              "ack",
              finding.get("fingerprint").asText(),
              "--baseline",
              baseline,
              "--owner",
              "mail team",
              "--reason",
              "mailer was down",
              "--until",
              FAR);
      assertThat(ack.exitCode()).as(ack.err()).isZero();
    }

    Answer answer = reconcile(baseline);

    Path run = TestFolders.onlyRun(folder.resolve("out"));
    int acknowledged = findings(unknown, "MISSING_ACK").size();
    assertThat(acknowledged).isPositive();
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out())
        .contains("\n  " + acknowledged + " of these findings acknowledged by the baseline\n")
        .contains("\nDISCREPANCIES\n");
    assertThat(Files.readString(run.resolve("report.html")))
        .contains(" (" + acknowledged + " acknowledged) in ")
        .contains(", " + acknowledged + " of them acknowledged by the baseline");
    assertThat(Files.readString(unknown.resolve("report.html"))).doesNotContain("acknowledged)");
    assertThat(states(run, "MISSING_ACK")).containsOnly("ACKNOWLEDGED");
    assertThat(states(run, "DLQ")).isNotEmpty().containsOnly("null");
    assertThat(run.getFileName()).isNotEqualTo(unknown.getFileName());
    JsonNode summary = JSON.readTree(run.resolve("summary.json").toFile());
    assertThat(summary.at("/findings/MISSING_ACK/acknowledged").asInt()).isEqualTo(acknowledged);
    assertThat(summary.at("/findings/DLQ/acknowledged").asInt()).isZero();
    assertThat(summary.at("/baseline/findings").asInt()).isEqualTo(acknowledged);
    assertThat(JSON.readTree(run.resolve("run.json").toFile()).at("/baseline/file").asText())
        .isEqualTo(baseline.toString());
    assertThat(withoutStates(run)).isEqualTo(withoutStates(unknown));
  }

  @Test
  void warningsFailWhereTheyAreAskedToUntilAPatternKnowsThem() throws IOException {
    Path baseline = folder.resolve("known.yaml");
    String known = "{kind: MISSING_ACK, owner: me, reason: why, until: '%s'}";
    Files.writeString(baseline, "{baseline: 1, entries: [" + known.formatted(FAR) + "]}");
    assertThat(reconcile(baseline, "--fail-on", "warning").exitCode()).isEqualTo(1);

    Files.writeString(
        baseline,
        "{baseline: 1, entries: ["
            + known.formatted(FAR)
            + ", {kind: DLQ, subject: {outbox_id: '*'}, owner: me, reason: why, until: '"
            + FAR
            + "'}]}");
    assertThat(reconcile(baseline, "--fail-on", "warning").exitCode()).isZero();
  }

  @Test
  void anExpiredEntryAcknowledgesNothingAndIsNamedAsIsAnUnusedOne() throws IOException {
    Path baseline = folder.resolve("known.yaml");
    Files.writeString(
        baseline,
        "baseline: 1\nentries:\n"
            + "  - {kind: MISSING_ACK, owner: me, reason: why, until: 2026-01-01T00:00:00Z}\n"
            + "  - {kind: STUCK_LEASE, owner: you, reason: why, until: '"
            + FAR
            + "'}\n");

    Answer answer = reconcile(baseline);

    int fits = findings(unknown, "MISSING_ACK").size();
    assertThat(answer.exitCode()).isEqualTo(1);
    assertThat(answer.out())
        .contains(
            "\n  0 of these findings acknowledged by the baseline\n"
                + "  expired: MISSING_ACK, of me, until 2026-01-01T00:00:00Z, fits "
                + fits
                + " findings\n"
                + "  unused: STUCK_LEASE, of you, until "
                + FAR
                + "\n");
    Path run = TestFolders.onlyRun(folder.resolve("out"));
    assertThat(states(run, "MISSING_ACK")).containsOnly("null");
    JsonNode summary = JSON.readTree(run.resolve("summary.json").toFile()).get("baseline");
    assertThat(summary.at("/expired/0/findings").asInt()).isEqualTo(fits);
    assertThat(summary.at("/unused/0/kind").asText()).isEqualTo("STUCK_LEASE");
  }

  @Test
  void aBaselineThatCannotBeReadIsFoundBeforeAnythingElse() throws IOException {
    Path baseline = folder.resolve("known.yaml");
    assertThat(reconcile(baseline).err())
        .isEqualTo("constat: " + baseline + " does not exist; name a baseline\n");

    Files.writeString(baseline, "{baseline: 1, entries: [{kind: DLQ, until: soon}]}");
    Answer answer = reconcile(baseline);

    assertThat(answer.exitCode()).isEqualTo(2);
    assertThat(answer.err())
        .contains(baseline + ":1:25: owner is missing in entries[0]")
        .contains("until 'soon' is not a time");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void whatIsAcknowledgedAlreadyIsNotWrittenTwice() throws IOException {
    Path baseline = folder.resolve("known.yaml");
    String fingerprint = "0123456789abcdef0123456789abcdef";
    Object[] ack = {
      "ack", fingerprint, "--baseline", baseline, "--owner", "me", "--reason", "why", "--until", FAR
    };

    Answer first = Answer.to(ack);
    String text = Files.readString(baseline);
    Answer second = Answer.to(ack);

    assertThat(first.exitCode()).isZero();
    assertThat(first.out())
        .isEqualTo(baseline + " acknowledges " + fingerprint + " until " + FAR + "\n");
    assertThat(second.exitCode()).isEqualTo(2);
    assertThat(second.err()).contains("acknowledges " + fingerprint + " already, for me");
    assertThat(baseline).hasContent(text);
    assertThat(TestFolders.names(folder)).containsExactly("known.yaml");
  }

  @Test
  void aRunIsVerifiedWithTheBaselineThatItHad() throws IOException {
    Path baseline = folder.resolve("known.yaml");
    Files.writeString(baseline, "{baseline: 1, entries: []}");
    reconcile(baseline);
    Path run = TestFolders.onlyRun(folder.resolve("out"));

    Answer same = Answer.to("verify", run, "--runner", "direct");
    Files.writeString(baseline, "{baseline: 1, entries: []} # another");
    Answer other = Answer.to("verify", run, "--runner", "direct");

    assertThat(same.exitCode()).as(same.out() + same.err()).isZero();
    assertThat(other.exitCode()).isEqualTo(3);
    assertThat(other.out())
        .contains("the baseline " + baseline + " is not the one that the run had");
  }

  private Answer reconcile(Path baseline, Object... more) {
    List<Object> args = new ArrayList<>(List.of("reconcile", spec, "--baseline", baseline));
    args.addAll(List.of("--out", folder.resolve("out"), "--runner", "direct"));
    args.addAll(List.of(more));
    return Answer.to(args.toArray());
  }

  private static List<JsonNode> findings(Path run, String kind) throws IOException {
    List<JsonNode> findings = new ArrayList<>();
    for (String line : Files.readAllLines(run.resolve("findings.jsonl"))) {
      JsonNode finding = JSON.readTree(line);
      if (finding.get("kind").asText().equals(kind)) {
        findings.add(finding);
      }
    }
    return findings;
  }

  private static List<String> states(Path run, String kind) throws IOException {
    return findings(run, kind).stream().map(finding -> finding.get("state").asText()).toList();
  }

  private static String withoutStates(Path run) throws IOException {
    return Files.readString(run.resolve("findings.jsonl"))
        .replace("\"state\":\"ACKNOWLEDGED\"", "\"state\":null");
  }
}
