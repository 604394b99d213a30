package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.scan.Samples;
import dev.constat.transforms.scan.SlabMaxima;
import dev.constat.transforms.scan.Slabs;
import java.time.Instant;

/**
 * The partitions of sources as scopes of the arrival clock, whose running maximum is that of
 * occurred_at in the order of arrival. Large ones are cut by received_at.
 *
 * <p>Serves one thread.
 */
final class Partitions {

  private static final String FAMILY = "clock";

  private final Slabs slabs;
  private final KeyWriter scope = new KeyWriter();
  private final KeyWriter position = new KeyWriter();

  private Partitions(Slabs slabs) {
    this.slabs = slabs;
  }

  /**
   * The partitions of a run.
   *
   * @param read what all of Read reports
   */
  static Partitions of(Tally read, SlabPlan plan, Buckets buckets) {
    long receptions = read.sum(ReadTally.USABLE, Input.EVENTS.key());
    return new Partitions(plan.slabs(read, FAMILY, receptions, buckets));
  }

  /** Appends the group of receptions of one partition that were received about a time. */
  void writeGroup(KeyWriter group, String source, String partition, Instant receivedAt) {
    writeScope(scope.clear(), source, partition);
    slabs.writeGroup(group, scope, position.clear().instant(receivedAt));
  }

  private static void writeScope(KeyWriter out, String source, String partition) {
    out.text(source).nullableText(partition);
  }

  /** What keeps how far clocks come, for slabs that are scanned before it is known otherwise. */
  SlabMaxima.Keeper keeper() {
    return new SlabMaxima.Keeper(FAMILY, slabs);
  }

  /** Takes in a reception that moves its clock. */
  void keep(SlabMaxima.Keeper keeper, Reception reception, KeyWriter occurredAt) {
    writeScope(scope.clear(), reception.source(), reception.partition());
    keeper.add(scope, position.clear().instant(reception.receivedAt()), occurredAt);
  }

  /**
   * How far clocks had come before each slab.
   *
   * @param events what the stage that kept it reports
   */
  SlabMaxima maxima(Tally events) {
    return SlabMaxima.of(events, FAMILY, slabs);
  }

  /** Notes at Read where some of the receptions stand. */
  static final class Sampler {

    private final Samples samples;
    private final KeyWriter id = new KeyWriter();
    private final KeyWriter scope = new KeyWriter();
    private final KeyWriter position = new KeyWriter();

    Sampler(SlabPlan plan) {
      this.samples = plan.samples(FAMILY);
    }

    void count(Tally tally, Reception reception) {
      writeScope(scope.clear(), reception.source(), reception.partition());
      samples.count(
          tally,
          id.clear().text(reception.ingestionId()),
          scope,
          position.clear().instant(reception.receivedAt()));
    }
  }
}
