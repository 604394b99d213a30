package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.Ledger;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.outputs.FindingSink;
import dev.constat.transforms.outputs.FindingSorter;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * Writes what is said about one bucket: rows to its parts of the tables as they come, findings
 * sorted and merged to its shard at the end. Closing one that is not finished drops what it wrote.
 */
final class StageLedger implements Ledger, AutoCloseable {

  private final FindingSink findingSink;
  private final String stage;
  private final int bucket;
  private final FindingSorter findings;
  private final Consumer<Quarantined> quarantine;
  private final Tally tally = new Tally();
  private final TableSink.Part decisions;
  private final TableSink.Part effects;

  StageLedger(
      TableSink tables,
      FindingSink findingSink,
      String stage,
      int bucket,
      int buckets,
      FindingSorter findings,
      Consumer<Quarantined> quarantine)
      throws IOException {
    this.findingSink = findingSink;
    this.stage = stage;
    this.bucket = bucket;
    this.findings = findings;
    this.quarantine = quarantine;
    findings.clear();
    this.decisions = tables.open(Tables.DECISIONS, bucket, buckets);
    this.effects = tables.open(Tables.EFFECTS, bucket, buckets);
  }

  @Override
  public void decision(Object[] row) {
    add(decisions, Tables.DECISIONS, row);
  }

  @Override
  public void effect(Object[] row) {
    add(effects, Tables.EFFECTS, row);
  }

  private static void add(TableSink.Part part, TableSchema table, Object[] row) {
    try {
      part.add(row);
    } catch (IOException e) {
      throw new UncheckedIOException("A row of " + table.name() + " could not be written", e);
    }
  }

  @Override
  public void quarantine(Quarantined version) {
    quarantine.accept(version);
  }

  @Override
  public void finding(Finding finding) {
    try {
      findings.add(finding);
    } catch (IOException e) {
      throw new UncheckedIOException("A finding could not be sorted", e);
    }
  }

  @Override
  public Tally tally() {
    return tally;
  }

  /** Completes parts and shard. */
  StageReport finish() throws IOException {
    ImmutableList.Builder<TableSink.Receipt> tables = ImmutableList.builder();
    decisions.finish().ifPresent(tables::add);
    effects.finish().ifPresent(tables::add);
    ImmutableList.Builder<FindingSink.Receipt> shards = ImmutableList.builder();
    try (FindingSink.Shard shard = findingSink.open(stage, bucket)) {
      findings.drainTo(shard::add);
      shard.finish().ifPresent(shards::add);
    }
    return new StageReport(tally, tables.build(), shards.build());
  }

  @Override
  public void close() throws IOException {
    try (decisions;
        effects) {
      findings.clear();
    }
  }
}
