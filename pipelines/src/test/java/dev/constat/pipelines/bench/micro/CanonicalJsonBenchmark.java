package dev.constat.pipelines.bench.micro;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import java.io.IOException;
import java.util.Map;
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

/** JSON text becomes canonical JSON text; and each half of that alone. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CanonicalJsonBenchmark {

  private static final ObjectMapper SORTING =
      JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** What is read and written. */
  @Param({"FLAT", "NESTED"})
  public Content content;

  private byte[] text;
  private JsonValue value;

  /** Prepares the text, and its value for the half that writes. */
  @Setup(Level.Trial)
  public void prepare() throws MalformedJsonException {
    text = content.bytes();
    value = StrictJson.parse(text);
  }

  /** Reads, refusing what is ambiguous, and writes under jcs-exact/1. */
  @Benchmark
  public byte[] readAndWrite() throws MalformedJsonException {
    return CanonicalJson.bytes(StrictJson.parse(text));
  }

  /** Reads. */
  @Benchmark
  public JsonValue read() throws MalformedJsonException {
    return StrictJson.parse(text);
  }

  /** Writes what was read before. */
  @Benchmark
  public byte[] write() {
    return CanonicalJson.bytes(value);
  }

  /** RFC 8785 as its authors' library does it. */
  @Benchmark
  public byte[] peerJcs() throws IOException {
    return new JsonCanonicalizer(text).getEncodedUTF8();
  }

  /** Jackson: reads into maps, writes them sorted; no canonical numbers or strings. */
  @Benchmark
  public byte[] peerSortedMaps() throws IOException {
    return SORTING.writeValueAsBytes(SORTING.readValue(text, Map.class));
  }
}
