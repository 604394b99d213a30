package dev.constat.transforms.outputs;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Tally;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.ByteArrayCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.transforms.Combine;

/**
 * What a stage has to say when it has done a part of its work: what it counted, and what it left
 * where. Parts add up to the report of a run, in any order.
 *
 * @param tally what was counted
 * @param tables receipts of parts of tables, by name
 * @param findings receipts of shards of findings, by name
 */
public record StageReport(
    Tally tally,
    ImmutableList<TableSink.Receipt> tables,
    ImmutableList<FindingSink.Receipt> findings)
    implements Serializable {

  /** Encodes reports; equal reports give equal bytes. */
  public static final Coder<StageReport> CODER = new ReportCoder();

  /** A report that only counts. */
  public static StageReport of(Tally tally) {
    return new StageReport(tally, ImmutableList.of(), ImmutableList.of());
  }

  /** This and another as one. */
  public StageReport and(StageReport other) {
    return new StageReport(
        new Tally().merge(tally).merge(other.tally),
        sorted(tables, other.tables, Comparator.comparing(TableSink.Receipt::file)),
        sorted(findings, other.findings, Comparator.comparing(FindingSink.Receipt::file)));
  }

  private static <T> ImmutableList<T> sorted(List<T> a, List<T> b, Comparator<T> order) {
    return Stream.concat(a.stream(), b.stream())
        .sorted(order)
        .collect(ImmutableList.toImmutableList());
  }

  /** Adds reports up. */
  public static final class Sum extends Combine.BinaryCombineFn<StageReport> {

    private static final long serialVersionUID = 1L;

    @Override
    public StageReport apply(StageReport left, StageReport right) {
      return left.and(right);
    }

    @Override
    public StageReport identity() {
      return StageReport.of(new Tally());
    }
  }

  private static final class ReportCoder extends AtomicCoder<StageReport> {

    private static final long serialVersionUID = 1L;
    private static final StringUtf8Coder TEXT = StringUtf8Coder.of();
    private static final VarLongCoder LONG = VarLongCoder.of();
    private static final VarIntCoder INT = VarIntCoder.of();

    @Override
    public void encode(StageReport report, OutputStream stream) throws IOException {
      DataOutputStream out = new DataOutputStream(stream);
      ByteArrayCoder.of().encode(report.tally.toBytes(), out);
      INT.encode(report.tables.size(), out);
      for (TableSink.Receipt receipt : report.tables) {
        TEXT.encode(receipt.table(), out);
        TEXT.encode(receipt.file(), out);
        LONG.encode(receipt.rows(), out);
        LONG.encode(receipt.bytes(), out);
        TEXT.encode(receipt.sha256(), out);
      }
      INT.encode(report.findings.size(), out);
      for (FindingSink.Receipt receipt : report.findings) {
        TEXT.encode(receipt.file(), out);
        LONG.encode(receipt.findings(), out);
        LONG.encode(receipt.bytes(), out);
      }
      out.flush();
    }

    @Override
    public StageReport decode(InputStream stream) throws IOException {
      DataInputStream in = new DataInputStream(stream);
      Tally tally = Tally.fromBytes(ByteArrayCoder.of().decode(in));
      ImmutableList.Builder<TableSink.Receipt> tables = ImmutableList.builder();
      for (int left = INT.decode(in); left > 0; left--) {
        tables.add(
            new TableSink.Receipt(
                TEXT.decode(in),
                TEXT.decode(in),
                LONG.decode(in),
                LONG.decode(in),
                TEXT.decode(in)));
      }
      ImmutableList.Builder<FindingSink.Receipt> findings = ImmutableList.builder();
      for (int left = INT.decode(in); left > 0; left--) {
        findings.add(new FindingSink.Receipt(TEXT.decode(in), LONG.decode(in), LONG.decode(in)));
      }
      return new StageReport(tally, tables.build(), findings.build());
    }
  }
}
