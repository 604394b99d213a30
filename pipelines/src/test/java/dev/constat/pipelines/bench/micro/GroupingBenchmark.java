package dev.constat.pipelines.bench.micro;

import com.google.common.base.Strings;
import dev.constat.pipelines.output.LocalSpillSpace;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.EventKey;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockStore;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Receptions come together by event, and inside an event by arrival: {@value #RECORDS} records, one
 * in five of them a repeat, through blocks of {@value #BUCKETS} buckets and a sorter. The time is
 * that of one record. The peers get records that are written already and are given all the heap
 * they want; a hash map does not order them.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GroupingBenchmark {

  /** How many records are grouped. */
  static final int RECORDS = 100_000;

  private static final int BUCKETS = 4;
  private static final int BODY = 96;
  private static final long SMALL_BUDGET = 1L << 20;
  private static final Instant START = Instant.parse("2026-01-05T10:00:00Z");

  /** What keys look like. */
  public enum Ids {
    /** 32 hexadecimal digits in no order, of four sources. */
    RANDOM,
    /** Numbers in order behind a long prefix, of one source. */
    ONE_PREFIX
  }

  /** What keys look like. */
  @Param({"RANDOM", "ONE_PREFIX"})
  public Ids ids;

  private final KeyWriter group = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();
  private final BlockAppender appender =
      new BlockAppender(new Buckets(BUCKETS), BlockStore.TRAVELLING);
  private RecordSorter sorter;
  private RecordSorter smallSorter;

  private String[] sources;
  private String[] names;
  private String[] ingestionIds;
  private Instant[] arrivals;
  private final byte[] content = new byte[BODY];
  private List<List<byte[]>> blocks;
  private byte[][] groups;
  private byte[][] wholes;

  /** Prepares what the records say, and the same as blocks and as arrays. */
  @Setup(Level.Trial)
  public void prepare() {
    Random random = new Random(7);
    random.nextBytes(content);
    sources = new String[RECORDS];
    names = new String[RECORDS];
    ingestionIds = new String[RECORDS];
    arrivals = new Instant[RECORDS];
    for (int i = 0; i < RECORDS; i++) {
      // A repeat comes some thousand records after the first.
      int event = i % 5 == 4 ? Math.max(0, i - 4_001) : i;
      boolean scattered = ids == Ids.RANDOM;
      sources[i] = scattered ? "src-" + event % 4 : "marketplace-orders";
      names[i] =
          scattered
              ? hex(new Random(event))
              : "eu-west/orders/" + Strings.padStart(Integer.toString(event), 20, '0');
      ingestionIds[i] = hex(random);
      arrivals[i] = START.plusNanos(i * 1_000_003L);
    }
    blocks = append();
    groups = new byte[RECORDS][];
    wholes = new byte[RECORDS][];
    for (int i = 0; i < RECORDS; i++) {
      write(i);
      groups[i] = group.toBytes();
      wholes[i] = group.raw(order.toBytes()).raw(body.toBytes()).toBytes();
    }
    sorter = new RecordSorter(LocalSpillSpace.inTemporaryDirectory());
    smallSorter = new RecordSorter(LocalSpillSpace.inTemporaryDirectory(), SMALL_BUDGET);
  }

  /** Gives up memory and files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    sorter.close();
    smallSorter.close();
  }

  private static String hex(Random random) {
    byte[] bytes = new byte[16];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private void write(int i) {
    EventKey.writeGroup(group.clear(), sources[i], names[i]);
    order.clear().octet(1).text(ingestionIds[i]);
    body.clear().bool(false).instant(arrivals[i]).raw(content);
  }

  /** Writes the records into blocks: the way out of a stage. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public List<List<byte[]>> append() {
    List<List<byte[]>> filled = new ArrayList<>();
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      filled.add(new ArrayList<>());
    }
    appender.to((bucket, block) -> filled.get(bucket).add(block));
    for (int i = 0; i < RECORDS; i++) {
      write(i);
      appender.append(group, order, 1, body);
    }
    appender.flush();
    appender.clear();
    return filled;
  }

  /** Sorts the blocks in memory and reads all records: the way into a stage. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public int sortInMemory() throws IOException {
    return sortAndRead(sorter);
  }

  /** The same in a budget of 1 MiB, so that sorted runs go to files and are merged. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public int sortInFiles() throws IOException {
    return sortAndRead(smallSorter);
  }

  private int sortAndRead(RecordSorter by) throws IOException {
    int events = 0;
    int bytes = 0;
    for (List<byte[]> ofBucket : blocks) {
      for (byte[] block : ofBucket) {
        by.addBlock(BlockStore.TRAVELLING, block);
      }
      SortedRecords records = by.sort();
      while (records.nextGroup()) {
        events++;
        while (records.nextRecord()) {
          bytes += records.bodyTo() - records.orderFrom();
        }
      }
      by.clear();
    }
    return bytes == 0 ? 0 : events;
  }

  /** A hash map from source and id to records; what comes out is in no order. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public int peerHashMap() {
    Map<List<String>, List<byte[]>> byEvent = new HashMap<>();
    for (int i = 0; i < RECORDS; i++) {
      byEvent
          .computeIfAbsent(List.of(sources[i], names[i]), event -> new ArrayList<>(1))
          .add(wholes[i]);
    }
    int bytes = 0;
    for (List<byte[]> records : byEvent.values()) {
      for (byte[] whole : records) {
        bytes += whole.length;
      }
    }
    return bytes == 0 ? 0 : byEvent.size();
  }

  /** The JDK's sort of whole records, each an array of its own, and one pass over them. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public int peerArraysSort() {
    Integer[] places = new Integer[RECORDS];
    Arrays.setAll(places, i -> i);
    Arrays.sort(places, (a, b) -> Arrays.compareUnsigned(wholes[a], wholes[b]));
    int events = 0;
    byte[] last = null;
    for (Integer place : places) {
      if (!Arrays.equals(last, groups[place])) {
        events++;
        last = groups[place];
      }
    }
    return events;
  }
}
