package dev.constat.transforms.stages;

import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.projection.CellSink;
import dev.constat.rules.projection.PartialCells;
import dev.constat.rules.projection.PartialCells.Limits;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;

/** What the stages that contribute to cells have in common. */
final class CellStage {

  /** What is added up in memory before it is handed on. */
  private static final Limits LIMITS = new Limits(1 << 16, 24L << 20);

  private CellStage() {}

  /** Takes records of cells to an exit; without projections there are none, and no exit. */
  static CellSink sink(RecordOut exit) {
    return exit == null
        ? (group, order, kind, body) -> {
          throw new IllegalStateException("[BUG] A cell of no projection");
        }
        : exit::append;
  }

  /** Takes records for the comparison of versions to an exit; without comparison there is none. */
  static DiffRecords differences(RunSpec spec, RecordOut exit) {
    return new DiffRecords(spec, exit == null ? null : exit::append);
  }

  /** Adds up what events contribute to the projections of a run. */
  static PartialCells partial(RunFacts facts, SequenceTables sequences, CellSink sink) {
    return new PartialCells(
        Projector.all(facts.spec().projections()),
        LIMITS,
        sequences::hasGaps,
        facts::recordsConsumedEvents,
        sink);
  }
}
