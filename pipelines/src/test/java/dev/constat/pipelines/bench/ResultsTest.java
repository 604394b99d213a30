package dev.constat.pipelines.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.pipelines.bench.Results.Entry;
import dev.constat.pipelines.bench.Results.Size;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured, and how it is written down. */
final class ResultsTest {

  private static final Machine MACHINE =
      new Machine(
          "A processor",
          2,
          16_000_000_000L,
          "Linux 6",
          "17 (Somebody)",
          "v1",
          LocalDate.of(2026, 1, 5));
  private static final Results RESULTS =
      new Results(
          MACHINE,
          "2g",
          3,
          List.of(
              new Size(
                  1_000_000,
                  3_000_000,
                  List.of(
                      new Entry(
                          "constat",
                          "Constat",
                          2,
                          List.of(
                              new Measurement(9_000, 30_000, 900_000_000),
                              new Measurement(10_000, 15_040, 1_100_000_000),
                              new Measurement(30_000, 16_000, 1_000_000_000)),
                          null),
                      new Entry(
                          "duckdb",
                          "SQL",
                          2,
                          List.of(new Measurement(5_000, 8_000, 4_000_000_000L)),
                          null),
                      new Entry("duckdb-limited", "SQL, limited", 2, List.of(), "out of memory")),
                  List.of("SQL: decisions 7 rows in 30 columns"))));

  @Test
  void eachFigureHasItsOwnMedian() {
    Size size = RESULTS.sizes().get(0);

    assertThat(size.entries().get(0).median())
        .isEqualTo(new Measurement(10_000, 16_000, 1_000_000_000));
    assertThat(ResultTable.perCore(size, size.entries().get(0))).isEqualTo(150_000);
    assertThat(Measurement.median(List.of(new Measurement(1, 2, 3), new Measurement(3, 4, 1))))
        .isEqualTo(new Measurement(1, 2, 1));
  }

  @Test
  void theComparisonIsOneTable() {
    assertThat(ResultTable.ofComparison(RESULTS).lines())
        .containsExactly(
            "| receptions |   records | way          | wall s        | CPU s | peak MB | records/s per"
                + " core | wall of Constat's | CPU of Constat's |",
            "|-----------:|----------:|:-------------|:--------------|------:|--------:|"
                + "-------------------:|------------------:|-----------------:|",
            "|  1,000,000 | 3,000,000 | Constat      | 10.0          |  16.0 |   1,000 |           "
                + " 150,000 |              1.00 |             1.00 |",
            "|  1,000,000 | 3,000,000 | SQL          | 5.0           |   8.0 |   4,000 |           "
                + " 300,000 |              0.50 |             0.50 |",
            "|  1,000,000 | 3,000,000 | SQL, limited | out of memory |       |         |           "
                + "         |                   |                  |");
  }

  @Test
  void growthIsPerMillionRecords() {
    Results growth =
        new Results(
            MACHINE,
            "2g",
            1,
            List.of(
                new Size(
                    1_000_000,
                    3_000_000,
                    List.of(
                        new Entry(
                            "constat",
                            "Constat",
                            1,
                            List.of(new Measurement(20_000, 18_000, 900_000_000)),
                            null)),
                    List.of())));

    assertThat(ResultTable.ofGrowth(growth).lines().skip(2))
        .containsExactly(
            "|  1,000,000 | 3,000,000 |           1 |   20.0 |  18.0 |     900 |   150,000 |       "
                + "                6.0 |");
  }

  @Test
  void memorySaysWhatPassed() {
    Results memory =
        new Results(
            MACHINE,
            "one of 256m, 384m",
            1,
            List.of(
                new Size(
                    1_000,
                    3_000,
                    List.of(
                        new Entry("constat", "256m", 2, List.of(), "out of memory"),
                        new Entry(
                            "constat",
                            "384m",
                            2,
                            List.of(new Measurement(20_000, 18_000, 700_000_000)),
                            null)),
                    List.of())));

    assertThat(ResultTable.ofMemory(memory).lines().skip(2))
        .containsExactly(
            "|      1,000 |   3,000 | 256m | out of memory |        |       |         |",
            "|      1,000 |   3,000 | 384m | passes        |   20.0 |  18.0 |     700 |");
  }

  @Test
  void theJsonHoldsEveryRun() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    ResultJson.write(RESULTS, "comparison", out);

    assertThat(out.toString(UTF_8).replaceAll("\\s+", ""))
        .startsWith("{\"mode\":\"comparison\",\"heap\":\"2g\",\"rounds\":3,\"machine\":{")
        .contains("\"day\":\"2026-01-05\"")
        .contains(
            "\"median\":{\"wall_ms\":10000,\"cpu_ms\":16000,\"peak_bytes\":1000000000,"
                + "\"records_per_second_per_core\":150000},\"runs\":[{\"wall_ms\":9000,")
        .contains("\"failure\":\"outofmemory\",\"runs\":[]")
        .contains("\"compared\":[\"SQL:decisions7rowsin30columns\"]");
  }

  @Test
  void aModeWritesItsOwnPartOnly(@TempDir Path folder) throws IOException {
    Path page = folder.resolve("bench/RESULTS.md");
    String part = ResultsPage.part(RESULTS, ResultTable.ofComparison(RESULTS));

    ResultsPage.write(page, "comparison", part);
    Files.writeString(page, Files.readString(page) + "\n## By hand\n");
    ResultsPage.write(page, "growth", "a curve");
    ResultsPage.write(page, "comparison", "another " + part);

    assertThat(Files.readString(page))
        .startsWith("# Benchmark\n")
        .contains("<!-- bench:growth -->\n\na curve\n\n<!-- /bench:growth -->")
        .contains(
            "another Measured on 2026-01-05: A processor, 2 cores, 16.0 GB of memory, Linux 6")
        .containsOnlyOnce("Measured on")
        .contains("medians of 3 runs")
        .contains("- 1,000,000 receptions, SQL: decisions 7 rows in 30 columns")
        .endsWith("\n## By hand\n");
    assertThatThrownBy(() -> ResultsPage.replaced("no marks", "memory", "text"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("put <!-- bench:memory --> and <!-- /bench:memory -->");
  }

  @Test
  void aProcessIsMeasuredFromOutside(@TempDir Path folder) throws Exception {
    MeasuredProcess process =
        MeasuredProcess.run(
            List.of("bash", "-c", "for i in {1..100000}; do :; done; sleep 0.3; echo $X; exit 3"),
            Map.of("X", "said"),
            folder.resolve("log"),
            1);

    assertThat(process.exitCode()).isEqualTo(3);
    assertThat(process.end()).isEqualTo("said");
    assertThat(process.measurement().wallMillis()).isGreaterThanOrEqualTo(300);
    assertThat(process.measurement().cpuMillis())
        .isBetween(10L, process.measurement().wallMillis());
    assertThat(process.measurement().peakBytes()).isBetween(1_000_000L, 100_000_000L);
  }

  @Test
  void figuresAreReadAsTheSystemWritesThem() {
    assertThat(MeasuredProcess.cpuMillis("0m0.001s 0m0.002s\n1m2.345s 0m0.655s\n"))
        .isEqualTo(63_000);
    assertThat(MeasuredProcess.peakBytes("VmPeak:\t  9 kB\nVmHWM:\t    12 kB\n")).isEqualTo(12_288);
    assertThatThrownBy(() -> MeasuredProcess.cpuMillis("nothing"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anArchiveHasOneCut(@TempDir Path folder) throws IOException {
    Path spec = folder.resolve("constat.yaml");
    String events = "constat: 1\narchives:\n  events: {files: e, cut: 2026-01-07T00:00:00Z}\n";
    String other = "  outbox: {files: o, cut: 2026-01-08T00:00:00Z}\n";

    assertThat(BenchArchive.of(Files.writeString(spec, events)))
        .isEqualTo(new BenchArchive(spec, "2026-01-07T00:00:00Z", "default"));
    Files.writeString(spec, events + other);
    assertThatThrownBy(() -> BenchArchive.of(spec))
        .hasMessageContaining(
            "cuts its inputs at 2026-01-07T00:00:00Z and at 2026-01-08T00:00:00Z");
    Files.writeString(spec, "constat: 1\n");
    assertThatThrownBy(() -> BenchArchive.of(spec)).hasMessageContaining("declares no cut");
  }
}
