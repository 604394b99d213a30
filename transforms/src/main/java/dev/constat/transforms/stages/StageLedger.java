package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.Ledger;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.FindingSink;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes what is said about one bucket: rows to its parts of the tables as they come, findings
 * sorted and merged to its shard at the end. Closing one that is not finished drops what it wrote.
 */
final class StageLedger implements Ledger, AutoCloseable {

  private final FindingSink findingSink;
  private final String stage;
  private final int bucket;
  private final RecordSorter findings;
  private final Consumer<Quarantined> quarantine;
  private final Tally tally = new Tally();
  private final TableSink.Part decisions;
  private final TableSink.Part effects;
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  StageLedger(
      TableSink tables,
      FindingSink findingSink,
      String stage,
      int bucket,
      int buckets,
      RecordSorter findings,
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
      order.clear().raw(FindingCodec.sortKey(finding));
      body.clear().raw(FindingCodec.encode(finding));
      findings.add(empty, order, 0, body);
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
    writeFindings(findings.sort(), findingSink, stage, bucket).ifPresent(shards::add);
    findings.clear();
    return new StageReport(tally, tables.build(), shards.build());
  }

  /** Writes sorted findings to a shard, parts of one finding merged. */
  static Optional<FindingSink.Receipt> writeFindings(
      SortedRecords sorted, FindingSink sink, String stage, int bucket) throws IOException {
    try (FindingSink.Shard shard = sink.open(stage, bucket)) {
      Finding open = null;
      while (sorted.nextGroup()) {
        while (sorted.nextRecord()) {
          Finding next = FindingCodec.decode(sorted.body());
          if (open != null && open.isAbout(next)) {
            open = open.merge(next);
          } else {
            if (open != null) {
              shard.add(open);
            }
            open = next;
          }
        }
      }
      if (open != null) {
        shard.add(open);
      }
      return shard.finish();
    }
  }

  @Override
  public void close() throws IOException {
    try (decisions;
        effects) {
      findings.clear();
    }
  }
}
