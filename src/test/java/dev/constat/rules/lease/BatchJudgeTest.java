package dev.constat.rules.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchJudgeTest {

  private static final JsonObject SUBJECT = new JsonObject().put("effect_key", "k");

  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "2, true", "100, true"})
  void aClaimOfSeveralRowsIsABatch(int rows, boolean batch) {
    Tally tally = new Tally();
    tally.add(3, LeaseTally.WINDOWS, "notify", "LAPSED_LEASE");
    BatchJudge judge = new BatchJudge(tally);
    judge.begin();
    judge.row();
    judge.begin();
    for (int i = 0; i < rows; i++) {
      judge.row();
    }
    assertThat(judge.lapsed(SUBJECT.toString(), "notify", 2) != null).isEqualTo(batch);
    assertThat(tally.sum(LeaseTally.WINDOWS, "notify", "LAPSED_LEASE")).isEqualTo(batch ? 1 : 3);
    assertThat(tally.sum(LeaseTally.WINDOWS, "notify", "BATCH_OVER_LEASE"))
        .isEqualTo(batch ? 2 : 0);
  }

  @Test
  void itsPartOfTheFindingAddsAHintAlone() {
    Finding stated =
        Statement.of(Kind.REDELIVERY, SUBJECT)
            .because("Delivered again")
            .under("acknowledgements/1")
            .when(Instant.EPOCH)
            .hint(true, "LAPSED_LEASE")
            .times(4)
            .finding();
    BatchJudge judge = new BatchJudge(new Tally());
    judge.row();
    judge.row();
    Finding part = judge.lapsed(SUBJECT.toString(), "notify", 4);
    assertThat(part.isAbout(stated)).isTrue();
    for (Finding merged : new Finding[] {stated.merge(part), part.merge(stated)}) {
      assertThat(merged.hints()).containsExactly("BATCH_OVER_LEASE", "LAPSED_LEASE");
      assertThat(merged.withHint("BATCH_OVER_LEASE"))
          .isEqualTo(stated.withHint("BATCH_OVER_LEASE"));
    }
  }
}
