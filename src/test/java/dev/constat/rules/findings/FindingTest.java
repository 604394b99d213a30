package dev.constat.rules.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FindingTest {

  private static Finding part(Random random) {
    Statement statement =
        Statement.of(Kind.DLQ, new JsonObject().put("outbox_id", "o1"))
            .because(Sentence.of("r").and(random.nextInt(2)))
            .sides(
                new JsonObject().put("n", random.nextInt(2)),
                new JsonObject().put("n", random.nextInt(2)))
            .under("rule/" + random.nextInt(2))
            .hint(random.nextBoolean(), "A")
            .hint(random.nextBoolean(), "B")
            .times(1 + random.nextInt(3));
    for (int left = random.nextInt(3); left > 0; left--) {
      statement.seenAt(new Place(0, 0, 0, random.nextInt(2), 0));
      statement.when(Instant.ofEpochSecond(random.nextInt(5)));
    }
    return statement.finding();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void mergingIsCommutativeAndAssociative(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Finding a = part(random);
      Finding b = part(random);
      Finding c = part(random);
      assertThat(a.merge(b)).isEqualTo(b.merge(a));
      assertThat(a.merge(b).merge(c)).isEqualTo(a.merge(b.merge(c)));
      assertThat(a.merge(b).occurrences()).isEqualTo(a.occurrences() + b.occurrences());
      assertThat(a.merge(b).hints()).containsAll(a.hints()).containsAll(b.hints());
    }
  }

  @Test
  void theWordsAndEvidenceOfWhatBeganFirstAreKeptAndTheSpanOfTimeWidened() {
    Statement first =
        Statement.of(Kind.DLQ, new JsonObject()).because("smaller place").under("x/1");
    first.seenAt(new Place(0, 0, 0, 1, 0)).when(Instant.ofEpochSecond(9));
    Statement second =
        Statement.of(Kind.DLQ, new JsonObject()).because("earlier time").under("x/1");
    second.seenAt(new Place(0, 0, 0, 2, 0), null).when(Instant.ofEpochSecond(5), null);
    Finding merged = second.finding().merge(first.finding());
    assertThat(merged.reason()).isEqualTo("earlier time");
    assertThat(merged.evidence()).containsExactly(new Place(0, 0, 0, 2, 0));
    assertThat(merged.firstAt()).isEqualTo(Instant.ofEpochSecond(5));
    assertThat(merged.lastAt()).isEqualTo(Instant.ofEpochSecond(9));
    assertThat(merged.occurrences()).isEqualTo(2);
  }

  @Test
  void theFingerprintIsOfKindAndSubjectAlone() {
    Finding finding = part(new Random(1));
    // echo -n '{"kind":"DLQ","subject":{"outbox_id":"o1"}}' | sha256sum | head -c 32
    assertThat(finding.fingerprint()).isEqualTo("906a4152c76d513a40a4355dfad61ac4");
    assertThat(part(new Random(2)).fingerprint()).isEqualTo(finding.fingerprint());
    assertThat(finding.withHint("X").fingerprint()).isEqualTo(finding.fingerprint());
    assertThat(finding.withSubject("{}").fingerprint()).isNotEqualTo(finding.fingerprint());
  }

  @Test
  void partsOfOneFindingKnowEachOther() {
    Finding finding = part(new Random(1));
    assertThat(finding.isAbout(part(new Random(2)))).isTrue();
    assertThat(finding.isAbout(finding.withSubject("{}"))).isFalse();
    JsonObject subject = new JsonObject().put("outbox_id", "o1");
    Statement lighter = Statement.of(Kind.DLQ, subject).because("r").under("rule/1");
    assertThat(finding.isAbout(lighter.finding())).isTrue();
    assertThat(finding.isAbout(lighter.as(Level.INFO).finding())).isFalse();
    Statement other = Statement.of(Kind.MISSING_ACK, subject).because("r").under("rule/1");
    assertThat(finding.isAbout(other.as(finding.level()).finding())).isFalse();
    assertThat(finding.withHint("X").hints()).contains("X").containsAll(finding.hints());
  }

  @Test
  void aStatementStatesEverything() {
    Finding finding =
        Statement.of(Kind.MISSING_ACK, new JsonObject().put("outbox_id", "o1"))
            .because("why")
            .sides(new JsonObject().put("acks", 1), new JsonObject().put("acks", 0))
            .under("r/1")
            .seenAt(new Place(1, 0, 0, 2, 0), null, new Place(1, 0, 0, 1, 0))
            .when((Instant) null)
            .hint(false, "NO")
            .hint(true, "YES")
            .finding();
    assertThat(finding.subject()).isEqualTo("{\"outbox_id\":\"o1\"}");
    assertThat(finding.expected()).isEqualTo("{\"acks\":1}");
    assertThat(finding.actual()).isEqualTo("{\"acks\":0}");
    assertThat(finding.evidence())
        .containsExactly(new Place(1, 0, 0, 1, 0), new Place(1, 0, 0, 2, 0));
    assertThat(finding.firstAt()).isNull();
    assertThat(finding.hints()).containsExactly("YES");
    assertThat(finding.occurrences()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 3", "1, 3, 2", "2, 1, 3", "2, 3, 1", "3, 1, 2", "3, 2, 1"})
  void theSpanOfTimeHoldsAllTimesInWhateverOrderTheyCome(long a, long b, long c) {
    Finding finding =
        Statement.of(Kind.DLQ, new JsonObject())
            .when(Instant.ofEpochSecond(a), null, Instant.ofEpochSecond(b))
            .when(Instant.ofEpochSecond(c))
            .because("r")
            .under("rule/1")
            .finding();
    assertThat(finding.firstAt()).isEqualTo(Instant.ofEpochSecond(1));
    assertThat(finding.lastAt()).isEqualTo(Instant.ofEpochSecond(3));
  }

  @Test
  void moreThanCanBeCountedIsTheMostThatCan() {
    Finding gap =
        Statement.of(Kind.SEQUENCE_GAP, new JsonObject().put("source", "S"))
            .because("numbers are missing")
            .under("sequences/1")
            .times(Long.MAX_VALUE)
            .finding();
    assertThat(gap.merge(gap).occurrences()).isEqualTo(Long.MAX_VALUE);
  }
}
