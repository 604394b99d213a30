package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.findings.Finding;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputFindingsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "the line is no JSON | {\"card\": 4111 | A record cannot be read: the line is no JSON (…)",
        "status is paid, not one of these | paid | A record cannot be read: status is …, not one of these",
        "the time is none | e | A record cannot be read: the time is none",
        "it is e, not a time | e | A record cannot be read: it is …, not a time",
        "the checksum is wrong | - | A record cannot be read: the checksum is wrong",
      })
  void contentIsLeftOutAndTheWordsStay(String problem, String value, String shown) {
    Finding finding =
        InputFindings.unreadable(
            Input.EVENTS,
            new Unreadable(
                Places.of(Input.EVENTS, "3"),
                true,
                null,
                value,
                problem,
                "mend it",
                "raw".getBytes(StandardCharsets.UTF_8),
                3));
    assertThat(InputFindings.withoutContent(finding)).isEqualTo(shown);
    assertThat(finding.reason()).contains(problem);
  }
}
