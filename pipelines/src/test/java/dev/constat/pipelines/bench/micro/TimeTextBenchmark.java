package dev.constat.pipelines.bench.micro;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.reading.UnreadableValue;
import dev.constat.rules.reading.ValueRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.concurrent.TimeUnit;
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

/** The text of a time becomes an instant, the instant bytes in its order, and those text again. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimeTextBenchmark {

  /** What is read. */
  @Param({"2026-01-05T10:00:00Z", "2026-01-05T10:00:00.123456Z", "2026-01-05T11:30:00.123+01:30"})
  public String text;

  private final KeyWriter writer = new KeyWriter();
  private final ByteBuffer peer = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
  private ValueRule rule;
  private Instant time;
  private byte[] written;

  /** Prepares the rule of a column of times, and what the text says. */
  @Setup(Level.Trial)
  public void prepare() {
    RunSpec spec =
        RunSpecParser.parse(
            """
            constat: 1
            archives:
              events: {files: events.parquet}
            """,
            "constat.yaml",
            "bench");
    rule =
        Input.EVENTS.columns().stream()
            .filter(column -> column.name().equals("received_at"))
            .map(column -> ValueRule.of(Input.EVENTS, column, spec.archives().get(Input.EVENTS)))
            .findFirst()
            .orElseThrow();
    time = OffsetDateTime.parse(text).toInstant();
    written = writer.clear().instant(time).toBytes();
  }

  /** Reads the text. */
  @Benchmark
  public Object read() throws UnreadableValue {
    return rule.ofText(text);
  }

  /** {@link Instant#parse} of the same text. */
  @Benchmark
  public Object peerRead() {
    return Instant.parse(text);
  }

  /** Writes the instant into a key. */
  @Benchmark
  public int writeKey() {
    return writer.clear().instant(time).size();
  }

  /** Writes it into a buffer, out of order before 1970. */
  @Benchmark
  public int peerWriteKey() {
    return peer.clear().putLong(time.getEpochSecond()).putInt(time.getNano()).position();
  }

  /** Reads the instant from a key and writes it as outputs do. */
  @Benchmark
  public String readKeyAndWriteText() {
    return new KeyReader(written).instant().toString();
  }

  /** {@link Instant#toString} alone. */
  @Benchmark
  public String peerWriteText() {
    return time.toString();
  }
}
