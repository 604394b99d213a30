package dev.constat.transforms.stages;

import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockStore;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.buckets.SpillSpace;
import dev.constat.transforms.outputs.FindingSink;
import dev.constat.transforms.outputs.Meter;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.io.Serializable;

/**
 * Where the stages of a run leave things, and how they are cut.
 *
 * @param buckets the buckets of every stage
 * @param slabs how what is scanned in order is cut
 * @param timedEffects whether effects depend on the time of their event
 * @param blocks where blocks wait between stages
 * @param spill local space for what does not fit memory
 * @param tables takes tables
 * @param findings takes findings
 * @param meter is told of progress
 */
public record StageSinks(
    Buckets buckets,
    SlabPlan slabs,
    boolean timedEffects,
    BlockStore blocks,
    SpillSpace spill,
    TableSink tables,
    FindingSink findings,
    Meter meter)
    implements Serializable {

  /** Packs records for another stage. */
  public BlockAppender appender() {
    return new BlockAppender(buckets, blocks);
  }

  /**
   * Opens the part of a table that a stage writes of a bucket. Effects that depend on the time of
   * their event are written where that is known, as parts behind those of the others.
   */
  TableSink.Part open(TableSchema table, String stage, int bucket) throws IOException {
    if (!timedEffects || !table.equals(Tables.EFFECTS)) {
      return tables.open(table, bucket, buckets.count());
    }
    int part = stage.equals(ScanArrivals.STAGE) ? buckets.count() + bucket : bucket;
    return tables.open(table, part, 2 * buckets.count());
  }
}
