package dev.constat.transforms.stages;

import dev.constat.rules.reconcile.LineNumbers;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.outputs.StageReport;
import java.io.Serializable;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * Gives a stage what is known of the inputs once all of them are read. What it gives is the same
 * for every element, so it is looked up once.
 */
final class FactsView implements Serializable {

  private static final long serialVersionUID = 1L;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final StageSinks sinks;
  private transient RunFacts facts;
  private transient Partitions partitions;
  private transient LineNumbers lines;
  private transient Aggregates aggregates;

  FactsView(RunSpec spec, PCollectionView<StageReport> read, StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.sinks = sinks;
  }

  /** The facts. */
  RunFacts facts(DoFn<?, ?>.ProcessContext context) {
    if (facts == null) {
      facts = RunFacts.of(spec, context.sideInput(read).tally());
    }
    return facts;
  }

  /** Numbers of the lines of files. */
  LineNumbers lines(DoFn<?, ?>.ProcessContext context) {
    if (lines == null) {
      lines = new LineNumbers(context.sideInput(read).tally());
    }
    return lines;
  }

  /** How large partitions are cut by time. */
  Partitions partitions(DoFn<?, ?>.ProcessContext context) {
    if (partitions == null) {
      partitions = Partitions.of(context.sideInput(read).tally(), sinks.slabs(), sinks.buckets());
    }
    return partitions;
  }

  /** How large aggregates are cut by time. */
  Aggregates aggregates(DoFn<?, ?>.ProcessContext context) {
    if (aggregates == null) {
      aggregates = Aggregates.of(context.sideInput(read).tally(), sinks.slabs(), sinks.buckets());
    }
    return aggregates;
  }
}
