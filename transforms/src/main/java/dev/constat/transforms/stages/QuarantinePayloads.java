package dev.constat.transforms.stages;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.buckets.BucketFn;
import dev.constat.transforms.buckets.GroupIntoBuckets;
import dev.constat.transforms.buckets.SortedRecords;
import dev.constat.transforms.outputs.PayloadSource;
import dev.constat.transforms.outputs.StageReport;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionView;

/**
 * Writes the quarantine: fetches the payload of every contested version from where it stands.
 *
 * <p><b>Input</b>: blocks of quarantined versions, grouped by part of a file. <b>Output</b>:
 * reports; the table goes to its sink, one part per bucket, rows in the order of their places.
 * <b>Guarantees</b>: every part of a file is read at most once more. <b>Cost</b>: one shuffle of
 * the contested versions.
 */
public final class QuarantinePayloads
    extends PTransform<PCollection<KV<Integer, byte[]>>, PCollection<StageReport>> {

  private static final long serialVersionUID = 1L;

  /** How many versions are held while their payloads are read. */
  static final int BATCH = 20_000;

  /** How many bytes of a place name the part of a file. */
  private static final int PART_BYTES = 9;

  private final RunSpec spec;
  private final PCollectionView<StageReport> read;
  private final PayloadSource payloads;
  private final StageSinks sinks;

  private QuarantinePayloads(
      RunSpec spec, PCollectionView<StageReport> read, PayloadSource payloads, StageSinks sinks) {
    this.spec = spec;
    this.read = read;
    this.payloads = payloads;
    this.sinks = sinks;
  }

  /**
   * Creates it.
   *
   * @param read what all of Read reports
   * @param payloads where payloads are read again
   */
  public static QuarantinePayloads of(
      RunSpec spec, PCollectionView<StageReport> read, PayloadSource payloads, StageSinks sinks) {
    return new QuarantinePayloads(spec, read, payloads, sinks);
  }

  @Override
  public PCollection<StageReport> expand(PCollection<KV<Integer, byte[]>> blocks) {
    return blocks
        .apply("GroupByPart", GroupIntoBuckets.create())
        .apply(
            "FetchPayloads",
            ParDo.of(new Fetch(new FactsView(spec, read, sinks), payloads, sinks))
                .withSideInputs(read))
        .setCoder(StageReport.CODER);
  }

  /** Appends a version to be quarantined. */
  static void append(Quarantined version, RecordOut out) {
    byte[] place = version.place().toBytes();
    KeyWriter body = new KeyWriter();
    version.write(body);
    out.append(
        new KeyWriter().raw(place, 0, PART_BYTES),
        new KeyWriter().raw(place, PART_BYTES, Place.BYTES),
        0,
        body);
  }

  private static final class Fetch extends BucketFn<StageReport> {

    private static final long serialVersionUID = 1L;

    private final FactsView facts;
    private final PayloadSource payloads;
    private final StageSinks sinks;

    Fetch(FactsView facts, PayloadSource payloads, StageSinks sinks) {
      super(sinks.blocks(), sinks.spill());
      this.facts = facts;
      this.payloads = payloads;
      this.sinks = sinks;
    }

    @Override
    protected void fold(int bucket, SortedRecords records, ProcessContext context)
        throws IOException {
      Instant asOf = facts.facts(context).asOf();
      try (TableSink.Part part = sinks.open(Tables.QUARANTINE, "quarantine", bucket)) {
        while (records.nextGroup()) {
          fetch(records, asOf, part);
        }
        context.output(
            new StageReport(
                new Tally(),
                part.finish().map(ImmutableList::of).orElse(ImmutableList.of()),
                ImmutableList.of()));
      }
    }

    private void fetch(SortedRecords records, Instant asOf, TableSink.Part part)
        throws IOException {
      byte[] place = new byte[Place.BYTES];
      System.arraycopy(records.group(), 0, place, 0, PART_BYTES);
      Map<Place, Quarantined> batch = new LinkedHashMap<>();
      while (records.nextRecord()) {
        System.arraycopy(
            records.buffer(), records.orderFrom(), place, PART_BYTES, Place.BYTES - PART_BYTES);
        Place at = Place.fromBytes(place, 0);
        batch.put(
            at,
            Quarantined.read(
                at, new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo())));
        if (batch.size() == BATCH) {
          write(batch, asOf, part);
        }
      }
      write(batch, asOf, part);
    }

    private void write(Map<Place, Quarantined> batch, Instant asOf, TableSink.Part part)
        throws IOException {
      if (!batch.isEmpty()) {
        payloads.read(
            ImmutableList.copyOf(batch.keySet()),
            (at, payload) -> part.add(batch.get(at).row(payload, asOf)));
        batch.clear();
      }
    }
  }
}
