package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.Sequence;
import dev.constat.rules.time.Epochs;
import dev.constat.rules.time.GapTable;
import dev.constat.rules.time.Numbered;
import dev.constat.rules.time.SequenceFindings;
import dev.constat.rules.time.Sequences;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Folds one bucket of {@link SequenceRecords}: follows the numbers of each sequence. */
final class SequenceFold {

  private final RunFacts facts;
  private final Notebook notes;
  private final Instant settled;

  SequenceFold(RunFacts facts, Notebook notes) {
    this.facts = facts;
    this.notes = notes;
    this.settled =
        facts.input(Input.EVENTS).cut().minus(new EffectPolicy(facts.spec()).largestGrace());
  }

  /** Folds all groups; returns how many records it read. */
  long fold(SortedRecords records) throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      read += sequence(records);
    }
    return read;
  }

  private long sequence(SortedRecords records) throws IOException {
    KeyReader group = new KeyReader(records.group());
    String source = group.text();
    Sequence contract = facts.spec().contract(source).sequence();
    String[] values = new String[contract.scope().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = group.nullableText();
    }
    List<String> scope = Arrays.asList(values);
    Sequences sequences = new Sequences(contract.dense());
    long read = 0;
    for (; records.nextRecord(); read++) {
      KeyReader order = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo());
      KeyReader body = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
      Instant receivedAt = order.instant();
      String ingestionId = order.text();
      order.skipText();
      Place place = Place.read(order);
      sequences.next(
          new Numbered(
              body.unsigned(),
              body.instant(),
              receivedAt,
              ingestionId,
              place,
              facts.judged(receivedAt)));
    }
    new SequenceFindings(source, contract, scope)
        .state(sequences, settled, notes.tally(), notes::finding);
    note(Sequences.name(source, scope), sequences, contract);
    return read;
  }

  /** Leaves in the tally what later stages ask about the sequence, if there is anything to ask. */
  private void note(String name, Sequences sequences, Sequence contract) {
    KeyWriter table = new KeyWriter();
    Epochs epochs = sequences.epochs();
    if (!epochs.single()) {
      epochs.write(table);
      notes.tally().min(table.toBytes(), SequenceTables.EPOCHS, name);
    }
    if (contract.dense() && sequences.holes() > 0) {
      GapTable.Builder gaps = GapTable.builder();
      sequences.gaps(gap -> gaps.add(name, gap));
      gaps.build().write(table.clear());
      notes.tally().min(table.toBytes(), SequenceTables.GAPS, name);
    }
  }
}
