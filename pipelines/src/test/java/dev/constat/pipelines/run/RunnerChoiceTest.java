package dev.constat.pipelines.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunnerChoiceTest {

  /** Blocks may wait in files of this process only where nobody else has to read them. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "AUTO, 1000, -, true",
        "AUTO, 100000000, -, true",
        "DIRECT, 1000, -, true",
        "EMBEDDED, 1000, -, true",
        "EMBEDDED, 1000, --flinkMaster=[local], true",
        "EMBEDDED, 1000, --flinkMaster=127.0.0.1:8081, false",
        "AUTO, 1000, --runner=FlinkRunner, true",
      })
  void workersAreThreadsOfThisProcessUnlessAClusterIsNamed(
      RunnerChoice choice, long bytes, String argument, boolean here) {
    String[] arguments = argument == null ? new String[0] : new String[] {argument};
    assertThat(RunnerChoice.inThisProcess(choice.options(arguments, bytes, 1, "constat-test")))
        .isEqualTo(here);
  }
}
