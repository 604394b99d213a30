package dev.constat.pipelines.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.pipelines.output.Evidence;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExamplesTest {

  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  @Test
  void bothSidesStandNextToEachOtherWithWhatDiffersMarked() {
    Markup page =
        written(
            finding(Kind.MISSING_ACK)
                .sides(
                    new JsonObject().put("acks", 1).put("rule", "a").put("within", "PT15M"),
                    new JsonObject().put("acks", 0).put("rule", "a").put("status", "DISPATCHED"))
                .get());

    assertThat(page.texts("mark")).containsExactly("1", "0");
    assertThat(page.texts("tr").stream().map(row -> row.replaceAll("\\s+", " ").strip()))
        .containsExactly(
            "by the rulesin the history", "acks10", "ruleaa", "within15 min", "statusDISPATCHED");
    assertThat(page.section("page"))
        .contains("events/a.jsonl, line 7 (byte 70)")
        .contains("for 41 min 18 s")
        .contains(page.texts("code").get(0));
  }

  @Test
  void anEmptySideAndAnAbsentValueAreShownAsSuch() {
    Markup page =
        written(
            finding(Kind.MISSING_WINDOW)
                .sides(
                    new JsonObject().put("value", "filled").put("note", (String) null),
                    new JsonObject().put("value", ""))
                .get());

    assertThat(page.texts("mark")).containsExactly("filled");
    assertThat(page.section("page")).contains("null");
  }

  @Test
  void hostileTextIsText() {
    String hostile = "<script>alert('1')</script>\u202e\u0000\"&\n";
    Markup page =
        written(
            finding(Kind.ORPHAN_ACK)
                .about(new JsonObject().put("ack_id", hostile).put(hostile, hostile))
                .sides(
                    new JsonObject().put("outbox_id", hostile),
                    new JsonObject().put("outbox_id", hostile + "x").put(hostile, hostile))
                .because(hostile)
                .get());

    assertThat(page.all("script")).isEmpty();
    assertThat(page.section("page"))
        .contains("<script>alert('1')</script>\\u202e\\u0000\"&\\u000a");
  }

  @Test
  void aLongIdIsShownByItsBeginningAndOpensToMore() {
    String id = "x".repeat(500) + "end";
    Markup page = written(finding(Kind.ORPHAN_ACK).about(new JsonObject().put("ack_id", id)).get());

    assertThat(page.texts("summary").get(0)).contains("x".repeat(64) + "…").doesNotContain("end");
    assertThat(page.section("page")).contains(id).contains("503 characters");
  }

  @Test
  void anIdOfAnyLengthTakesBoundedRoom() {
    String id = "\u202e".repeat(100_000);
    Examples examples = new Examples(20, place -> new Evidence.File(id));
    examples.add(
        finding(Kind.ORPHAN_ACK)
            .about(new JsonObject().put("ack_id", id).put("b", id).put("c", id))
            .sides(new JsonObject().put("a", id), new JsonObject().put("a", id + "x").put("b", id))
            .because(id)
            .get());

    int bytes = examples.chosen().values().iterator().next().get(0).bytes();
    assertThat(bytes).isBetween(1_000, 64_000);
  }

  @Test
  void contentThatCouldNotBeReadIsNotShown() {
    Markup page =
        written(
            finding(Kind.INPUT_ERROR)
                .because("A record cannot be read: not JSON (s3cr3t)")
                .sides(
                    new JsonObject().put("remedy", "mend it"),
                    new JsonObject()
                        .put("column", "payload")
                        .put("value", "s3cr3t")
                        .put("raw_base64", "czNjcjN0"))
                .get());

    assertThat(page.section("page"))
        .contains("not JSON (…)", "mend it", "payload")
        .doesNotContain("s3cr3t", "czNjcjN0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Held back for PT1H by ob-PT4H-9 | Held back for 1 h by ob-PT4H-9",
        "Corrects RECEIPT9S | Corrects RECEIPT9S",
        "late by PT2M. The rest | late by 2 min. The rest",
        "(PT5M, then PT30S) | (5 min, then 30 s)",
        "PT9S_x and a:PT9S and PT9S/1 | PT9S_x and a:PT9S and PT9S/1",
      })
  void durationsAreSpelledOutAndIdsAreNot(String reason, String shown) {
    assertThat(written(finding(Kind.ORPHAN_ACK).because(reason).get()).section("page"))
        .contains(shown);
  }

  @Test
  void keepsTheFirstOfEachKindAndSinceWhenThereAreAny() {
    Examples examples = new Examples(3, place -> new Evidence.File("f"));
    for (int i = 0; i < 10; i++) {
      examples.add(
          finding(Kind.MISSING_ACK)
              .about(new JsonObject().put("outbox_id", "o" + i))
              .at(NOON.minusSeconds(i))
              .get());
    }
    examples.add(finding(Kind.DLQ).at(null).get());

    Examples.OfKind acks = examples.of(Level.ERROR, Kind.MISSING_ACK);
    assertThat(acks.first()).isEqualTo(NOON.minusSeconds(9));
    assertThat(acks.last()).isEqualTo(NOON);
    assertThat(examples.chosen().get(acks)).hasSize(3);
    Examples.OfKind dead = examples.of(Level.WARNING, Kind.DLQ);
    assertThat(dead.first()).isNull();
    assertThat(examples.chosen().get(dead)).hasSize(1);
    assertThat(examples.of(Level.ERROR, Kind.ORPHAN_ACK)).isNull();
  }

  private static Markup written(Finding finding) {
    Examples examples = new Examples(20, place -> new Evidence.Line("events/a.jsonl", 7, 70));
    examples.add(finding);
    return Markup.of(
        Html.document(
            "",
            head -> {},
            body -> {
              body.open("div", "id", "page");
              examples.chosen().values().forEach(all -> all.forEach(body::put));
              body.close();
            }));
  }

  static Builder finding(Kind kind) {
    return new Builder(kind);
  }

  /** A finding with what a test does not care about filled in. */
  static final class Builder {

    private final Kind kind;
    private String subject = "{\"outbox_id\":\"o1\"}";
    private String reason = "Waiting for PT41M18.318S";
    private String expected = "{}";
    private String actual = "{}";
    private Instant at = NOON;

    Builder(Kind kind) {
      this.kind = kind;
    }

    Builder about(JsonObject object) {
      subject = object.toString();
      return this;
    }

    Builder about(String object) {
      subject = object;
      return this;
    }

    Builder because(String sentence) {
      reason = sentence;
      return this;
    }

    Builder sides(JsonObject rules, JsonObject history) {
      expected = rules.toString();
      actual = history.toString();
      return this;
    }

    Builder at(Instant time) {
      at = time;
      return this;
    }

    Finding get() {
      return new Finding(
          kind,
          kind.level(),
          subject,
          Sentence.ofConfigured(reason),
          expected,
          actual,
          "states/1",
          ImmutableList.of(new Place(0, 0, 0, 70, 7)),
          at,
          at,
          ImmutableSortedSet.of("HINT"),
          1);
    }
  }
}
