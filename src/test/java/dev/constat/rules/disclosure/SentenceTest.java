package dev.constat.rules.disclosure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SentenceTest {

  private static final Sentence SENTENCE =
      Sentence.of("Held back for ")
          .and(Duration.ofMinutes(2))
          .and(" by ")
          .value("outbox_id", "o\u00e91")
          .and(", ")
          .value("outbox_id", null)
          .and(" of ")
          .value("source", "")
          .and(" and ")
          .and(3);

  @Test
  void readsLikeAText() {
    assertThat(SENTENCE).hasToString("Held back for PT2M by o\u00e91, null of  and 3");
  }

  @Test
  void valuesAreReplacedByColumnAndNothingElseIs() {
    assertThat(SENTENCE.with((column, value) -> "<" + column + " " + value + ">"))
        .isEqualTo("Held back for PT2M by <outbox_id o\u00e91>, null of <source > and 3");
  }

  @Test
  void bytesHoldAllOfIt() {
    Sentence read = Sentence.read(SENTENCE.toBytes());
    assertThat(read).hasToString(SENTENCE.toString());
    assertThat(read.with((column, value) -> column))
        .isEqualTo(SENTENCE.with((column, value) -> column));
    assertThat(new String(Sentence.words(SENTENCE.toBytes()), UTF_8))
        .isEqualTo(SENTENCE.toString());
  }

  @Test
  void aSentenceWithoutValuesIsItsUtf8() {
    byte[] bytes = Sentence.of("first reception of its key").toBytes();
    assertThat(new String(bytes, UTF_8)).isEqualTo("first reception of its key");
    assertThat(Sentence.words(bytes)).isSameAs(bytes);
  }
}
