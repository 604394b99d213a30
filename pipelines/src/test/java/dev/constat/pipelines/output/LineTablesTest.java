package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineTablesTest {

  private static final TableSchema TABLE =
      TableSchema.of(
          "plan",
          new Column("position", Type.LONG),
          new Column("id", Type.TEXT),
          new Column("headers.a", Type.TEXT),
          new Column("headers.b.c", Type.TEXT),
          new Column("proof.since", Type.TIME),
          new Column("safe", Type.BOOLEAN),
          new Column("effects", Type.JSON));

  @TempDir private Path staging;

  private LineTables tables() {
    return new LineTables(staging.toString());
  }

  private TableSink.Receipt write(int bucket, Object[]... rows) throws IOException {
    try (TableSink.Part part = tables().open(TABLE, bucket, 16)) {
      for (Object[] row : rows) {
        part.add(row);
      }
      return part.finish().orElseThrow();
    }
  }

  @Test
  void aRowIsALineAndADotAnObject() throws IOException {
    TableSink.Receipt receipt =
        write(
            3,
            new Object[] {
              1L,
              "o1".getBytes(StandardCharsets.UTF_8),
              "x",
              "y",
              Instant.parse("2026-01-05T10:00:00.000000001Z"),
              true,
              "[{\"n\":1}]"
            },
            new Object[] {2L, null, null, "y", null, null, null},
            new Object[] {3L, "o3", null, null, null, false, "[]"});
    assertThat(staging.resolve("plan.jsonl"))
        .hasContent(
            """
            {"position":1,"id":"o1","headers":{"a":"x","b.c":"y"},\
            "proof":{"since":"2026-01-05T10:00:00.000000001Z"},"safe":true,"effects":[{"n":1}]}
            {"position":2,"id":null,"headers":{"b.c":"y"},"safe":null,"effects":null}
            {"position":3,"id":"o3","safe":false,"effects":[]}
            """);
    assertThat(receipt.rows()).isEqualTo(3);
    assertThat(receipt.bytes()).isEqualTo(Files.size(staging.resolve("plan.jsonl")));
    assertThat(write(0, new Object[] {1L, null, null, null, null, null, null}).file())
        .isEqualTo(receipt.file());
  }

  @Test
  void nothingInALineIsObeyed() throws IOException {
    write(0, new Object[] {1L, "\u001b[2J\u202e", null, null, null, null, "[\"\u009b\"]"});
    assertThat(Files.readString(staging.resolve("plan.jsonl")))
        .isEqualTo(
            "{\"position\":1,\"id\":\"\\u001B[2J\\u202e\",\"safe\":null,"
                + "\"effects\":[\"\\u009b\"]}\n");
  }

  @Test
  void aTableWithoutRowsIsAnEmptyFile() throws IOException {
    ImmutableList<TableSink.Receipt> completed = tables().completing(List.of(TABLE), List.of());
    assertThat(completed).hasSize(1);
    assertThat(staging.resolve("plan.jsonl")).isEmptyFile();
    assertThat(tables().completing(List.of(TABLE), completed)).isEmpty();
  }

  @Test
  void aPartThatIsNotFinishedLeavesNothing() throws IOException {
    try (TableSink.Part part = tables().open(TABLE, 0, 1)) {
      part.add(new Object[] {1L, null, null, null, null, null, null});
    }
    try (Stream<Path> left = Files.list(staging)) {
      assertThat(left).isEmpty();
    }
    try (TableSink.Part part = tables().open(TABLE, 0, 1)) {
      assertThat(part.finish()).isEmpty();
    }
  }

  @Test
  void bytesHaveNoForm() throws IOException {
    TableSchema bytes = TableSchema.of("bytes", new Column("b", Type.BYTES));
    try (TableSink.Part part = tables().open(bytes, 0, 1)) {
      assertThatThrownBy(() -> part.add(new Object[] {new byte[1]}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Column b of bytes has no form in JSON lines");
    }
  }
}
