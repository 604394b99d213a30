package dev.constat.transforms.stages;

import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.outputs.StageReport;
import java.io.Serializable;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.PCollectionView;

/** Gives a stage what is known of the inputs once all of them are read. */
final class FactsView implements Serializable {

  private static final long serialVersionUID = 1L;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private transient RunFacts facts;

  FactsView(RunSpec spec, PCollectionView<StageReport> read) {
    this.spec = spec;
    this.read = read;
  }

  /** The view to declare as side input. */
  PCollectionView<StageReport> view() {
    return read;
  }

  /** The facts; they are the same for every element, so they are looked up once. */
  RunFacts facts(DoFn<?, ?>.ProcessContext context) {
    if (facts == null) {
      facts = RunFacts.of(spec, context.sideInput(read).tally());
    }
    return facts;
  }
}
