package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.chain.ChainJudge;
import dev.constat.rules.chain.ChainWalk;
import dev.constat.rules.chain.Chains;
import dev.constat.rules.chain.Link;
import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.diff.Hold;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.projection.CellFlag;
import dev.constat.rules.projection.EventOrder;
import dev.constat.rules.projection.PartialCells;
import dev.constat.rules.projection.ProjectedEvent;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.SourceContract;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Folds one bucket of {@link ChainRecords}: walks the chains of each source and scope, and sends
 * what is in force on to the cells.
 *
 * <p>A scope is read twice: the links of its events, and where they stand in the order of {@code
 * current}, are held in memory for the walk; what projections need of them waits in a sorter.
 */
final class ChainFold {

  private final RunFacts facts;
  private final Notebook notes;
  private final ImmutableList<Projector> projectors;
  private final int projectedFields;
  private final PartialCells cells;
  private final DiffRecords differences;
  private final RecordSorter waiting;
  private final Instant settled;
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  /**
   * A fold.
   *
   * @param cells takes what events contribute to projections
   * @param differences takes what does not count alike in versions that are compared
   * @param waiting sorts what waits for the walk of one scope
   */
  ChainFold(
      RunFacts facts,
      Notebook notes,
      PartialCells cells,
      DiffRecords differences,
      RecordSorter waiting) {
    this.facts = facts;
    this.notes = notes;
    this.projectors = Projector.all(facts.spec().projections());
    this.projectedFields = facts.spec().projectedFields().size();
    this.cells = cells;
    this.differences = differences;
    this.waiting = waiting;
    this.settled =
        facts.input(Input.EVENTS).cut().minus(new EffectPolicy(facts.spec()).largestGrace());
  }

  /** Folds all groups; returns how many records it read. */
  long fold(SortedRecords records) throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      read += scope(records);
    }
    cells.flush();
    return read;
  }

  private long scope(SortedRecords records) throws IOException {
    String source = new KeyReader(records.group()).text();
    SourceContract contract = facts.spec().contract(source);
    ChainWalk walk = new ChainWalk(new ProjectorWindows(projectors));
    List<EventOrder> orders = new ArrayList<>();
    waiting.clear();
    long read = 0;
    for (; records.nextRecord(); read++) {
      KeyReader in = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
      Link link = ChainRecords.link(in, contract.scope().size());
      walk.add(link);
      if (!projectors.isEmpty()) {
        order.clear().unsigned(read);
        body.clear().raw(records.buffer(), in.position(), records.bodyTo());
        waiting.add(empty, order, 0, body);
        orders.add(ChainRecords.event(in, projectedFields).order());
      }
    }
    Chains chains = walk.resolve();
    new ChainJudge(
            contract.scope(),
            facts.input(Input.EVENTS).start(),
            settled,
            facts::judged,
            notes.tally(),
            notes::finding)
        .judge(chains);
    if (!projectors.isEmpty()) {
      project(chains, orders);
    }
    return read;
  }

  private void project(Chains chains, List<EventOrder> orders) throws IOException {
    SortedRecords sorted = waiting.sort();
    while (sorted.nextGroup()) {
      while (sorted.nextRecord()) {
        KeyReader at = new KeyReader(sorted.buffer(), sorted.orderFrom(), sorted.orderTo());
        KeyReader in = new KeyReader(sorted.buffer(), sorted.bodyFrom(), sorted.bodyTo());
        int member = (int) at.unsigned();
        project(chains, member, orders, ChainRecords.event(in, projectedFields));
      }
    }
  }

  private void project(Chains chains, int member, List<EventOrder> orders, ProjectedEvent event) {
    int root = chains.root(member);
    EventOrder place = root == Chains.NONE ? event.order() : orders.get(root);
    differences.event(event, place, rule -> hold(chains, rule, member));
    for (int rule = 0; rule < projectors.size(); rule++) {
      if (!facts.spec().considers(projectors.get(rule).rule(), place.occurredAt())) {
        continue;
      }
      if (chains.inForce(rule, member)) {
        if (chains.link(member).correction()) {
          cells.contributeEverywhere(rule, event, place);
        } else {
          cells.contribute(rule, event, place);
        }
      }
      if (chains.ambiguous(member)) {
        cells.mark(rule, event, CellFlag.AMBIGUOUS);
      }
      if (chains.incomplete(member)) {
        cells.mark(rule, event, CellFlag.INCOMPLETE);
      }
    }
  }

  /** What the chain of a member leaves of it. */
  private Hold hold(Chains chains, int rule, int member) {
    boolean correction = chains.link(member).correction();
    if (chains.inForce(rule, member)) {
      return correction ? Hold.EVERYWHERE : Hold.IN_TIME;
    }
    if (chains.applied(rule, member) || chains.incomplete(member)) {
      return Hold.NOT_IN_FORCE;
    }
    if (!correction) {
      return Hold.IN_TIME;
    }
    boolean late = projectors.get(rule).rule().windowed() && !chains.ambiguous(member);
    return late ? Hold.TOO_LATE : Hold.NOT_IN_FORCE;
  }
}
