package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.spec.RunSpec;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Failures seen by people who run such systems, rebuilt with invented records: each file under
 * {@code cases} holds one, with its right answer.
 */
final class CasesTest {

  private static final int SHUFFLES = 5;
  private static final int SLABS = 3;

  static Stream<Named<CaseFile>> cases() throws IOException, URISyntaxException {
    Path folder = Path.of(CasesTest.class.getResource("cases").toURI());
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString().replace(".case", ""))
          .sorted()
          .map(CaseFile::named)
          .map(c -> Named.of(c.title(), c))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void rightAnswer(CaseFile given) {
    RunOutcome outcome = InMemoryRun.of(given.spec()).run(given.records());

    assertThat(outcome.findingLines()).as("findings").isEqualTo(given.lines("findings"));
    if (given.says("decisions")) {
      assertThat(outcome.decisionLines(CaseFile.UNRELATED))
          .as("decisions")
          .isEqualTo(given.lines("decisions"));
    }
    if (given.says("time")) {
      assertThat(outcome.timeLines(CaseFile.UNRELATED)).as("time").isEqualTo(given.lines("time"));
    }
    if (given.says("cells")) {
      assertThat(outcome.cellLines(given.spec())).as("cells").isEqualTo(given.lines("cells"));
    }
    if (given.says("rules")) {
      assertThat(outcome.ruleLines(CaseFile.UNRELATED)).isEqualTo(given.lines("rules"));
    }
    assertThat(outcome.factLines()).as("facts").containsAll(given.lines("facts"));
    if (given.says("effects")) {
      assertThat(outcome.effectLines(CaseFile.UNRELATED))
          .as("effects")
          .isEqualTo(given.lines("effects"));
    }
    if (given.says("heads")) {
      assertThat(outcome.headLines()).as("heads").isEqualTo(given.lines("heads"));
    }
    if (given.says("order")) {
      assertThat(outcome.orderLines()).as("order").isEqualTo(given.lines("order"));
    }
    assertThat(outcome.quarantineLines()).as("quarantine").isEqualTo(given.lines("quarantine"));
    assertThat(outcome.silentLines()).as("silent").isEqualTo(given.lines("silent"));
    assertThat(outcome.coverageLines()).as("coverage").containsAll(given.lines("coverage"));
    assertThat(outcome.bookLines()).as("books").containsAll(given.lines("books"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void booksBalance(CaseFile given) {
    assertThat(InMemoryRun.of(given.spec()).run(given.records()).unbalanced()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void sameAnswerInAnyOrderInAnyBucketsAndSlabs(CaseFile given) {
    RunSpec spec = given.spec();
    List<ArchiveRecord> records = given.records();
    List<String> report = InMemoryRun.of(spec).run(records).report(true);

    assertThat(
            RunOutcome.differences(
                report, InMemoryRun.of(spec).buckets(16).run(records).report(true)))
        .isEmpty();
    for (int slab = 1; slab <= SLABS; slab++) {
      assertThat(
              RunOutcome.differences(
                  report, InMemoryRun.of(spec).slabs(slab).buckets(16).run(records).report(true)))
          .as("slabs of %s", slab)
          .isEmpty();
    }
    for (int seed = 1; seed <= SHUFFLES; seed++) {
      assertThat(
              RunOutcome.differences(
                  report, InMemoryRun.of(spec).shuffledBy(seed).run(records).report(true)))
          .as("seed %s", seed)
          .isEmpty();
      assertThat(
              RunOutcome.differences(
                  report,
                  InMemoryRun.of(spec).shuffledBy(seed).buckets(16).run(records).report(true)))
          .as("seed %s, 16 buckets", seed)
          .isEmpty();
    }
  }
}
