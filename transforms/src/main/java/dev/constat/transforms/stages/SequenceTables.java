package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.time.Epochs;
import dev.constat.rules.time.GapTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link ScanSequences} found that later stages ask for: the epochs of sequences that began
 * anew, and when the events happened that dense ones lack.
 */
final class SequenceTables {

  /** Minimum, by sequence: its {@link Epochs}, where there are several. */
  static final String EPOCHS = "sequence epochs";

  /** Minimum, by sequence: its {@link GapTable}, where it has gaps. */
  static final String GAPS = "sequence gaps";

  /** Those of a run without documented sequences. */
  static final SequenceTables NONE = of(new Tally());

  private final Map<String, Epochs> epochs;
  private final GapTable gaps;

  private SequenceTables(Map<String, Epochs> epochs, GapTable gaps) {
    this.epochs = epochs;
    this.gaps = gaps;
  }

  /** Reads them from what the stage counted. */
  static SequenceTables of(Tally tally) {
    Map<String, Epochs> epochs = new HashMap<>();
    for (Map.Entry<List<String>, byte[]> entry : tally.minimaUnder(EPOCHS).entrySet()) {
      epochs.put(entry.getKey().get(0), Epochs.read(new KeyReader(entry.getValue())));
    }
    GapTable.Builder gaps = GapTable.builder();
    tally
        .minimaUnder(GAPS)
        .values()
        .forEach(table -> gaps.addAll(GapTable.read(new KeyReader(table))));
    return new SequenceTables(epochs, gaps.build());
  }

  /** The epochs of a sequence. */
  Epochs epochs(String sequence) {
    return epochs.getOrDefault(sequence, Epochs.SINGLE);
  }

  /** Whether a sequence has gaps that matter. */
  boolean hasGaps(String sequence) {
    return gaps.bySequence().containsKey(sequence);
  }

  /** Where the gaps of dense sequences lie. */
  GapTable gaps() {
    return gaps;
  }
}
