package dev.constat.transforms.stages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Ordering;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.plan.PlanTables;
import dev.constat.rules.plan.PlanTally;
import dev.constat.rules.plan.RepairPlanner;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.spec.Plan;
import dev.constat.rules.spec.RepairPlan;
import dev.constat.rules.spec.ReplayPlan;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of whole histories: nothing is left out, nothing is sent twice, nothing overtakes. */
final class PlansTest {

  private static final int HISTORIES = 140;

  private static final String ARCHIVES =
      """
      constat: 1
      as_of: 2026-01-05T12:00:00Z
      archives:
        events: {files: e, allow_empty: true, cut: 2026-01-05T12:00:00Z}
        outbox: {files: o, allow_empty: true, cut: 2026-01-05T12:00:00Z}
        acknowledgements: {files: a, allow_empty: true, cut: 2026-01-05T12:00:00Z}
      """;

  private static final String ORDERED =
      "effects: {type: notify, consumers: [c1], order: aggregate, replayable: true}\n";

  private static final ImmutableList<String> CONTRACTS =
      ImmutableList.of(
          """
          effects:
            - {type: notify, consumers: [c1]}
            - {type: bill, consumers: [c1, c2], when: {source: S}}
          """,
          ORDERED,
          """
          sources:
            - {source: "*", identity: {scope: [instrument]}, schema_versions: ["1"]}
          effects:
            - {type: notify, order: aggregate}
          """,
          """
          sources:
            - {source: S, identity: {revision: /payload/rev}}
          effects:
            - {type: notify, consumers: [c1], grace: PT2H, when: {decision: ACCEPTED}}
            - {type: notify, consumers: [c2], max_attempts: 2}
          """,
          """
          sources:
            - {source: S, sequence: {scope: [partition], dense: true}}
          effects:
            - {type: notify, consumers: [c1], order: aggregate, when: {timeliness: ON_TIME}}
            - {type: notify, consumers: [c2], order: aggregate, when: {timeliness: LATE}}
            - {type: bill, consumers: [c1], when: {timeliness: [LATE, FUTURE]}}
          """);

  static LongStream seeds() {
    return LongStream.range(0, HISTORIES);
  }

  private static RunSpec spec(String contract, Plan plan) {
    return RunSpecParser.parse(ARCHIVES + contract, "constat.yaml", "history").planning(plan);
  }

  private static RunSpec spec(long seed, Plan plan) {
    return spec(CONTRACTS.get((int) (seed % CONTRACTS.size())), plan);
  }

  private static ReplayPlan replay(String topic) {
    return new ReplayPlan(topic, null, null, "r");
  }

  /** The inputs that a plan looks at, with topics and aggregates here and there. */
  private static List<ArchiveRecord> with(List<ArchiveRecord> history, long seed) {
    Random chance = new Random(seed);
    List<ArchiveRecord> records = new ArrayList<>();
    for (ArchiveRecord record : history) {
      if (record.input() == Input.DECISIONS
          || record.input() == Input.PROJECTIONS
          || record.input() == Input.REPLAYS) {
        continue;
      }
      ArchiveRecord copy = record.copy();
      if (copy.input() != Input.ACKNOWLEDGEMENTS) {
        if (!copy.columns().has("aggregate_id") && chance.nextInt(5) > 0) {
          copy.columns().put("aggregate_id", "a" + chance.nextInt(2));
        }
        int topic = chance.nextInt(5);
        if (topic < 4) {
          copy.columns().put("topic", topic < 2 ? "t" : "u");
        }
      }
      records.add(copy);
    }
    return records;
  }

  private static List<Object[]> rows(RunOutcome outcome, TableSchema table) {
    return outcome.tables().getOrDefault(table.name(), List.of());
  }

  private static Object value(TableSchema table, Object[] row, String column) {
    return RunOutcome.value(table, row, column);
  }

  private static List<String> fingerprints(Object findings) {
    List<String> fingerprints = new ArrayList<>();
    try {
      byte[] json = findings instanceof byte[] utf8 ? utf8 : ((String) findings).getBytes(UTF_8);
      for (JsonValue finding : ((JsonValue.Elements) StrictJson.parse(json)).inOrder()) {
        fingerprints.add(
            Finding.fingerprint(
                Kind.valueOf(finding.at("/kind").asText()), finding.at("/subject").asText()));
      }
    } catch (MalformedJsonException e) {
      throw new IllegalStateException(e);
    }
    return fingerprints;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyErrorThatAMessageMendsIsPlannedOrWithheldOnce(long seed) {
    RunOutcome outcome =
        InMemoryRun.of(spec(seed, new RepairPlan())).run(with(RandomHistory.wild(seed), seed));
    List<String> found = new ArrayList<>();
    for (Finding finding : outcome.findings()) {
      if (RepairPlanner.mends(finding.kind())) {
        found.add(finding.fingerprint());
      }
    }
    List<String> planned = new ArrayList<>();
    for (Object[] row : rows(outcome, PlanTables.REPAIR_PLAN)) {
      planned.addAll(fingerprints(value(PlanTables.REPAIR_PLAN, row, "findings")));
    }
    for (Object[] row : rows(outcome, PlanTables.WITHHELD_MESSAGES)) {
      if (!"BLOCKED_BY_HEAD".equals(value(PlanTables.WITHHELD_MESSAGES, row, "kind"))) {
        planned.addAll(fingerprints(value(PlanTables.WITHHELD_MESSAGES, row, "findings")));
      }
    }
    assertThat(planned).containsExactlyInAnyOrderElementsOf(found);
    assertThat(outcome.unbalanced()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsSentToWhomeverHasAcknowledgedIt(long seed) {
    RunOutcome outcome =
        InMemoryRun.of(spec(seed, new RepairPlan())).run(with(RandomHistory.wild(seed), seed));
    for (Object[] row : rows(outcome, PlanTables.REPAIR_PLAN)) {
      Object consumers = value(PlanTables.REPAIR_PLAN, row, "consumers");
      for (Object[] effect : outcome.effects()) {
        boolean same =
            List.of("source", "source_event_id", "key", "effect_type").stream()
                .allMatch(
                    column ->
                        Objects.equals(
                            value(Tables.EFFECTS, effect, column),
                            value(PlanTables.REPAIR_PLAN, row, column)));
        if (same
            && !"REPLAY".equals(value(Tables.EFFECTS, effect, "outcome"))
            && (Long) value(Tables.EFFECTS, effect, "acks") > 0) {
          String consumer = "\"" + value(Tables.EFFECTS, effect, "consumer") + "\"";
          assertThat(consumers).isNotNull();
          assertThat(consumers.toString()).doesNotContain(consumer);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPlanIsTheSameHoweverTheWorkIsCut(long seed) {
    for (Plan plan : List.of(new RepairPlan(), replay("t"))) {
      RunSpec spec = spec(seed, plan);
      List<ArchiveRecord> records = with(RandomHistory.wild(seed), seed);
      List<String> lines = lines(InMemoryRun.of(spec).run(records), plan);
      assertThat(lines(InMemoryRun.of(spec).buckets(16).run(records), plan)).isEqualTo(lines);
      assertThat(
              lines(InMemoryRun.of(spec).slabs(2).buckets(16).shuffledBy(seed).run(records), plan))
          .isEqualTo(lines);
    }
  }

  private static List<String> lines(RunOutcome outcome, Plan plan) {
    List<String> lines = new ArrayList<>();
    for (TableSchema table : PlanTables.of(plan)) {
      for (Object[] row : rows(outcome, table)) {
        lines.add(table.name() + Arrays.toString(row));
      }
    }
    return lines;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyAcceptedEventIsOfOneTopicOrOfNone(long seed) {
    List<ArchiveRecord> records = with(RandomHistory.clean(seed), seed);
    long events = 0;
    long without = 0;
    TreeSet<String> keys = new TreeSet<>();
    RunOutcome outcome = null;
    for (String topic : List.of("t", "u")) {
      outcome = InMemoryRun.of(spec(ORDERED, replay(topic))).run(records);
      List<Object[]> rows = rows(outcome, PlanTables.REPLAY_PLAN);
      events += rows.size();
      without = outcome.tally().sum(PlanTally.WITHOUT_TOPIC);
      List<String> order = new ArrayList<>();
      long position = 0;
      for (Object[] row : rows) {
        assertThat(row[0]).isEqualTo(++position);
        order.add(
            value(PlanTables.REPLAY_PLAN, row, "created_at")
                + " "
                + value(PlanTables.REPLAY_PLAN, row, "source_event_id"));
        keys.add((String) value(PlanTables.REPLAY_PLAN, row, "key"));
      }
      assertThat(Ordering.natural().isOrdered(order)).as(order.toString()).isTrue();
      assertThat(outcome.tally().sum(PlanTally.EVENTS)).isEqualTo(rows.size());
      assertThat(outcome.unbalanced()).isEmpty();
    }
    assertThat(events + without)
        .isEqualTo(outcome.tally().sum(CheckTally.BOOK, Input.EVENTS.key(), "keys"));
    assertThat(keys).hasSize((int) events);
  }

  /** Rows of one aggregate in any state, some of them of events that nobody received. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void nothingIsPlannedThatALaterRowOvertook(int buckets) {
    for (long seed = 0; seed < HISTORIES; seed++) {
      Random chance = new Random(seed);
      List<ArchiveRecord> records = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      int rows = 1 + chance.nextInt(10);
      String[] states = new String[rows];
      records.add(
          ArchiveRecord.ofLine(
              "{\"k\":\"ack\",\"outbox\":\"gone\",\"acked_at\":\"2026-01-05T08:00:00Z\"}"));
      for (int i = 0; i < rows; i++) {
        states[i] = List.of("DISPATCHED", "PENDING", "PROCESSING", "DLQ").get(chance.nextInt(4));
      }
      for (int i = 0; i < rows; i++) {
        String time = "2026-01-05T08:0%s:00Z".formatted(i);
        records.add(
            ArchiveRecord.ofLine(
                ("{\"k\":\"ev\",\"ingestion_id\":\"i%s\",\"source_event_id\":\"e%s\","
                        + "\"occurred_at\":\"%s\"}")
                    .formatted(i, i, time)));
        records.add(
            ArchiveRecord.ofLine(
                ("{\"k\":\"ob\",\"id\":\"o%s\",\"event\":\"S/e%s\",\"effect_type\":\"notify\","
                        + "\"status\":\"%s\",\"created_at\":\"%s\"}")
                    .formatted(i, i, states[i], time)));
        if (states[i].equals("DISPATCHED")) {
          records.add(
              ArchiveRecord.ofLine(
                  ("{\"k\":\"ack\",\"outbox\":\"o%s\",\"consumer\":\"c1\","
                          + "\"acked_at\":\"2026-01-05T09:00:00Z\",\"effect_key\":\"k\"}")
                      .formatted(i)));
        } else if (!states[i].equals("DLQ")) {
          expected.add("o" + i + " " + expected(states, i));
        }
      }
      RunOutcome outcome =
          InMemoryRun.of(spec(ORDERED, new RepairPlan())).buckets(buckets).run(records);
      List<String> said = new ArrayList<>();
      for (Object[] row : rows(outcome, PlanTables.REPAIR_PLAN)) {
        said.add(
            value(PlanTables.REPAIR_PLAN, row, "outbox_id")
                + " "
                + value(PlanTables.REPAIR_PLAN, row, "order_safe"));
      }
      for (Object[] row : rows(outcome, PlanTables.WITHHELD_MESSAGES)) {
        said.add(
            value(PlanTables.WITHHELD_MESSAGES, row, "outbox_id")
                + " "
                + value(PlanTables.WITHHELD_MESSAGES, row, "reason")
                + " "
                + value(PlanTables.WITHHELD_MESSAGES, row, "because_of"));
      }
      assertThat(said)
          .as("seed %s: %s", seed, Arrays.toString(states))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static String expected(String[] states, int row) {
    for (int before = 0; before < row; before++) {
      if (states[before].startsWith("P")) {
        return "BLOCKED_BY_HEAD o" + before;
      }
    }
    for (int behind = row + 1; behind < states.length; behind++) {
      if (states[behind].equals("DISPATCHED")) {
        return "OVERTAKEN o" + behind;
      }
    }
    return "true";
  }

  private static RunOutcome run(String contract, Plan plan, String... lines) {
    return InMemoryRun.of(spec(contract, plan)).run(ArchiveRecord.ofLines(List.of(lines)));
  }

  @Test
  void whatDependsOnTheClockIsPlannedWhenItHasSpoken() {
    String contract =
        """
        effects:
          - {type: hurry, consumers: [c1], replayable: true, when: {timeliness: ON_TIME}}
          - {type: mend, consumers: [c1, c2], replayable: true, when: {timeliness: LATE}}
          - {type: warn, consumers: [c3], replayable: true, when: {timeliness: FUTURE}}
        """;
    String[] events = {
      "{\"k\":\"ev\",\"ingestion_id\":\"i1\",\"source_event_id\":\"e1\",\"topic\":\"t\","
          + "\"occurred_at\":\"2026-01-05T10:00:00Z\"}",
      "{\"k\":\"ev\",\"ingestion_id\":\"i2\",\"source_event_id\":\"e2\",\"topic\":\"t\","
          + "\"occurred_at\":\"2026-01-05T09:00:00Z\",\"received_at\":\"2026-01-05T10:01:00Z\"}",
      "{\"k\":\"ev\",\"ingestion_id\":\"i3\",\"source_event_id\":\"e3\",\"topic\":\"t\","
          + "\"occurred_at\":\"2026-01-05T11:30:00Z\",\"received_at\":\"2026-01-05T10:02:00Z\"}",
      "{\"k\":\"ob\",\"id\":\"o\",\"event\":\"S/e9\",\"effect_type\":\"hurry\","
          + "\"status\":\"DLQ\",\"created_at\":\"2026-01-05T08:00:01Z\"}",
      "{\"k\":\"ack\",\"outbox\":\"o\",\"consumer\":\"c1\",\"acked_at\":\"2026-01-05T08:00:02Z\"}"
    };

    RunOutcome replay = run(contract, replay("t"), events);
    assertThat(rows(replay, PlanTables.REPLAY_PLAN))
        .extracting(
            row ->
                value(PlanTables.REPLAY_PLAN, row, "source_event_id")
                    + " "
                    + value(PlanTables.REPLAY_PLAN, row, "effects"))
        .containsExactly(
            "e1 [{\"already_acknowledged\":[],\"consumers\":[\"c1\"],\"effect_type\":\"hurry\"}]",
            "e2 [{\"already_acknowledged\":[],\"consumers\":[\"c1\",\"c2\"],"
                + "\"effect_type\":\"mend\"}]",
            "e3 [{\"already_acknowledged\":[],\"consumers\":[\"c3\"],\"effect_type\":\"warn\"}]");
    assertThat(replay.tally().sum(PlanTally.EFFECTS, "mend", PlanTally.Line.PREDICTED.name()))
        .isEqualTo(2);

    RunOutcome repair = run(contract, new RepairPlan(), events);
    assertThat(rows(repair, PlanTables.REPAIR_PLAN))
        .extracting(
            row ->
                value(PlanTables.REPAIR_PLAN, row, "source_event_id")
                    + " "
                    + value(PlanTables.REPAIR_PLAN, row, "effect_type")
                    + " "
                    + value(PlanTables.REPAIR_PLAN, row, "consumers"))
        .containsExactly("e1 hurry [\"c1\"]", "e2 mend [\"c1\",\"c2\"]", "e3 warn [\"c3\"]");
  }

  @Test
  void aRowThatWasDeletedIsNotSentAgain() {
    RunOutcome outcome =
        run(
            "effects: {type: notify, consumers: [c1]}\n",
            new RepairPlan(),
            "{\"k\":\"ev\",\"ingestion_id\":\"i1\",\"source_event_id\":\"e1\","
                + "\"occurred_at\":\"2026-01-05T10:00:00Z\"}",
            "{\"k\":\"ob\",\"id\":\"o\",\"event\":\"S/e9\",\"effect_type\":\"x\","
                + "\"status\":\"DLQ\",\"created_at\":\"2026-01-05T08:00:01Z\"}",
            "{\"k\":\"ack\",\"ack_id\":\"a1\",\"outbox\":\"gone\",\"consumer\":\"c1\","
                + "\"source\":\"S\",\"source_event_id\":\"e1\","
                + "\"acked_at\":\"2026-01-05T10:00:02Z\"}");
    assertThat(rows(outcome, PlanTables.REPAIR_PLAN)).isEmpty();
    assertThat(rows(outcome, PlanTables.WITHHELD_MESSAGES))
        .extracting(
            row ->
                value(PlanTables.WITHHELD_MESSAGES, row, "reason")
                    + " "
                    + value(PlanTables.WITHHELD_MESSAGES, row, "because_of"))
        .containsExactly("ACKNOWLEDGED_WITHOUT_ROW a1");
  }

  @Test
  void linesSayWhereTheRawRecordStands() {
    RunOutcome outcome =
        run(
            ORDERED,
            replay("t"),
            "{\"k\":\"ev\",\"ingestion_id\":\"i1\",\"source_event_id\":\"e1\",\"topic\":\"t\","
                + "\"occurred_at\":\"2026-01-05T10:00:00Z\",\"file\":\"b\"}",
            "{\"k\":\"ev\",\"ingestion_id\":\"i2\",\"source_event_id\":\"e2\",\"topic\":\"t\","
                + "\"occurred_at\":\"2026-01-05T10:00:01Z\",\"file\":\"a\"}");
    assertThat(rows(outcome, PlanTables.REPLAY_PLAN))
        .extracting(
            row ->
                value(PlanTables.REPLAY_PLAN, row, "source_event_id")
                    + " "
                    + value(PlanTables.REPLAY_PLAN, row, "evidence.file")
                    + " "
                    + value(PlanTables.REPLAY_PLAN, row, "evidence.row"))
        .containsExactly("e1 b 0", "e2 a 0");
  }
}
