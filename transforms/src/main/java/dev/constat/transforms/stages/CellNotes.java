package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.projection.Cell;
import dev.constat.rules.projection.CellLedger;
import dev.constat.rules.projection.ProjectionTables;
import dev.constat.rules.projection.Window;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.reconcile.Horizons;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.reconcile.Standing;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.table.TableSchema;
import java.time.Instant;

/** Takes down what is said about cells, with the tables and horizons of a run. */
final class CellNotes implements CellLedger {

  private static final ImmutableList<String> OUTCOMES =
      ImmutableList.of("on_time", "refined", "too_late");

  private final RunFacts facts;
  private final Horizons horizons;
  private final Notebook notes;
  private final DiffRecords differences;
  private final ImmutableList<TableSchema> tables;
  private TableSchema open;

  /**
   * Notes.
   *
   * @param differences takes cells of versions that are compared
   */
  CellNotes(RunFacts facts, Notebook notes, DiffRecords differences) {
    this.facts = facts;
    this.horizons = new Horizons(facts);
    this.notes = notes;
    this.differences = differences;
    this.tables =
        facts.spec().projections().stream()
            .map(ProjectionTables::of)
            .collect(ImmutableList.toImmutableList());
  }

  @Override
  public void cell(Cell cell, Object[] row) {
    int rule = cell.rule();
    ProjectionRule version = facts.spec().projections().get(rule);
    if (!facts.spec().keeps(version, (Instant) row[1], (Instant) row[2])) {
      return;
    }
    TableSchema table = tables.get(rule);
    if (open != null && !open.equals(table)) {
      notes.complete(open); // rules come one after the other
    }
    open = table;
    notes.row(table, row);
    differences.cell(rule, row);
    if (facts.spec().rebuild() != null) {
      count(version, row);
    }
  }

  private void count(ProjectionRule version, Object[] row) {
    notes.tally().add(1, CheckTally.REBUILT, version.version(), "cells");
    for (int i = 0; i < row.length; i++) {
      String column = open.columns().get(i).name();
      if (OUTCOMES.contains(column) && row[i] instanceof Long events) {
        notes.tally().add(events, CheckTally.REBUILT, version.version(), column);
      }
    }
  }

  @Override
  public void outcomes(int rule, long onTime, long refined, long tooLate) {
    String title = facts.spec().projections().get(rule).title();
    notes.tally().add(onTime, CheckTally.BOOK, CheckTally.CELLS, title, "ON_TIME");
    notes.tally().add(refined, CheckTally.BOOK, CheckTally.CELLS, title, "REFINES");
    notes.tally().add(tooLate, CheckTally.BOOK, CheckTally.CELLS, title, "TOO_LATE");
  }

  @Override
  public void recorded(boolean copy) {
    notes.tally().add(1, CheckTally.BOOK, Input.PROJECTIONS.key(), copy ? "ARCHIVE_COPY" : "kept");
  }

  @Override
  public boolean comparesRecorded(int rule) {
    return facts.records(rule);
  }

  @Override
  public boolean settled(Kind check, Window window, Instant time) {
    if (window != null && !facts.judged(window.start())) {
      Coverage.notJudged(notes.tally(), check, "outside --from/--to");
      return false;
    }
    if (facts.input(Input.PROJECTIONS).cut() == null) {
      Coverage.notJudged(notes.tally(), check, "cut of projections unknown");
      return false;
    }
    Standing standing = horizons.cell(window == null ? null : window.start(), time);
    if (standing == Standing.SETTLED) {
      Coverage.judged(notes.tally(), check);
      return true;
    }
    Coverage.silent(notes.tally(), check, standing.name());
    return false;
  }

  @Override
  public void judged(Kind check) {
    Coverage.judged(notes.tally(), check);
  }

  @Override
  public void notJudged(Kind check, String reason) {
    Coverage.notJudged(notes.tally(), check, reason);
  }

  @Override
  public void finding(Finding finding) {
    notes.finding(finding);
  }
}
