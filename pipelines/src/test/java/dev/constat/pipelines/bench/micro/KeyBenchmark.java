package dev.constat.pipelines.bench.micro;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Revision;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The key of a reception as it is sorted: the event it belongs to, ingestion_id, mark and time of
 * arrival. The peer, {@link DataOutputStream}, writes the same values, but not so that their bytes
 * are in their order.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KeyBenchmark {

  private final KeyWriter writer = new KeyWriter();
  private final ByteArrayOutputStream peer = new ByteArrayOutputStream(256);
  private String source;
  private String id;
  private String ingestionId;
  private Instant receivedAt;
  private byte[] written;
  private byte[] peerWritten;

  /** The values of a key. */
  record Values(EventKey event, String ingestionId, boolean replayed, Instant receivedAt) {}

  /** Prepares the values, and the bytes of each way to write them. */
  @Setup(Level.Trial)
  public void prepare() throws IOException {
    source = "src-1";
    id = "92eb5ffee6ae2fec3ad71c777531578f";
    ingestionId = "0cc175b9c0f1b6a831c399e269772661";
    receivedAt = Instant.parse("2026-01-05T10:00:00.123456Z");
    write();
    written = writer.toBytes();
    peerWrite();
    peerWritten = peer.toByteArray();
  }

  /** Writes a key behind the other. */
  @Benchmark
  public int write() {
    writer.clear();
    EventKey.writeGroup(writer, source, id);
    Revision.NONE.write(writer);
    return writer.text(ingestionId).bool(false).instant(receivedAt).size();
  }

  /** Reads it back. */
  @Benchmark
  public Object read() {
    KeyReader in = new KeyReader(written);
    EventKey event = EventKey.read(in, in, 0);
    return new Values(event, in.text(), in.bool(), in.instant());
  }

  /** Writes the same values by the JDK's means. */
  @Benchmark
  public int peerWrite() throws IOException {
    peer.reset();
    DataOutputStream out = new DataOutputStream(peer);
    out.writeByte(1);
    out.writeUTF(source);
    out.writeUTF(id);
    out.writeByte(0);
    out.writeUTF(ingestionId);
    out.writeBoolean(false);
    out.writeLong(receivedAt.getEpochSecond());
    out.writeInt(receivedAt.getNano());
    return peer.size();
  }

  /** Reads them back. */
  @Benchmark
  public Object peerRead() throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(peerWritten));
    in.readByte();
    String readSource = in.readUTF();
    String readId = in.readUTF();
    in.readByte();
    return new Values(
        EventKey.ofId(readSource, readId, ImmutableList.of(), Revision.NONE),
        in.readUTF(),
        in.readBoolean(),
        Instant.ofEpochSecond(in.readLong(), in.readInt()));
  }
}
