package dev.constat.rules.lease;

import static dev.constat.rules.outbox.History.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.outbox.Claims;
import dev.constat.rules.outbox.History;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseJudgeTest {

  private final Tally tally = new Tally();
  private final List<Finding> findings = new ArrayList<>();
  private final LeaseJudge judge = new LeaseJudge(tally, findings::add);

  @Test
  void twoOwnersAtOnceAreAFinding() {
    judge.judge("o1", History.claims("P:a@0-60 P:b@45-105 P:c@50-110 P:d@111-170"), false, null);
    judge.flush();
    Finding finding = findings.get(0);
    assertThat(findings).hasSize(1);
    assertThat(finding.kind()).isEqualTo(Kind.LEASE_OVERLAP);
    assertThat(finding.level()).isEqualTo(Level.WARNING);
    assertThat(finding.subject()).isEqualTo("{\"outbox_id\":\"o1\"}");
    assertThat(finding.reason()).isEqualTo("b claimed the row PT15S before the lease of a ended");
    assertThat(finding.expected())
        .isEqualTo(
            "{\"claimed_at\":\"1970-01-01T00:00:00Z\",\"lease_owner\":\"a\","
                + "\"lease_until\":\"1970-01-01T00:01:00Z\"}");
    assertThat(finding.actual())
        .isEqualTo(
            "{\"claimed_at\":\"1970-01-01T00:00:45Z\",\"lease_owner\":\"b\","
                + "\"lease_until\":\"1970-01-01T00:01:45Z\"}");
    assertThat(finding.occurrences()).isEqualTo(2);
    assertThat(finding.firstAt()).isEqualTo(at(45));
    assertThat(finding.lastAt()).isEqualTo(at(50));
    assertThat(finding.evidence()).hasSize(2);
    assertThat(tally.sum(Coverage.JUDGED, "LEASE_OVERLAP")).isEqualTo(1);
  }

  @Test
  void leasesOverlapFromTheLaterClaimOn() {
    judge.judge("o1", History.claims("P:a@50-110 P:b@0-100"), false, null);
    assertThat(findings.get(0).reason())
        .isEqualTo("b claimed the row PT1M before the lease of a ended");
    assertThat(findings.get(0).firstAt()).isEqualTo(at(0));
  }

  @Test
  void moreClaimsThanAreFollowedAreNotJudged() {
    Claims claims = new Claims();
    for (int i = 0; i <= 4096; i++) {
      claims.next(History.of("P:a@" + i + "-" + i).get(0));
    }
    judge.judge("o1", claims, false, null);
    judge.flush();
    assertThat(
            tally.sum(
                Coverage.NOT_JUDGED, "LEASE_OVERLAP", "more claims of a row than are followed"))
        .isEqualTo(1);
    assertThat(tally.sum(Coverage.JUDGED, "LEASE_OVERLAP")).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      nullValues = "-",
      value = {
        "P:a@0-60 P:b@62-122,  false, -,       judged",
        "W P:a@0-60,           false, -,       judged",
        "P:a@0-60,             false, -,       no older version of the row",
        "P:a@0-60 P:b@30-90,   true,  -,       several contents of the row",
        "P:a@0-60 P:b@30-90,   false, outside, outside",
        "P:a@0-60? P:b@30-90,  false, -,       claimed_at or lease_until without a zone",
        "P:a P:b@30-90,        false, -,       a lease without claimed_at",
        "P:@0-60 P:b@30-90,    false, -,       a lease without lease_owner",
        "W D!5,                false, -,       -",
        "P:a@0?-60,            false, -,       no older version of the row",
        "P,                    false, -,       no older version of the row",
        "W:a@0?-60,            false, -,       no older version of the row",
      })
  void whatIsNotJudgedSaysWhy(String history, boolean conflict, String outside, String expected) {
    judge.judge("o1", History.claims(history), conflict, outside);
    judge.flush();
    assertThat(findings).isEmpty();
    long judged = tally.sum(Coverage.JUDGED, "LEASE_OVERLAP");
    String said =
        judged == 1
            ? "judged"
            : tally.sumsUnder(Coverage.NOT_JUDGED, "LEASE_OVERLAP").keySet().stream()
                .map(path -> path.get(0))
                .findFirst()
                .orElse(null);
    assertThat(said).isEqualTo(expected);
  }
}
