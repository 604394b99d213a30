package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.diff.Hold;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.projection.CellFlag;
import dev.constat.rules.projection.PartialCells;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.reconcile.ArrivalJudge;
import dev.constat.rules.reconcile.ArrivalJudge.Timed;
import dev.constat.rules.reconcile.Arrived;
import dev.constat.rules.reconcile.ArrivedReader;
import dev.constat.rules.reconcile.RecordedTimeliness;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.RowCodec;
import dev.constat.rules.table.Tables;
import dev.constat.rules.time.Timeliness;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.scan.RunningMaximum;
import dev.constat.transforms.scan.SlabMaxima;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Folds one bucket of {@link ArrivalRecords}: has every reception judged against the clock of its
 * partition, writes the decisions, and adds events up to cells. Events that correct or may be
 * corrected go on to {@link ChainRecords}, which know what of them counts.
 */
final class ArrivalFold {

  private final RunSpec spec;
  private final SlabMaxima maxima;
  private final Notebook notes;
  private final ArrivalJudge judge;
  private final ImmutableList<Projector> projectors;
  private final ArrivedReader reader;
  private final RecentTexts texts = new RecentTexts();
  private final PartialCells cells;
  private final ChainRecords chains;
  private final DiffRecords differences;
  private final AggregateRecords aggregates;
  private final RunningMaximum clock = new RunningMaximum();
  private final KeyWriter value = new KeyWriter();
  private PlanRecords plans;

  // what moved its clock last, and where that had stood before anything of that place in the order
  private Arrived mover;
  private byte[] beforeMover;

  // the reception whose conditions follow
  private Timeliness timeliness;
  private byte[] knownTargetOf;

  /**
   * A fold.
   *
   * @param maxima how far the clock of a partition had come before each of its slabs
   * @param cells takes what events contribute to projections
   * @param chains takes what corrects or may be corrected
   * @param differences takes what does not count alike in versions that are compared
   * @param aggregates takes rows whose part in their aggregate depends on the time of their event,
   *     or null where none does
   */
  ArrivalFold(
      RunSpec spec,
      SlabMaxima maxima,
      SequenceTables sequences,
      Notebook notes,
      PartialCells cells,
      ChainRecords chains,
      DiffRecords differences,
      AggregateRecords aggregates) {
    this.spec = spec;
    this.aggregates = aggregates;
    this.maxima = maxima;
    this.notes = notes;
    this.judge = new ArrivalJudge(spec, notes.tally(), sequences::epochs);
    this.projectors = Projector.all(spec.projections());
    this.reader = new ArrivedReader(spec);
    this.cells = cells;
    this.chains = chains;
    this.differences = differences;
  }

  /**
   * The fold of a run that plans.
   *
   * @param planned takes what is planned for the case that holds
   */
  ArrivalFold planning(PlanRecords planned) {
    plans = planned;
    return this;
  }

  /** Folds all groups; returns how many records it read. */
  long fold(SortedRecords records) throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      byte[] group = records.group();
      KeyReader in = new KeyReader(group);
      reader.begin(in.text(), in.nullableText());
      clock.start(maxima.before(group, 0, group.length));
      mover = null;
      knownTargetOf = null;
      for (; records.nextRecord(); read++) {
        next(records);
      }
    }
    judge.end();
    cells.flush();
    if (aggregates != null) {
      aggregates.addTo(notes.tally());
    }
    return read;
  }

  private void next(SortedRecords records) {
    KeyReader body = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo(), texts);
    switch (records.kind()) {
      case ArrivalRecords.KIND_TARGET_KNOWN -> knownTargetOf = records.order();
      case ArrivalRecords.KIND_RECEPTION -> reception(records, body);
      case ArrivalRecords.KIND_IF_ON_TIME -> say(Timeliness.ON_TIME, body, records);
      case ArrivalRecords.KIND_IF_LATE -> say(Timeliness.LATE, body, records);
      default -> throw new IllegalStateException("[BUG] Unknown kind " + records.kind());
    }
  }

  private void reception(SortedRecords records, KeyReader body) {
    KeyReader order = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
    Arrived arrived = reader.read(order, body);
    boolean targetKnown =
        arrived.link() != null && (arrived.link().targetKnown() || isTargetKnown(records));
    boolean copy = arrived.decision() == Decision.ARCHIVE_COPY && besideMover(arrived);
    byte[] before = copy ? beforeMover : clock.before();
    Instant largest = before == null ? null : new KeyReader(before).instant();
    Timed timed = judge.place(arrived, largest, targetKnown);
    notes.row(Tables.DECISIONS, judge.row(timed));
    timeliness = timed.timeliness();
    if (timed.movesClock()) {
      if (!besideMover(arrived)) {
        beforeMover = clock.before();
      }
      mover = arrived;
      clock.add(value.clear().instant(arrived.occurredAt()));
    }
    if (arrived.recorded() != null) {
      compare(timed);
    }
    if (arrived.inHistory() && arrived.link() != null) {
      chains.append(timed);
    }
    if (timed.event() != null) {
      project(timed);
    }
  }

  /** Whether it was received when what moved the clock last was, under the same id. */
  private boolean besideMover(Arrived arrived) {
    return mover != null
        && mover.receivedAt().equals(arrived.receivedAt())
        && mover.ingestionId().equals(arrived.ingestionId());
  }

  private boolean isTargetKnown(SortedRecords records) {
    return knownTargetOf != null
        && Arrays.equals(
            knownTargetOf,
            0,
            knownTargetOf.length,
            records.buffer(),
            records.orderFrom(),
            records.orderTo());
  }

  private void compare(Timed timed) {
    Arrived arrived = timed.arrived();
    JsonObject expected =
        new JsonObject()
            .put("decision", arrived.decision().name())
            .put("key", new String(arrived.key(), StandardCharsets.UTF_8))
            .put("timeliness", timed.timeliness() == null ? null : timed.timeliness().name())
            .put("watermark", timed.watermark())
            .put("budget", timed.budget().length().toString())
            .put("occurred_at", arrived.occurredAt());
    Finding finding =
        RecordedTimeliness.judge(
            arrived.recorded(),
            timed.timeliness(),
            expected,
            arrived.place(),
            arrived.receivedAt());
    if (finding != null) {
      notes.finding(finding);
    }
  }

  private void project(Timed timed) {
    if (timed.arrived().inHistory() && timed.arrived().link() == null) {
      differences.event(timed.event(), timed.event().order(), rule -> Hold.IN_TIME);
    }
    for (int rule = 0; rule < projectors.size(); rule++) {
      if (!spec.considers(projectors.get(rule).rule(), timed.event().occurredAt())) {
        continue;
      }
      if (timed.arrived().inHistory()) {
        if (timed.arrived().link() == null) {
          cells.accept(rule, timed.event());
        } else {
          cells.outcomes(rule, timed.event());
        }
        if (timed.flags().contains(Flag.UNKNOWN_SCHEMA_VERSION)) {
          cells.mark(rule, timed.event(), CellFlag.INCOMPLETE);
        }
      }
      if (timed.event().contested()) {
        cells.mark(rule, timed.event(), CellFlag.CONTESTED);
      }
    }
  }

  /** Says what waited to hear how the reception before stands to its clock. */
  private void say(Timeliness condition, KeyReader body, SortedRecords records) {
    if (timeliness != condition) {
      return;
    }
    switch (body.octet()) {
      case ArrivalRecords.EFFECT -> notes.row(Tables.EFFECTS, RowCodec.read(body, Tables.EFFECTS));
      case ArrivalRecords.FINDING -> notes.finding(FindingCodec.decode(rest(body, records)));
      case ArrivalRecords.COUNTS -> notes.tally().merge(Tally.fromBytes(rest(body, records)));
      case ArrivalRecords.PLANNED ->
          plans.pass(
              body.octet(), // exit, kind, group and order, as they were written
              body.octet(),
              new KeyWriter().raw(body.bytes()),
              new KeyWriter().raw(body.bytes()),
              new KeyWriter().raw(rest(body, records)));
      case ArrivalRecords.IN_AGGREGATE ->
          aggregates.append(AggregateRow.read(body, spec.integerOutboxIds()));
      default -> throw new IllegalStateException("[BUG] Unknown condition");
    }
  }

  private static byte[] rest(KeyReader body, SortedRecords records) {
    return Arrays.copyOfRange(records.buffer(), body.position(), records.bodyTo());
  }
}
