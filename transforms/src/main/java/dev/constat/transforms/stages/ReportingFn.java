package dev.constat.transforms.stages;

import dev.constat.rules.reconcile.RunFacts;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.io.Serializable;

/** A stage that asks for nothing but what is known of the inputs, and sends on only reports. */
final class ReportingFn extends StageFn {

  private static final long serialVersionUID = 1L;

  private final FactsView facts;
  private final Folding folding;

  /** Folds the records of a bucket; returns how many it read. */
  @FunctionalInterface
  interface Folding extends Serializable {

    /** Folds them. */
    long fold(RunFacts facts, SortedRecords records, Notebook notes) throws IOException;
  }

  ReportingFn(String stage, FactsView facts, StageSinks sinks, Folding folding) {
    super(stage, sinks);
    this.facts = facts;
    this.folding = folding;
  }

  @Override
  void prepare() {
    // nothing leaves but reports
  }

  @Override
  long fold(SortedRecords records, StageLedger ledger, ProcessContext context) throws IOException {
    return folding.fold(facts.facts(context), records, ledger);
  }
}
