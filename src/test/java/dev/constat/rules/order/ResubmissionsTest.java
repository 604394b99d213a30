package dev.constat.rules.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What went ahead of rows that were sent again agrees with comparing each with each. */
final class ResubmissionsTest {

  @Test
  void agreesWithComparingEachWithEach() {
    Resubmissions resubmissions = new Resubmissions();
    int found = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      Random chance = new Random(seed);
      List<AggregateRow> rows = new ArrayList<>();
      for (int i = 0; i < 1 + chance.nextInt(25); i++) {
        AggregateRows row = AggregateRows.of("o" + (100 + i)).created(i / 3);
        if (chance.nextInt(5) > 0) {
          row.delivered(chance.nextInt(12));
        }
        if (chance.nextInt(2) == 0) {
          row.dead(chance.nextInt(12));
        }
        rows.add(row.get());
      }
      int from = chance.nextInt(rows.size());
      List<String> expected = expected(rows, from);
      found += expected.size();
      assertThat(scanned(resubmissions, rows, from)).as("seed %s", seed).isEqualTo(expected);
    }
    assertThat(found).isGreaterThan(800);
  }

  /** Those before {@code from} stand in an earlier part. */
  private static List<String> scanned(
      Resubmissions resubmissions, List<AggregateRow> rows, int from) {
    for (AggregateRow row : rows) {
      if (row.resubmitted()) {
        resubmissions.add(row, AggregateRows.position(row).toBytes());
      }
    }
    for (AggregateRow row : rows.subList(from, rows.size())) {
      byte[] position = AggregateRows.position(row).toBytes();
      resubmissions.next(row, position, 0, position.length);
    }
    List<String> said = new ArrayList<>();
    resubmissions.end((row, ahead, count) -> said.add(line(row, ahead, count)));
    return said;
  }

  private static List<String> expected(List<AggregateRow> rows, int from) {
    List<String> said = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      AggregateRow row = rows.get(i);
      if (!row.resubmitted()) {
        continue;
      }
      List<AggregateRow> ahead =
          rows.subList(Math.max(from, i + 1), Math.max(from, rows.size())).stream()
              .filter(other -> other.delivery() != null)
              .filter(other -> !other.delivery().isBefore(row.dlqAt()))
              .filter(other -> other.delivery().isBefore(row.delivery()))
              .toList();
      if (!ahead.isEmpty()) {
        said.add(line(row, ahead.get(0), ahead.size()));
      }
    }
    return said;
  }

  private static String line(AggregateRow row, AggregateRow ahead, long count) {
    return row.outboxId() + " behind " + ahead.outboxId() + " x" + count;
  }
}
