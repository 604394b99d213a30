package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.order.AggregateScan.Marks;
import dev.constat.rules.order.Release;
import dev.constat.rules.order.RowMark;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.scan.Samples;
import dev.constat.transforms.scan.SlabMaxima;
import dev.constat.transforms.scan.Slabs;
import java.util.ArrayList;
import java.util.List;

/**
 * The aggregates of the outbox as scopes in which the order of deliveries is followed. Large ones
 * are cut by created_at.
 *
 * <p>Serves one thread.
 */
final class Aggregates {

  private static final String FAMILY = "order";

  private final Slabs slabs;
  private final KeyWriter scope = new KeyWriter();
  private final KeyWriter created = new KeyWriter();

  /** What is known of each slab before it is scanned: the greatest mark of some of its rows. */
  private enum Known {
    /** Of ordered rows, those that let the next go. */
    LAST,
    /** Of ordered rows, those that do not. */
    HELD,
    /** Of the other rows, those that let the next go. */
    UNORDERED_LAST,
    /** Of the other rows, those that do not. */
    UNORDERED_HELD,
    /** Of ordered rows, those whose status is not terminal. */
    HEAD,
    /** All ordered rows. */
    NEXT;

    String family() {
      return FAMILY + " " + name();
    }
  }

  private Aggregates(Slabs slabs) {
    this.slabs = slabs;
  }

  /**
   * The aggregates of a run.
   *
   * @param read what all of Read reports
   */
  static Aggregates of(Tally read, SlabPlan plan, Buckets buckets) {
    long rows = read.sum(ReadTally.USABLE, Input.OUTBOX.key());
    return new Aggregates(plan.slabs(read, FAMILY, rows, buckets));
  }

  /** Whether any aggregate is cut. */
  private boolean anyCut() {
    return slabs.cutScopes() > 0;
  }

  /** Goes to the aggregate of a row, for {@link #writeGroup} and {@link #writeLater}. */
  void seek(AggregateRow row) {
    row.writeScope(scope.clear());
    created.clear().instant(row.createdAt());
  }

  /** Appends the group of that row. */
  void writeGroup(KeyWriter group) {
    slabs.writeGroup(group, scope, created);
  }

  /**
   * Appends the group of a slab of its aggregate at or behind that row, from 0; false where there
   * is none.
   */
  boolean writeLater(KeyWriter group, int slabsLater) {
    int slab = slabs.slabOf(scope, created) + slabsLater;
    if (slab >= slabs.slabsOf(scope)) {
      return false;
    }
    slabs.writeGroup(group, scope, slab);
    return true;
  }

  /** What keeps of each slab what is asked for before it is scanned. */
  Keeper keeper() {
    return new Keeper();
  }

  /** Keeps it while the rows pass. */
  final class Keeper {

    private final List<SlabMaxima.Keeper> keepers = new ArrayList<>();
    private final KeyWriter last = new KeyWriter();
    private final KeyWriter first = new KeyWriter();

    private Keeper() {
      for (Known known : Known.values()) {
        keepers.add(new SlabMaxima.Keeper(known.family(), slabs));
      }
    }

    /** Takes the row in that was last sought. */
    void add(AggregateRow row, KeyWriter position, KeyWriter content) {
      if (!anyCut() || slabs.slabsOf(scope) == 1) {
        return;
      }
      RowMark.writeFirst(first.clear(), position, content);
      if (row.release() == Release.AT_A_TIME) {
        RowMark.writeLast(last.clear(), row, position, content);
        add(row.ordered() ? Known.LAST : Known.UNORDERED_LAST, last);
      } else if (row.release() == Release.NEVER) {
        add(row.ordered() ? Known.HELD : Known.UNORDERED_HELD, first);
      }
      if (row.ordered()) {
        add(Known.NEXT, first);
        if (row.holdsBack()) {
          add(Known.HEAD, first);
        }
      }
    }

    private void add(Known known, KeyWriter mark) {
      keepers.get(known.ordinal()).add(scope, created, mark);
    }

    /** Adds what it kept to a tally; doing so twice changes nothing. */
    void addTo(Tally tally) {
      keepers.forEach(keeper -> keeper.addTo(tally));
    }
  }

  /**
   * What stands before and behind each slab.
   *
   * @param kept what the stages that kept it report
   */
  Surroundings surroundings(Tally kept) {
    return new Surroundings(kept);
  }

  /** What stands before and behind each slab. */
  final class Surroundings {

    private final List<SlabMaxima> maxima = new ArrayList<>();

    private Surroundings(Tally kept) {
      for (Known known : Known.values()) {
        maxima.add(SlabMaxima.of(kept, known.family(), slabs));
      }
    }

    /** What stands before the slab of a group. */
    Marks before(byte[] buffer, int groupFrom, int groupTo) {
      if (!anyCut()) {
        return Marks.NONE;
      }
      return new Marks(
          before(Known.LAST, buffer, groupFrom, groupTo),
          before(Known.HELD, buffer, groupFrom, groupTo),
          before(Known.UNORDERED_LAST, buffer, groupFrom, groupTo),
          before(Known.UNORDERED_HELD, buffer, groupFrom, groupTo),
          before(Known.HEAD, buffer, groupFrom, groupTo));
    }

    private byte[] before(Known known, byte[] buffer, int groupFrom, int groupTo) {
      return maxima.get(known.ordinal()).before(buffer, groupFrom, groupTo);
    }

    /** The mark of the first ordered row behind it, or null. */
    byte[] next(byte[] buffer, int groupFrom, int groupTo) {
      return anyCut() ? maxima.get(Known.NEXT.ordinal()).behind(buffer, groupFrom, groupTo) : null;
    }
  }

  /** Notes at Read where some of the rows stand. */
  static final class Sampler {

    private final Samples samples;
    private final KeyWriter id = new KeyWriter();
    private final KeyWriter scope = new KeyWriter();
    private final KeyWriter created = new KeyWriter();

    Sampler(SlabPlan plan) {
      this.samples = plan.samples(FAMILY);
    }

    void count(Tally tally, OutboxRow row) {
      if (row.replayed() || row.aggregateId() == null) {
        return;
      }
      AggregateRow.writeScope(scope.clear(), row.aggregateType(), row.aggregateId());
      samples.count(
          tally, id.clear().text(row.outboxId()), scope, created.clear().instant(row.createdAt()));
    }
  }
}
