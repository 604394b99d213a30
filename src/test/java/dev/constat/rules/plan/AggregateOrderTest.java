package dev.constat.rules.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of one aggregate, and what is sent out of order. */
class AggregateOrderTest {

  private static final Place PLACE = new Place(1, 2, 3, 4, 5);

  private static PlanLine line(String id) {
    Object[] values = new Object[23];
    values[0] = "SEND";
    values[1] = id;
    values[2] = "notify";
    values[3] = "STUCK_PENDING";
    return PlanLine.of(PlanTables.REPAIR_PLAN, new byte[] {7}, PLACE, values);
  }

  /**
   * Rows from first to last: m a message, h one that is nothing where its row is held back, d a
   * delivered row, p a row that is not terminal; mp and the like are one row of both.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "m,          0 safe",
    "m m,        0 safe; 1 safe",
    "m d,        0 OVERTAKEN 1",
    "d m,        1 safe",
    "m d d,      0 OVERTAKEN 1",
    "m d m d m,  0 OVERTAKEN 1; 2 OVERTAKEN 3; 4 safe",
    "md,         0 safe",
    "md d,       0 OVERTAKEN 1",
    "hp,         0 safe",
    "p hp,       1 BLOCKED_BY_HEAD 0",
    "p mp,       1 BLOCKED_BY_HEAD 0",
    "mp m mp,    0 safe; 1 BLOCKED_BY_HEAD 0; 2 BLOCKED_BY_HEAD 0",
    "p md d,     1 BLOCKED_BY_HEAD 0",
    "p hp hp d,  1 BLOCKED_BY_HEAD 0; 2 BLOCKED_BY_HEAD 0",
    "hp p d,     0 OVERTAKEN 2",
  })
  void aMessageIsSafeWhileNothingBehindItWasDelivered(String rows, String expected) {
    List<String> all = Splitter.on(' ').splitToList(rows);
    AggregateOrder order = new AggregateOrder();
    order.begin();
    order.head(new byte[] {99}, "none before");
    order.begin();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).contains("p")) {
        order.head(new byte[] {(byte) i}, Integer.toString(i));
      }
    }
    List<String> said = new ArrayList<>();
    for (int i = all.size() - 1; i >= 0; i--) {
      String row = all.get(i);
      if (row.contains("m") || row.contains("h")) {
        PlanLine line =
            order.message(line(Integer.toString(i)), new byte[] {(byte) i}, row.contains("h"));
        said.add(
            0,
            line.table().equals(PlanTables.REPAIR_PLAN)
                ? i + (Boolean.TRUE.equals(line.value("order_safe")) ? " safe" : " ?")
                : i + " " + line.value("reason") + " " + line.value("because_of"));
      }
      if (row.contains("d")) {
        order.delivered(Integer.toString(i));
      }
    }
    assertThat(String.join("; ", said)).isEqualTo(expected);
  }

  @Test
  void aLineTravelsWhole() {
    PlanLine line = line("o1").with("order_safe", true).withheld(Withheld.OVERTAKEN, "o2");
    KeyWriter out = new KeyWriter();
    line.write(out);
    PlanLine read = PlanLine.read(new KeyReader(out.toBytes()));
    assertThat(read.table()).isEqualTo(PlanTables.WITHHELD_MESSAGES);
    assertThat(read.order()).isEqualTo(line.order());
    assertThat(read.place()).isEqualTo(PLACE);
    assertThat((byte[]) read.value("reason"))
        .isEqualTo("OVERTAKEN".getBytes(StandardCharsets.UTF_8));
    assertThat(read.value("order_safe")).isEqualTo(true);
    Tally tally = new Tally();
    read.countInto(tally);
    line("o3").countInto(tally);
    assertThat(tally.sum(PlanTally.WITHHELD, "OVERTAKEN")).isEqualTo(1);
    assertThat(tally.sum(PlanTally.WITHHELD_MESSAGES, "notify", "STUCK_PENDING")).isEqualTo(1);
    assertThat(tally.sum(PlanTally.MESSAGES, "notify", "STUCK_PENDING")).isEqualTo(1);
  }

  @Test
  void whatIsPlannedComesBeforeWhatIsWithheld() {
    KeyWriter planned = new KeyWriter();
    line("o1").writeOrder(planned);
    KeyWriter withheld = new KeyWriter();
    line("o1").withheld(Withheld.OVERTAKEN, "o2").writeOrder(withheld);
    assertThat(Arrays.compareUnsigned(planned.toBytes(), withheld.toBytes())).isNegative();
  }
}
