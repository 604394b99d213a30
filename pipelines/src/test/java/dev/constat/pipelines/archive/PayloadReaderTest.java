package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PayloadReaderTest {

  @TempDir private Path folder;

  @BeforeEach
  void write() throws Exception {
    String rows =
        "SELECT 'i' || i AS ingestion_id, 'S' AS source, '2026-01-05T10:00:00Z' AS occurred_at,"
            + " '2026-01-05T10:00:00Z' AS received_at,"
            + " CASE WHEN i % 10 <> 3 THEN 'body é ' || i END AS body FROM range(5000) t(i)";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String format :
          List.of("x.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048", "x.jsonl' (FORMAT json")) {
        statement.execute("COPY (%s) TO '%s/%s)".formatted(rows, folder, format));
      }
    }
    Files.write(
        folder.resolve("x.jsonl.gz"),
        GzipMembersTest.gzip(Files.readString(folder.resolve("x.jsonl"))));
  }

  private List<String> payloads(Reading reading, String name, List<Row> rows) throws IOException {
    List<String> payloads = new ArrayList<>();
    for (Split split : reading.splits) {
      List<Place> places =
          rows.stream().map(Row::place).filter(place -> place.part() == split.part()).toList();
      PayloadReader.read(
          split,
          reading.archive(name),
          reading.limits(),
          places,
          (place, payload) -> payloads.add(place.position() + " " + Reading.text(payload)));
    }
    return payloads;
  }

  @Test
  void readsAgainWhatStoodThere() throws IOException {
    for (String name : List.of("x.parquet", "x.jsonl", "x.jsonl.gz")) {
      Reading reading =
          Reading.events()
              .columns(Map.of("payload", "body"))
              .splitEvery(100_000)
              .read(folder, name);
      assertThat(reading.rows).as(name).hasSize(5000);
      List<Row> some = new ArrayList<>();
      for (int i = 0; i < 5000; i += 7) {
        some.add(reading.rows.get(i));
      }

      assertThat(payloads(reading, name, some))
          .as(name)
          .isEqualTo(
              some.stream()
                  .map(row -> row.place().position() + " " + Reading.text(row.payload(8)))
                  .toList());
      assertThat(payloads(reading, name, List.of())).isEmpty();
    }
  }

  @Test
  void aFileWithoutPayloadsHasNone() throws IOException {
    for (String name : List.of("x.parquet", "x.jsonl")) {
      Reading reading = Reading.events().read(folder, name);

      assertThat(payloads(reading, name, reading.rows.subList(0, 1))).containsExactly("0 null");
    }
  }

  @Test
  void aPlaceWhereNothingStandsIsABug() throws IOException {
    Reading reading = Reading.events().read(folder, "x.jsonl");
    Row row = reading.rows.get(1);
    Place wrong = new Place(0, 0, 0, row.place().position() + 1, 0);

    assertThatThrownBy(
            () ->
                PayloadReader.read(
                    reading.splits.get(0),
                    reading.archive("x.jsonl"),
                    reading.limits(),
                    List.of(wrong),
                    (place, payload) -> {}))
        .isInstanceOf(IllegalStateException.class);
  }
}
