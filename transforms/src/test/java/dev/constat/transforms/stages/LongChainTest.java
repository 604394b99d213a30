package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A chain of corrections may be of any length. */
final class LongChainTest {

  private static final int LINKS = 10_000;

  private static final CaseFile SHARED =
      CaseFile.parse(
          """
          A long chain
          == spec
          effects:
            - {type: notify, consumers: [c1], when: {source: unrelated}}
          projections:
            - name: p
              versions:
                - {version: "1", kind: current, key: business_key, value: /v}
                - {version: "2", kind: windowed, key: business_key, window: {session: PT10M},
                   allowed_lateness: P1D, aggregates: {n: count, v: {sum: /v}}}
          == rows
          """);

  @Test
  void theLastLinkIsInForceWhateverTheOrder() {
    List<ArchiveRecord> records = SHARED.records();
    for (int i = 0; i < LINKS; i++) {
      records.add(link(i));
    }

    RunOutcome outcome = InMemoryRun.of(SHARED.spec()).shuffledBy(1).slabs(999).run(records);

    assertThat(outcome.findingLines()).isEmpty();
    assertThat(outcome.unbalanced()).isEmpty();
    assertThat(outcome.cellLines(SHARED.spec()))
        .containsExactly(
            "p 1 b - value=9999",
            "p 2 b 2026-01-05T10:00:09.999Z/2026-01-05T10:10:09.999Z n=1 v=9999, 1 on time");
    assertThat(outcome.bookLines())
        .contains("events kept: CORRECTION 9999", "cells of p version 2: ON_TIME 10000");
  }

  @Test
  void aRingOfThatLengthIsOneFinding() {
    List<ArchiveRecord> records = SHARED.records();
    for (int i = 0; i < LINKS; i++) {
      records.add(link(i));
    }
    ArchiveRecord first = link(0);
    records.removeIf(record -> first.text("ingestion_id").equals(record.text("ingestion_id")));
    first.columns().put("supersedes", "e9999").put("supersede_reason", "r");
    records.add(first);

    RunOutcome outcome = InMemoryRun.of(SHARED.spec()).run(records);

    assertThat(outcome.findingLines())
        .containsExactly("error CORRECTION_CYCLE source=S source_event_id=e0");
    assertThat(outcome.cellLines(SHARED.spec())).isEmpty();
  }

  /** Each a millisecond after the one that it corrects. */
  private static ArchiveRecord link(int i) {
    String millis = Integer.toString(10_000 + i);
    ArchiveRecord record =
        ArchiveRecord.ofLine(
            """
            {"k":"ev","source_event_id":"e@","business_key":"b","ingestion_id":"i@",\
            "occurred_at":"2026-01-05T10:00:SECZ","payload":{"v":@}}\
            """
                .replace("@", Integer.toString(i))
                .replace("SEC", "0" + millis.charAt(1) + "." + millis.substring(2)));
    if (i > 0) {
      record.columns().put("supersedes", "e" + (i - 1)).put("supersede_reason", "r");
    }
    return record;
  }
}
