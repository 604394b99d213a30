package dev.constat.rules.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Revision;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AckFoldTest {

  private static AckFold fold(int second, Boolean applied, String worker, boolean judged) {
    return fold(second, applied, worker, "n1", judged);
  }

  private static AckFold fold(
      int second, Boolean applied, String worker, String owner, boolean judged) {
    Instant at = Instant.ofEpochSecond(second);
    Acknowledgement ack =
        new Acknowledgement(
            "a" + second,
            "o1",
            "c1",
            at,
            "k",
            applied,
            worker,
            null,
            null,
            null,
            new Place(2, 0, 0, second, 0));
    OutboxRow row =
        new OutboxRow(
            "o1",
            "S",
            "e1",
            "notify",
            null,
            null,
            null,
            null,
            Status.DISPATCHED,
            2L,
            Instant.EPOCH,
            OptionalTime.ABSENT,
            OptionalTime.ABSENT,
            owner,
            OptionalTime.ABSENT,
            OptionalTime.ABSENT,
            OptionalTime.ABSENT,
            Revision.NONE,
            null,
            List.of(),
            new Place(1, 0, 0, 0, 0));
    return AckFold.of(ack, row, judged);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, 1, 0, 0", "true, 1, 0, 1", "false, 0, 1, 0"})
  void onlyAppliedFalseIsNoEffect(Boolean applied, int effective, int not, int appliedTrue) {
    AckFold judged = fold(1, applied, null, true);
    assertThat(judged.effective()).isEqualTo(effective);
    assertThat(judged.effectiveJudged()).isEqualTo(effective);
    assertThat(judged.notApplied()).isEqualTo(not);
    assertThat(judged.notAppliedJudged()).isEqualTo(not);
    assertThat(judged.applied()).isEqualTo(appliedTrue);
    assertThat(judged.total()).isEqualTo(1);
    AckFold outside = fold(1, applied, null, false);
    assertThat(outside.effective()).isEqualTo(effective);
    assertThat(outside.effectiveJudged()).isZero();
    assertThat(outside.notAppliedJudged()).isZero();
  }

  @Test
  void foldsAddUp() {
    AckFold sum =
        fold(1, false, null, true)
            .and(fold(2, true, "n2", false))
            .and(fold(3, null, "n1", true))
            .and(fold(4, false, null, true));
    assertThat(sum.effective()).isEqualTo(2);
    assertThat(sum.effectiveJudged()).isEqualTo(1);
    assertThat(sum.notApplied()).isEqualTo(2);
    assertThat(sum.notAppliedJudged()).isEqualTo(2);
    assertThat(sum.applied()).isEqualTo(1);
    assertThat(sum.total()).isEqualTo(4);
    assertThat(sum.attempts()).isEqualTo(2);
    assertThat(sum.staleOwner()).isTrue();
    // the first is the first effective one, the last is the last of all
    assertThat(sum.firstAt()).isEqualTo(Instant.ofEpochSecond(2));
    assertThat(sum.firstAckId()).isEqualTo("a2");
    assertThat(sum.firstJudged()).isFalse();
    assertThat(sum.lastAt()).isEqualTo(Instant.ofEpochSecond(4));
    assertThat(sum.lastPlace().position()).isEqualTo(4);
  }

  @Test
  void theLastIsTheLatestWhateverTheRow() {
    AckFold early = fold(3, null, null, true);
    AckFold late = fold(5, null, null, true);
    for (AckFold sum : List.of(early.and(late), late.and(early))) {
      assertThat(sum.lastAt()).isEqualTo(Instant.ofEpochSecond(5));
      assertThat(sum.lastPlace().position()).isEqualTo(5);
    }
  }

  @Test
  void withoutAnEffectiveOneTheFirstOfAllStands() {
    AckFold sum = fold(1, false, null, true).and(fold(2, false, null, true));
    assertThat(sum.firstAt()).isEqualTo(Instant.ofEpochSecond(1));
    assertThat(sum.effective()).isZero();
  }

  @Test
  void addingIsAssociative() {
    Boolean[] applied = {null, true, false};
    for (Boolean a : applied) {
      for (Boolean b : applied) {
        for (Boolean c : applied) {
          AckFold first = fold(1, a, "n1", true);
          AckFold second = fold(2, b, "n2", false);
          AckFold third = fold(3, c, null, true);
          assertThat(first.and(second).and(third)).isEqualTo(first.and(second.and(third)));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"n1, n1, false", "n2, n1, true", "-, n1, false", "n2, -, false", "-, -, false"})
  void aWorkerMayNotOwnTheLease(String worker, String owner, boolean stale) {
    assertThat(fold(1, null, worker, owner, true).staleOwner()).isEqualTo(stale);
  }
}
