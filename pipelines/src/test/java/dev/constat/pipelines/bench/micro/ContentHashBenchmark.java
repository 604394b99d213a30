package dev.constat.pipelines.bench.micro;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.identity.ReceptionReader;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.erdtman.jcs.JsonCanonicalizer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A row of {@code events} becomes a reception: its key is found and its content hashed under the
 * contract's rule. The peers hash the content alone.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ContentHashBenchmark {

  /** What is hashed. */
  @Param({"FLAT", "NESTED"})
  public Content content;

  private byte[] payload;
  private Row row;
  private ReceptionReader underRawBytes;
  private ReceptionReader underJcsExact;

  /** Prepares the row and a reader for each rule. */
  @Setup(Level.Trial)
  public void prepare() {
    payload = content.bytes();
    RunSpec rawBytes = spec("raw-bytes/1");
    underRawBytes = new ReceptionReader(rawBytes);
    underJcsExact = new ReceptionReader(spec("jcs-exact/1"));
    Layout layout = rawBytes.layout(Input.EVENTS);
    Object[] values = new Object[layout.columns().size()];
    values[layout.indexOf("ingestion_id")] = "0cc175b9c0f1b6a831c399e269772661";
    values[layout.indexOf("source")] = "src-1";
    values[layout.indexOf("source_event_id")] = "92eb5ffee6ae2fec3ad71c777531578f";
    values[layout.indexOf("partition")] = "p7";
    values[layout.indexOf("occurred_at")] = Instant.parse("2026-01-05T10:00:00.123456Z");
    values[layout.indexOf("received_at")] = Instant.parse("2026-01-05T10:00:01.5Z");
    values[layout.indexOf("schema_version")] = "1";
    values[layout.indexOf("payload")] = new Payload(payload, false);
    row = new Row(values, new Place(Input.EVENTS.ordinal(), 0, 0, 0, 0), null);
  }

  private static RunSpec spec(String hash) {
    return RunSpecParser.parse(
        """
        constat: 1
        archives:
          events: {files: events.parquet}
        sources:
          - {source: "*", hash: %s}
        """
            .formatted(hash),
        "constat.yaml",
        "bench");
  }

  /** SHA-256 of the bytes as received. */
  @Benchmark
  public String rawBytes() throws MalformedJsonException {
    return underRawBytes.read(row).content().value();
  }

  /** SHA-256 of canonical JSON with exact numbers. */
  @Benchmark
  public String jcsExact() throws MalformedJsonException {
    return underJcsExact.read(row).content().value();
  }

  /** The JDK's SHA-256 of the same bytes, in hex. */
  @Benchmark
  public String peerRawBytes() throws NoSuchAlgorithmException {
    return sha256(payload);
  }

  /** The JDK's SHA-256 of RFC 8785 as its authors' library writes it, in hex. */
  @Benchmark
  public String peerJcs() throws IOException, NoSuchAlgorithmException {
    return sha256(new JsonCanonicalizer(payload).getEncodedUTF8());
  }

  private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
