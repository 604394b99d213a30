package dev.constat.transforms.stages;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.lease.LeaseTally;
import dev.constat.rules.projection.Outcome;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecOverrides;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.table.Tables;
import dev.constat.rules.time.Timeliness;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every history, however its records contradict each other. */
final class HistoriesTest {

  /** {@code -Dconstat.histories=N} tries more. */
  private static final int HISTORIES = Integer.getInteger("constat.histories", 280);

  private static final String ARCHIVES =
      """
      constat: 1
      as_of: 2026-01-05T12:00:00Z
      archives:
        events: {files: e, allow_empty: true, cut: 2026-01-05T12:00:00Z, COLUMNS}
        outbox: {files: o, allow_empty: true, cut: 2026-01-05T12:00:00Z, COLUMNS}
        acknowledgements: {files: a, allow_empty: true, cut: 2026-01-05T12:00:00Z, COLUMNS}
        decisions: {files: d, allow_empty: true, cut: 2026-01-05T12:00:00Z, COLUMNS}
        projections: {files: p, allow_empty: true, cut: 2026-01-05T12:00:00Z, COLUMNS}
        replays: {files: r, allow_empty: true, COLUMNS}
      """;

  private static final String PROJECTIONS =
      """
      projections:
        - name: volume
          versions:
            - {version: "1", kind: windowed, window: {fixed: PT10M}, allowed_lateness: PT20M,
               aggregates: {n: count, q: {sum: /q}, low: {min: /q}, first: {first: /v}}}
            - {version: "2", kind: windowed, window: {sliding: PT30M, every: PT10M},
               aggregates: {n: count, high: {max: /q}, last: {last: /q}}}
            - {version: "3", kind: windowed, window: {session: PT15M}, allowed_lateness: PT1H,
               aggregates: {n: count, q: {sum: /q}, kinds: {distinct: /q}}}
            - {version: "4", kind: windowed, key: partition,
               window: {days: 1, zone: Europe/Paris}, aggregates: {n: count}}
        - name: order
          versions:
            - {version: "1", kind: current, value: /v}
            - {version: "2", kind: current, key: /payload/v, value: /q}
      """;

  private static final ImmutableList<String> CONTRACTS =
      ImmutableList.of(
          """
          effects:
            - {type: notify, consumers: [c1]}
            - {type: bill, consumers: [c1, c2], when: {source: S}}
          checks: {identity_drift: true}
          """,
          """
          sources:
            - {source: "*", identity: {scope: [instrument]}, schema_versions: ["1"]}
          effects:
            - {type: notify}
          """,
          """
          sources:
            - {source: S, identity: {revision: /payload/rev}}
            - {source: T, hash: raw-bytes/1,
               identity: {fingerprint: {rule: fp/2, fields: [/payload/v]}}}
          effects:
            - {type: notify, consumers: [c1], grace: PT2H, when: {decision: ACCEPTED}}
            - {type: notify, consumers: [c2], max_attempts: 2}
          """,
          "layout: {buckets: 1}\n",
          """
          sources:
            - {source: S, sequence: {scope: [partition], dense: true}, schema_versions: ["1"],
               withdrawn: {field: /payload/removed, equals: true},
               lateness: [{budget: PT5M, version: a},
                          {from: "2026-01-05T10:00:00Z", budget: PT1H, version: b}]}
            - {source: T, sequence: {scope: [], dense: true}, future_tolerance: PT1H}
          effects:
            - {type: notify, consumers: [c1], when: {timeliness: ON_TIME}}
            - {type: notify, consumers: [c2], when: {timeliness: LATE}}
            - {type: bill, consumers: [c1], when: {timeliness: [LATE, FUTURE]}}
          """
              + PROJECTIONS,
          """
          sources:
            - {source: "*", identity: {revision: /payload/rev}, lateness: {budget: PT0S},
               sequence: {scope: [partition]}, withdrawn: {field: /payload/removed, equals: true}}
          effects:
            - {type: notify, consumers: [c1]}
          """
              + PROJECTIONS,
          """
          sources:
            - {source: "*", identity: {scope: [instrument]}, lateness: {budget: P1D, version: x},
               sequence: {scope: [instrument], dense: true}}
          effects:
            - {type: bill, when: {timeliness: LATE}}
          """
              + PROJECTIONS);

  static LongStream seeds() {
    return LongStream.range(0, HISTORIES);
  }

  private static RunSpec spec(long seed) {
    return parse(ARCHIVES.replace(", COLUMNS", "") + contract(seed));
  }

  private static String contract(long seed) {
    return CONTRACTS.get((int) (seed % CONTRACTS.size()));
  }

  private static RunSpec parse(String text) {
    return RunSpecParser.parse(text, "constat.yaml", "history");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void booksBalance(long seed) {
    RunOutcome outcome = InMemoryRun.of(spec(seed)).run(RandomHistory.wild(seed));

    assertThat(outcome.unbalanced()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void booksBalanceInsideATimeRange(long seed) {
    RunSpec part = parse(ARCHIVES.replace(", COLUMNS", "") + contract(seed) + "look_back: PT1H\n");
    RunSpec ranged =
        new RunSpecOverrides(null, "2026-01-05T09:30:00Z", "2026-01-05T11:00:00Z", null)
            .applyTo(part);

    assertThat(InMemoryRun.of(ranged).run(RandomHistory.wild(seed)).unbalanced()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyReadableReceptionHasOneDecision(long seed) {
    RunOutcome outcome = InMemoryRun.of(spec(seed)).run(RandomHistory.wild(seed));

    assertThat(outcome.decisions())
        .hasSize((int) outcome.tally().sum(ReadTally.USABLE, Input.EVENTS.key()));
  }

  /** What a book counts as wrong is in findings, and the other way round. */
  @ParameterizedTest
  @MethodSource("seeds")
  void findingsAgreeWithBooks(long seed) {
    RunOutcome outcome = InMemoryRun.of(spec(seed)).run(RandomHistory.wild(seed));

    assertThat(outcome.occurrences(Kind.MISSING_OUTBOX))
        .isEqualTo(outcome.booked("effects .*", "MISSING_OUTBOX"));
    assertThat(outcome.occurrences(Kind.SURPLUS_OUTBOX))
        .isEqualTo(outcome.booked("outbox rows", "SURPLUS"));
    assertThat(outcome.occurrences(Kind.ORPHAN_OUTBOX))
        .isEqualTo(outcome.booked("outbox rows", "ORPHAN"));
    for (Kind state :
        List.of(
            Kind.STATE_CONFLICT,
            Kind.STUCK_PENDING,
            Kind.STUCK_LEASE,
            Kind.IMPLICIT_DLQ,
            Kind.DLQ)) {
      assertThat(outcome.occurrences(state))
          .as("%s", state)
          .isEqualTo(outcome.booked("outbox states", state.name()));
    }
    assertThat(outcome.occurrences(Kind.MISSING_ACK))
        .isEqualTo(outcome.booked("deliveries of .*", "MISSING_ACK"));
    assertThat(outcome.occurrences(Kind.ORPHAN_ACK))
        .isEqualTo(outcome.booked("acknowledgements kept", "ORPHAN"));
    assertThat(outcome.occurrences(Kind.REDELIVERY) + outcome.occurrences(Kind.DOUBLE_EFFECT))
        .isEqualTo(
            outcome.booked("acknowledgements kept", "repeats")
                + outcome.booked("acknowledgements kept", "further keys")
                + outcome.booked("replays of effects", "repeats")
                + outcome.booked("replays of effects", "further keys"));
    long byWindow =
        outcome.tally().sumsUnder(LeaseTally.WINDOWS).values().stream()
            .mapToLong(Long::longValue)
            .sum();
    assertThat(outcome.occurrences(Kind.REDELIVERY))
        .as("redeliveries by crash window, and those of replays")
        .isBetween(byWindow, byWindow + outcome.booked("replays of effects", "repeats"));
    assertThat(outcome.occurrences(Kind.CONFLICTING_DUPLICATE))
        .isEqualTo(outcome.booked("events kept", "CONFLICTING_DUPLICATE"));
    assertThat(outcome.occurrences(Kind.ARCHIVE_CONFLICT))
        .isEqualTo(outcome.booked("events kept", "ARCHIVE_CONFLICT"));
  }

  /** What decisions say of time is what the books count. */
  @ParameterizedTest
  @MethodSource("seeds")
  void decisionsAgreeWithBooks(long seed) {
    RunSpec spec = spec(seed);
    RunOutcome outcome = InMemoryRun.of(spec).run(RandomHistory.wild(seed));

    for (Timeliness timeliness : Timeliness.values()) {
      assertThat(
              outcome.decisions().stream()
                  .map(row -> RunOutcome.value(Tables.DECISIONS, row, "timeliness"))
                  .filter(timeliness.name()::equals))
          .hasSize((int) outcome.booked("events in time", timeliness.name()));
    }
    List<String> windows =
        outcome.decisions().stream()
            .map(row -> (List<?>) RunOutcome.value(Tables.DECISIONS, row, "windows"))
            .flatMap(List::stream)
            .map(String::valueOf)
            .toList();
    for (ProjectionRule rule : spec.projections()) {
      for (Outcome what : Outcome.values()) {
        assertThat(windows)
            .filteredOn(w -> w.startsWith(rule.name() + " " + rule.version() + " "))
            .filteredOn(w -> w.endsWith(" " + what))
            .as("%s of %s", what, rule.title())
            .hasSize((int) outcome.booked("cells of " + rule.title(), what.name()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void orderOfReadingDoesNotMatter(long seed) {
    RunSpec spec = spec(seed);
    List<ArchiveRecord> records = RandomHistory.wild(seed);
    List<String> report = InMemoryRun.of(spec).run(records).report(true);

    assertThat(
            RunOutcome.differences(
                report, InMemoryRun.of(spec).shuffledBy(seed).run(records).report(true)))
        .isEmpty();
    assertThat(
            RunOutcome.differences(
                report,
                InMemoryRun.of(spec).shuffledBy(~seed).buckets(16).run(records).report(true)))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void slabsDoNotMatter(long seed) {
    RunSpec spec = spec(seed);
    List<ArchiveRecord> records = RandomHistory.wild(seed);
    List<String> report = InMemoryRun.of(spec).run(records).report(true);

    for (int slab = 1; slab <= 3; slab++) {
      InMemoryRun cut = InMemoryRun.of(spec).slabs(slab).shuffledBy(seed).buckets(4);
      assertThat(RunOutcome.differences(report, cut.run(records).report(true)))
          .as("slabs of %s", slab)
          .isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void orderInFilesChangesEvidenceOnly(long seed) {
    RunSpec spec = spec(seed);
    List<ArchiveRecord> records = new ArrayList<>(RandomHistory.wild(seed));
    List<String> report = InMemoryRun.of(spec).run(records).report(false);

    Collections.shuffle(records, new Random(seed));

    assertThat(RunOutcome.differences(report, InMemoryRun.of(spec).run(records).report(false)))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void copiesOfAllRecordsAreOnlyCounted(long seed) {
    RunSpec spec = spec(seed);
    List<ArchiveRecord> once = RandomHistory.wild(seed);
    RunOutcome before = InMemoryRun.of(spec).run(once);
    List<ArchiveRecord> twice = new ArrayList<>(once);
    once.forEach(r -> twice.add(new ArchiveRecord(r.input(), "twice", r.columns())));

    RunOutcome after = InMemoryRun.of(spec).run(twice);

    assertThat(after.unbalanced()).isEmpty();
    assertThat(RunOutcome.differences(withoutCopies(before), withoutCopies(after))).isEmpty();
    assertThat(bookLinesWithoutCopies(after)).isEqualTo(bookLinesWithoutCopies(before));
  }

  /** As above, of the records of one input alone, in a file of their own. */
  @ParameterizedTest
  @MethodSource("seeds")
  void copiesOfTheRecordsOfOneInputAreOnlyCounted(long seed) {
    RunSpec spec = spec(seed);
    List<ArchiveRecord> once = RandomHistory.wild(seed);
    Input copied = once.get(new Random(seed).nextInt(once.size())).input();
    RunOutcome before = InMemoryRun.of(spec).run(once);
    List<ArchiveRecord> more = new ArrayList<>(once);
    once.stream()
        .filter(r -> r.input() == copied)
        .forEach(r -> more.add(new ArchiveRecord(r.input(), "a copy", r.columns())));

    RunOutcome after = InMemoryRun.of(spec).run(more);

    assertThat(after.unbalanced()).isEmpty();
    assertThat(RunOutcome.differences(withoutCopies(before), withoutCopies(after))).isEmpty();
    assertThat(bookLinesWithoutCopies(after)).isEqualTo(bookLinesWithoutCopies(before));
  }

  /** Records that cannot be read are counted, and change nothing about the others. */
  @ParameterizedTest
  @MethodSource("seeds")
  void whatCannotBeReadIsOnlyCounted(long seed) {
    RunSpec spec = spec(seed);
    List<ArchiveRecord> records = RandomHistory.wild(seed);
    RunOutcome before = InMemoryRun.of(spec).run(records);
    List<ArchiveRecord> more = new ArrayList<>(records);
    Random chance = new Random(seed);
    int unreadable = 0;
    for (ArchiveRecord record : records) {
      if (record.input() == Input.PROJECTIONS || chance.nextInt(3) > 0) {
        continue;
      }
      ArchiveRecord damaged = record.copy();
      damaged.columns().put(record.input().clock(), "soon");
      more.add(chance.nextInt(more.size() + 1), damaged);
      unreadable++;
    }

    RunOutcome after = InMemoryRun.of(spec).run(more);

    assertThat(after.unbalanced()).isEmpty();
    assertThat(after.occurrences(Kind.INPUT_ERROR) - before.occurrences(Kind.INPUT_ERROR))
        .isEqualTo(unreadable);
    assertThat(after.booked(".* read", "unreadable") - before.booked(".* read", "unreadable"))
        .isEqualTo(unreadable);
    assertThat(tablesWithoutPlaces(after)).isEqualTo(tablesWithoutPlaces(before));
  }

  private static List<String> tablesWithoutPlaces(RunOutcome outcome) {
    return outcome.report(false).stream()
        .filter(line -> line.matches("(decisions|effects|heads|projections/).*"))
        .toList();
  }

  /** An event less in a numbered scope is a gap, unless it was the first or last. */
  @ParameterizedTest
  @MethodSource("seeds")
  void anEventThatIsTakenOutOfASequenceIsAGap(long seed) {
    RunSpec spec =
        parse(
            ARCHIVES.replace(", COLUMNS", "")
                + "sources: [{source: S, sequence: {scope: [], dense: true}}]\n");
    List<ArchiveRecord> events =
        new ArrayList<>(
            RandomHistory.clean(seed).stream().filter(r -> r.input() == Input.EVENTS).toList());
    events.add(events.get(0).copy());
    events.get(events.size() - 1).columns().put("ingestion_id", "i8").put("source_event_id", "e8");
    for (int i = 0; i < events.size(); i++) {
      Instant at = Instant.parse("2026-01-05T08:00:00Z").plusSeconds(i);
      events
          .get(i)
          .columns()
          .put("source_sequence", Integer.toString(i + 7))
          .put("occurred_at", at.toString())
          .put("received_at", at.toString());
    }
    assertThat(InMemoryRun.of(spec).run(events).findingLines()).isEmpty();
    int taken = 1 + new Random(seed).nextInt(events.size() - 2);
    events.remove(taken);

    RunOutcome outcome = InMemoryRun.of(spec).run(events);

    assertThat(outcome.findings()).extracting(f -> f.kind()).containsExactly(Kind.SEQUENCE_GAP);
    assertThat(outcome.findingLines().get(0)).contains("first_missing=" + (taken + 7));
    assertThat(outcome.unbalanced()).isEmpty();
  }

  /** Records after as_of are not looked at, so that each copy is one more of them. */
  private static List<String> bookLinesWithoutCopies(RunOutcome outcome) {
    return outcome.bookLines().stream()
        .filter(line -> !line.contains("ARCHIVE_COPY") && !line.contains("AFTER_AS_OF"))
        .toList();
  }

  /**
   * All that is stated and said not to be judged, but those about copies and about how files read.
   */
  private static List<String> withoutCopies(RunOutcome outcome) {
    List<String> lines = new ArrayList<>();
    outcome.decisions().stream()
        .filter(row -> !"ARCHIVE_COPY".equals(RunOutcome.value(Tables.DECISIONS, row, "decision")))
        .map(Arrays::deepToString)
        .sorted()
        .forEach(lines::add);
    outcome.tables().entrySet().stream()
        .filter(table -> !table.getKey().equals(Tables.DECISIONS.name()))
        .flatMap(table -> table.getValue().stream().map(Arrays::deepToString))
        .sorted()
        .forEach(lines::add);
    lines.addAll(outcome.quarantineLines());
    lines.addAll(outcome.silentLines());
    lines.addAll(outcome.coverageLines());
    outcome.findingLines().stream()
        .filter(line -> !line.contains("UNZONED_TIMESTAMP") && !line.contains("INPUT_NOTE"))
        .forEach(lines::add);
    return lines;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void renamedColumnsChangeNothing(long seed) {
    List<ArchiveRecord> records = RandomHistory.wild(seed);
    RunSpec spec = spec(seed);
    String text = ARCHIVES + contract(seed);
    for (Input input : spec.archives().keySet()) {
      StringBuilder columns = new StringBuilder("columns: {");
      spec.layout(input).columns().stream()
          .filter(column -> !column.name().equals("revision"))
          .filter(
              column ->
                  records.stream()
                      .anyMatch(r -> r.input() == input && r.columns().has(column.name())))
          .forEach(c -> columns.append(c.name()).append(": their_").append(c.name()).append(", "));
      text = text.replaceFirst("COLUMNS", columns.append("}").toString().replace(", }", "}"));
    }
    List<ArchiveRecord> renamed = new ArrayList<>();
    for (ArchiveRecord record : records) {
      ObjectNode columns = JsonNodeFactory.instance.objectNode();
      record
          .columns()
          .properties()
          .forEach(
              member ->
                  columns.set(
                      spec.layout(record.input()).indexOf(member.getKey()) < 0
                          ? member.getKey()
                          : "their_" + member.getKey(),
                      member.getValue()));
      renamed.add(new ArchiveRecord(record.input(), record.file(), columns));
    }

    assertThat(
            RunOutcome.differences(
                InMemoryRun.of(spec).run(records).report(true),
                InMemoryRun.of(parse(text)).run(renamed).report(true)))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void cleanHistoryHasNoFinding(long seed) {
    RunOutcome outcome = InMemoryRun.of(notifyOnly()).run(RandomHistory.clean(seed));

    assertThat(outcome.findingLines()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyRecordTakenAwayIsMissed(long seed) {
    RunSpec spec = notifyOnly();
    List<ArchiveRecord> records = RandomHistory.clean(seed);
    int taken = new Random(seed).nextInt(records.size());
    ArchiveRecord record = records.get(taken);
    String id = record.text(idColumn(record.input())).substring(1);
    records.remove(taken);

    RunOutcome outcome = InMemoryRun.of(spec).run(records);

    String unknown = " [retention unknown]";
    List<String> findings =
        switch (record.input()) {
          case EVENTS ->
              List.of(
                  "error ORPHAN_OUTBOX outbox_id=o" + id + unknown,
                  "warning DECISION_ORPHAN ingestion_id=i" + id + unknown);
          case OUTBOX ->
              List.of(
                  "error MISSING_OUTBOX effect_type=notify source=S source_event_id=e"
                      + id
                      + unknown,
                  "error ORPHAN_ACK consumer=c1 effect_key=k" + id + " outbox_id=o" + id + unknown);
          case ACKNOWLEDGEMENTS ->
              List.of("error MISSING_ACK consumer=c1 outbox_id=o" + id + unknown);
          default -> List.of("warning DECISION_MISSING ingestion_id=i" + id + unknown);
        };
    assertThat(outcome.findingLines()).isEqualTo(findings);
    assertThat(outcome.unbalanced()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void receptionsOfAReplayChangeNoBookOfOriginals(long seed) {
    RunSpec spec = parse(notifyOnlyText() + PROJECTIONS);
    List<ArchiveRecord> records = RandomHistory.clean(seed);
    RunOutcome before = InMemoryRun.of(spec).run(records);
    List<ArchiveRecord> replayed = new ArrayList<>(records);
    for (ArchiveRecord record : records) {
      ArchiveRecord again = record.copy();
      switch (record.input()) {
        case EVENTS -> {
          again.columns().put("ingestion_id", "again " + record.text("ingestion_id"));
          again.columns().put("original_event_id", record.text("source_event_id"));
        }
        case OUTBOX -> again.columns().put("outbox_id", "again " + record.text("outbox_id"));
        case ACKNOWLEDGEMENTS -> again.columns().put("effect_key", "another");
        default -> again.columns().put("ingestion_id", "again " + record.text("ingestion_id"));
      }
      if (record.input() == Input.DECISIONS) {
        again.columns().put("decision", Decision.EXACT_DUPLICATE.name());
      } else {
        again.columns().put("replay_id", "r1");
      }
      replayed.add(again);
    }

    RunOutcome after = InMemoryRun.of(spec).run(replayed);

    assertThat(after.findingLines()).isEqualTo(before.findingLines()).isEmpty();
    assertThat(after.unbalanced()).isEmpty();
    assertThat(after.cellLines(spec)).isEqualTo(before.cellLines(spec)).isNotEmpty();
    assertThat(after.timeLines("again")).containsAll(before.timeLines("again"));
    assertThat(after.tally().sumsUnder(CheckTally.SOURCES))
        .isEqualTo(before.tally().sumsUnder(CheckTally.SOURCES));
    assertThat(after.bookLines())
        .containsAll(
            before.bookLines().stream()
                .filter(line -> line.matches("(effects|deliveries|events in time|cells) .*"))
                .toList());
  }

  /** What a wrong clock says, or a reception that is quarantined, must not matter. */
  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsOfTheFutureOrQuarantinedMovesNoClock(long seed) {
    RunSpec spec = parse(notifyOnlyText() + PROJECTIONS);
    List<ArchiveRecord> records = RandomHistory.clean(seed);
    RunOutcome before = InMemoryRun.of(spec).run(records);
    List<ArchiveRecord> more = new ArrayList<>(records);
    for (ArchiveRecord record : records) {
      if (record.input() == Input.EVENTS) {
        ArchiveRecord future = record.copy();
        future.columns().put("ingestion_id", "future " + record.text("ingestion_id"));
        future.columns().put("source_event_id", "future " + record.text("source_event_id"));
        future.columns().put("occurred_at", "2026-01-05T11:59:59Z");
        more.add(future);
        ArchiveRecord deviating = record.copy();
        deviating.columns().put("ingestion_id", "other " + record.text("ingestion_id"));
        deviating.columns().put("occurred_at", "2026-01-05T11:59:59Z");
        deviating.columns().putObject("payload").put("v", -1);
        Instant received = Instant.parse(record.text("received_at"));
        deviating.columns().put("received_at", received.plusMillis(1).toString());
        more.add(deviating);
      }
    }

    RunOutcome after = InMemoryRun.of(spec).slabs(2).run(more);

    assertThat(after.unbalanced()).isEmpty();
    assertThat(timesOfFirsts(after)).containsAll(timesOfFirsts(before));
    assertThat(after.cellLines(spec).stream().map(HistoriesTest::uncontested))
        .isEqualTo(before.cellLines(spec).stream().map(HistoriesTest::uncontested).toList());
  }

  private static List<String> timesOfFirsts(RunOutcome outcome) {
    return outcome.timeLines(null).stream().filter(line -> line.startsWith("i")).toList();
  }

  private static String uncontested(String cell) {
    return cell.replace(" [CONTESTED]", "").replace(", CONTESTED", "");
  }

  private static RunSpec notifyOnly() {
    return parse(notifyOnlyText());
  }

  private static String notifyOnlyText() {
    return ARCHIVES.replace(", COLUMNS", "") + "effects:\n  - {type: notify, consumers: [c1]}\n";
  }

  private static String idColumn(Input input) {
    return switch (input) {
      case OUTBOX, ACKNOWLEDGEMENTS -> "outbox_id";
      default -> "ingestion_id";
    };
  }
}
