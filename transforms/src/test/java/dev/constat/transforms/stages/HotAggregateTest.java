package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.order.Release;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.table.TableSchema;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockStore;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.buckets.HeapSpillSpace;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.scan.Samples;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A million rows in one aggregate, which no bucket holds alone. */
final class HotAggregateTest {

  private static final int MANY = 1_000_000;
  private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  private static final Buckets BUCKETS = new Buckets(16);

  private final Tally tally = new Tally();
  private final List<Finding> waits = new ArrayList<>();
  private final Map<Integer, List<byte[]>> blocks = new HashMap<>();
  private final BlockAppender appender = new BlockAppender(BUCKETS, BlockStore.TRAVELLING);
  private final Map<Integer, Set<String>> groups = new HashMap<>();
  private long findings;
  private long heads;

  @Test
  void isWorkedOnInSlabs() throws IOException {
    appender.to(
        (bucket, block) -> blocks.computeIfAbsent(bucket, b -> new ArrayList<>()).add(block));
    sample();
    Aggregates aggregates = Aggregates.of(tally, SlabPlan.DEFAULT, BUCKETS);
    AggregateRecords records = new AggregateRecords(this::append, aggregates, false);
    // In pieces that are far apart, as other stages give them.
    for (int i = 0; i < MANY; i++) {
      records.append(row((int) (i * 7_919L % MANY)));
    }
    appender.flush();
    records.addTo(tally);

    RunSpec spec = spec();
    RunFacts facts = RunFacts.of(spec, tally);
    Aggregates.Surroundings surroundings = aggregates.surroundings(tally);
    HeapSpillSpace space = new HeapSpillSpace();
    try (RecordSorter sorter = new RecordSorter(space, 4L << 20)) {
      for (List<byte[]> ofBucket : blocks.values()) {
        sorter.clear();
        for (byte[] block : ofBucket) {
          sorter.addBlock(BlockStore.TRAVELLING, block);
        }
        new AggregateFold(facts, surroundings, new Notes()).fold(sorter.sort());
      }
    }

    assertThat(groups).as("buckets").hasSizeGreaterThan(10);
    assertThat(groups.values().stream().mapToInt(Set::size).sum()).as("slabs").isGreaterThan(40);
    assertThat(space.opened()).as("spilled runs").isGreaterThan(10);
    OrderReport.OfType type = OrderReport.of(tally, false).types().get(0);
    assertThat(type.delivered()).isEqualTo(MANY - 1);
    assertThat(type.overtakings()).containsEntry("RETRY_OVERTAKE", MANY / 10L - 1);
    assertThat(findings).isEqualTo(MANY / 10 - 1 + 1);
    assertThat(waits)
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.subject())
                    .isEqualTo("{\"outbox_id\":\"" + id(MANY - 1) + "\"}"));
    assertThat(heads).isEqualTo(2);
  }

  private static String id(int i) {
    return "o" + (10_000_000 + i);
  }

  /**
   * Rows a millisecond apart, each delivered as soon as it is there; but the first waits until a
   * tenth of the others are, and the last but one for ever.
   */
  private static AggregateRow row(int i) {
    Instant created = START.plusMillis(i);
    boolean never = i == MANY - 2;
    return new AggregateRow(
        "acct",
        "a1",
        id(i),
        created,
        "notify",
        true,
        true,
        true,
        false,
        false,
        never ? Status.PENDING : Status.DISPATCHED,
        never ? Release.NEVER : Release.AT_A_TIME,
        never ? null : i == 0 ? START.plusMillis(MANY / 10).minusNanos(1) : created,
        null,
        i == 0 ? 2L : 1L,
        0L,
        null,
        null,
        new Place(Input.OUTBOX.ordinal(), 0, 0, i, 0));
  }

  private void sample() {
    Samples samples = SlabPlan.DEFAULT.samples("order");
    KeyWriter scope = new KeyWriter();
    KeyWriter created = new KeyWriter();
    KeyWriter id = new KeyWriter();
    for (int i = 0; i < MANY; i++) {
      AggregateRow.writeScope(scope.clear(), "acct", "a1");
      samples.count(
          tally, id.clear().text(id(i)), scope, created.clear().instant(START.plusMillis(i)));
    }
    tally.add(MANY, ReadTally.USABLE, Input.OUTBOX.key());
  }

  private static RunSpec spec() {
    return RunSpecParser.parse(
        """
        constat: 1
        archives:
          events: {files: e, cut: 2026-01-05T12:00:00Z}
          outbox: {files: o, cut: 2026-01-05T12:00:00Z}
        effects:
          - {type: notify, order: aggregate}
        """,
        "constat.yaml",
        "hot");
  }

  private void append(KeyWriter group, KeyWriter order, int kind, KeyWriter body) {
    appender.append(group, order, kind, body);
    byte[] bytes = group.toBytes();
    groups
        .computeIfAbsent(BUCKETS.of(bytes), bucket -> new HashSet<>())
        .add(Arrays.toString(bytes));
  }

  /** Takes down what is said. */
  private final class Notes implements Notebook {

    @Override
    public void row(TableSchema table, Object[] row) {
      heads++;
    }

    @Override
    public void complete(TableSchema table) {
      // nothing is kept
    }

    @Override
    public void finding(Finding finding) {
      findings++;
      if (finding.reason().contains("which still waits")) {
        waits.add(finding);
      }
    }

    @Override
    public Tally tally() {
      return tally;
    }
  }
}
