package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.transforms.outputs.StageReport;
import java.io.Serializable;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.PCollectionView;

/** Gives a stage what {@link ScanSequences} found, if it ran. */
final class SequencesView implements Serializable {

  private static final long serialVersionUID = 1L;

  private final PCollectionView<StageReport> sequences;
  private transient SequenceTables tables;

  /**
   * A view.
   *
   * @param sequences what the stage reports, or null where it does not run
   */
  SequencesView(PCollectionView<StageReport> sequences) {
    this.sequences = sequences;
  }

  /** The views to declare as side inputs. */
  ImmutableList<PCollectionView<?>> sideInputs() {
    return sequences == null ? ImmutableList.of() : ImmutableList.of(sequences);
  }

  /** The tables; they are the same for every element, so they are read once. */
  SequenceTables tables(DoFn<?, ?>.ProcessContext context) {
    if (tables == null) {
      tables =
          sequences == null
              ? SequenceTables.NONE
              : SequenceTables.of(context.sideInput(sequences).tally());
    }
    return tables;
  }
}
