package dev.constat.transforms.buckets;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Kinds of records that a sort can get wrong. */
enum RecordShape {
  /** Bytes from two values and short lengths: empty parts, beginnings of each other, many ties. */
  TIES {
    @Override
    TestRecord next(Random random) {
      return new TestRecord(
          bytes(random, random.nextInt(4), 2),
          bytes(random, random.nextInt(3), 2),
          random.nextInt(2),
          bytes(random, random.nextInt(3), 2));
    }
  },
  /** Any bytes and any lengths up to a few dozen. */
  NOISE {
    @Override
    TestRecord next(Random random) {
      return new TestRecord(
          bytes(random, random.nextInt(20), 256),
          bytes(random, random.nextInt(20), 256),
          random.nextInt(256),
          bytes(random, random.nextInt(60), 256));
    }
  },
  /** Long beginnings in common, ends that are zeros or missing. */
  COMMON_BEGINNINGS {
    @Override
    TestRecord next(Random random) {
      byte[] group = new byte[30 + random.nextInt(12)];
      Arrays.fill(group, 0, 30, (byte) 0xFF);
      group[28 + random.nextInt(group.length - 28)] = (byte) random.nextInt(2);
      byte[] order = new byte[random.nextInt(16)];
      return new TestRecord(group, order, random.nextInt(3), bytes(random, 14, 2));
    }
  },
  /** Keys as the rules make them: a source, then an id. */
  IDS {
    @Override
    TestRecord next(Random random) {
      String source = List.of("orders", "payments", "p").get(random.nextInt(3));
      String id = Long.toHexString(random.nextInt(500) * 0x9E3779B97F4A7C15L);
      return new TestRecord(
          (source + "\0\1" + id).getBytes(StandardCharsets.UTF_8),
          bytes(random, 12, 256),
          random.nextInt(4),
          bytes(random, random.nextInt(100), 256));
    }
  },
  /** All in one group, told apart by order or body. */
  ONE_GROUP {
    @Override
    TestRecord next(Random random) {
      return new TestRecord(
          "the only group".getBytes(StandardCharsets.UTF_8),
          bytes(random, 1 + random.nextInt(9), 3),
          0,
          bytes(random, random.nextInt(30), 256));
    }
  },
  /** Now and then a record that is larger than chunks, buffers and small budgets. */
  SOME_LARGE {
    @Override
    TestRecord next(Random random) {
      int body = random.nextInt(100) == 0 ? 5_000 + random.nextInt(100_000) : random.nextInt(30);
      int group = random.nextInt(200) == 0 ? 3_000 : 5;
      return new TestRecord(
          bytes(random, group, 2), bytes(random, 3, 256), 7, bytes(random, body, 256));
    }
  };

  abstract TestRecord next(Random random);

  List<TestRecord> records(long seed, int count) {
    Random random = new Random(seed);
    return Stream.generate(() -> next(random)).limit(count).toList();
  }

  private static byte[] bytes(Random random, int length, int values) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      // Extremes first, so that two values are 0 and 255.
      bytes[i] = (byte) (values == 256 ? random.nextInt(256) : -random.nextInt(values));
    }
    return bytes;
  }
}
