package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The nearest known name by edit distance; abbreviations count as near. */
class NearestNameTest {

  private static final List<String> KNOWN =
      List.of("events", "outbox", "acknowledgements", "decisions", "replays");

  @ParameterizedTest
  @CsvSource({
    "event, events",
    "vents, events",
    "evnets, events",
    "OUTBOX, outbox",
    "outbocks, outbox",
    "acks, acknowledgements",
    "acknowledgments, acknowledgements",
    "decision, decisions",
    "relpays, replays",
    "x, outbox"
  })
  void fewestEditsWin(String name, String nearest) {
    assertThat(NearestName.of(name, KNOWN)).isEqualTo(nearest);
  }
}
