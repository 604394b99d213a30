package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.reconcile.DriftJudge;
import dev.constat.rules.reconcile.KeyVerdict;
import dev.constat.transforms.buckets.BucketFn;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.FindingSink;
import dev.constat.transforms.outputs.FindingSorter;
import dev.constat.transforms.outputs.StageReport;
import java.io.IOException;
import java.time.Instant;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Looks for sources that rewrote their ids: the check SUSPECTED_IDENTITY_DRIFT.
 *
 * <p><b>Input</b>: blocks of accepted events by what should tell them apart. <b>Output</b>:
 * reports; findings go to their sink. <b>Cost</b>: one shuffle of the accepted events that have a
 * business_key, which is why the check is off by default.
 */
public final class FindIdentityDrift
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  private static final String STAGE = "drift";

  private final StageSinks sinks;

  private FindIdentityDrift(StageSinks sinks) {
    this.sinks = sinks;
  }

  /** Creates it. */
  public static FindIdentityDrift of(StageSinks sinks) {
    return new FindIdentityDrift(sinks);
  }

  /** Appends an accepted event, if it is one that the check can say something about. */
  static void append(KeyVerdict verdict, RecordOut out) {
    Reception first = verdict.first();
    if (first == null || verdict.key().heuristic() || first.businessKey() == null) {
      return;
    }
    KeyWriter group =
        new KeyWriter()
            .text(first.source())
            .text(first.businessKey())
            .instant(first.occurredAt())
            .text(first.content().rule())
            .text(first.content().value());
    KeyWriter order = new KeyWriter().text(verdict.key().id());
    KeyWriter body =
        new KeyWriter()
            .nullableText(first.supersedes())
            .instant(first.receivedAt())
            .raw(first.place().toBytes());
    out.append(group, order, 0, body);
  }

  /** Judges groups of what {@link #append} appended. */
  static void judge(SortedRecords records, Tally tally, FindingSorter.Reader findings)
      throws IOException {
    while (records.nextGroup()) {
      Finding finding = suspicion(records, tally);
      if (finding != null) {
        findings.accept(finding);
      }
    }
  }

  private static Finding suspicion(SortedRecords records, Tally tally) throws IOException {
    KeyReader group = new KeyReader(records.group());
    DriftJudge judge = new DriftJudge(group.text(), group.text(), group.instant());
    while (records.nextRecord()) {
      String id = new KeyReader(records.buffer(), records.orderFrom(), records.orderTo()).text();
      KeyReader body = new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo());
      String supersedes = body.nullableText();
      Instant receivedAt = body.instant();
      judge.next(id, supersedes, receivedAt, Place.read(body));
      tally.add(1, CheckTally.JUDGED, Kind.SUSPECTED_IDENTITY_DRIFT.name());
    }
    return judge.end();
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    return blocks
        .apply("GroupByLikeness", GroupIntoBuckets.create())
        .apply("FindDrift", ParDo.of(new Find(sinks)))
        .setCoder(StageReport.CODER);
  }

  private static final class Find extends BucketFn<StageReport> {

    private static final long serialVersionUID = 1L;

    private final StageSinks sinks;

    Find(StageSinks sinks) {
      super(sinks.blocks(), sinks.spill());
      this.sinks = sinks;
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      Tally tally = new Tally();
      try (FindingSorter findings = new FindingSorter(sinks.spill());
          FindingSink.Shard shard = sinks.findings().open(STAGE, bucket)) {
        judge(records, tally, findings::add);
        findings.drainTo(shard::add);
        context.output(
            new StageReport(
                tally,
                ImmutableList.of(),
                shard.finish().map(ImmutableList::of).orElse(ImmutableList.of())));
      }
    }
  }
}
