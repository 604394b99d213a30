package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.findings.Finding;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One event with very many receptions and acknowledgements, in very little memory. */
final class HotKeyTest {

  private static final int MANY = 25_000;

  @Test
  @DisplayName("C72 · Hot key (the folds; runners are tested elsewhere)")
  void hotKey() {
    CaseFile shared = CaseFile.parse("C72 · Hot key");
    List<ArchiveRecord> records = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      records.add(
          ArchiveRecord.ofLine(
              """
              {"k":"ev","source_event_id":"e1","occurred_at":"2026-01-05T10:00:00Z",\
              "payload_hash":"h","ingestion_id":"i@"}\
              """
                  .replace("@", Integer.toString(100_000 + i))));
      records.add(
          ArchiveRecord.ofLine(
              """
              {"k":"ack","outbox":"o1","consumer":"c1","acked_at":"2026-01-05T10:01:00Z",\
              "effect_key":"S/e1/notify","ack_id":"a@"}\
              """
                  .replace("@", Integer.toString(100_000 + i))));
    }
    records.add(
        ArchiveRecord.ofLine(
            """
            {"k":"ob","id":"o1","event":"S/e1","effect_type":"notify","status":"DISPATCHED",\
            "created_at":"2026-01-05T10:00:01Z"}\
            """));

    RunOutcome outcome = InMemoryRun.of(shared.spec()).budget(64 << 10).run(records);

    assertThat(outcome.spills()).isGreaterThan(10);
    assertThat(outcome.unbalanced()).isEmpty();
    assertThat(outcome.findingLines())
        .containsExactly(
            "info REDELIVERY consumer=c1 effect_key=S/e1/notify effect_type=notify"
                + " source=S source_event_id=e1 x24999");
    assertThat(outcome.findings())
        .extracting(Finding::evidence)
        .allSatisfy(evidence -> assertThat(evidence).as("examples").hasSizeLessThan(5));
    assertThat(outcome.bookLines())
        .contains(
            "events kept: ACCEPTED 1",
            "events kept: EXACT_DUPLICATE 24999",
            "acknowledgements kept: first effects 1",
            "acknowledgements kept: repeats 24999");
    assertThat(outcome.effectLines(CaseFile.UNRELATED))
        .containsExactly(
            "S e1 - - - - SUPPRESSED, 24999 repeats, against i100000",
            "S e1 notify o1 DISPATCHED c1 DONE key S/e1/notify, 25000 acks, 24999 repeats");
    assertThat(outcome.decisionLines(CaseFile.UNRELATED))
        .hasSize(MANY)
        .startsWith(
            "i100000 ACCEPTED: first reception of its key; 24999 repeats,"
                + " last 2026-01-05T10:00:01Z [HASH_UNVERIFIABLE]",
            "i100001 EXACT_DUPLICATE against i100000: same key and hash as i100000"
                + " [HASH_UNVERIFIABLE]");
  }
}
