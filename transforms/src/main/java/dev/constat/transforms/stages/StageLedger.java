package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Closer;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.table.TableSchema;
import dev.constat.transforms.outputs.FindingSink;
import dev.constat.transforms.outputs.FindingSorter;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes what is said about one bucket: rows to its parts of the tables as they come, findings
 * sorted and merged to its shard at the end. Closing one that is not finished drops it all.
 */
final class StageLedger implements Notebook, AutoCloseable {

  private final StageSinks sinks;
  private final String stage;
  private final int bucket;
  private final FindingSorter findings;
  private final Tally tally = new Tally();
  private final Map<String, TableSink.Part> parts = new HashMap<>();
  private final List<TableSink.Receipt> receipts = new ArrayList<>();

  /**
   * Writes about a bucket.
   *
   * @param stage names its shard of findings
   * @param findings sorts them; cleared before and after
   */
  StageLedger(StageSinks sinks, String stage, int bucket, FindingSorter findings)
      throws IOException {
    this.sinks = sinks;
    this.stage = stage;
    this.bucket = bucket;
    this.findings = findings;
    findings.clear();
  }

  @Override
  public void row(TableSchema table, Object[] row) {
    try {
      TableSink.Part part = parts.get(table.name());
      if (part == null) {
        part = sinks.open(table, stage, bucket);
        parts.put(table.name(), part);
      }
      part.add(row);
    } catch (IOException e) {
      throw new UncheckedIOException("A row of " + table.name() + " could not be written", e);
    }
  }

  @Override
  public void complete(TableSchema table) {
    TableSink.Part part = parts.remove(table.name());
    if (part == null) {
      return;
    }
    try (part) {
      part.finish().ifPresent(receipts::add);
    } catch (IOException e) {
      throw new UncheckedIOException(table.name() + " could not be completed", e);
    }
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
    for (TableSink.Part part : parts.values()) {
      part.finish().ifPresent(receipts::add);
    }
    ImmutableList.Builder<FindingSink.Receipt> shards = ImmutableList.builder();
    try (FindingSink.Shard shard = sinks.findings().open(stage, bucket)) {
      findings.drainTo(shard::add);
      shard.finish().ifPresent(shards::add);
    }
    return new StageReport(tally, ImmutableList.copyOf(receipts), shards.build());
  }

  @Override
  public void close() throws IOException {
    try (Closer closer = Closer.create()) {
      parts.values().forEach(closer::register);
      findings.clear();
    }
  }
}
