package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random schemas, values and ways to write them: what was written is what is read. */
class ParquetRoundTripTest {

  private static final List<CompressionCodecName> CODECS =
      List.of(
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.SNAPPY,
          CompressionCodecName.GZIP,
          CompressionCodecName.ZSTD);
  private static final int ROWS = 120;

  @TempDir private Path folder;
  private Random random;

  /** A value: how it is written, and what is read of it as text and as JSON. */
  private record Value(BiConsumer<Group, String> write, String text, String json) {}

  /** A type of leaves. */
  private enum Leaf {
    TEXT("binary", " (STRING)"),
    INT32("int32", ""),
    UINT32("int32", " (INTEGER(32,false))"),
    UINT8("int32", " (INTEGER(8,false))"),
    INT64("int64", ""),
    UINT64("int64", " (INTEGER(64,false))"),
    BOOLEAN("boolean", ""),
    DOUBLE("double", ""),
    FLOAT("float", ""),
    DECIMAL32("int32", " (DECIMAL(9,3))"),
    DECIMAL64("int64", " (DECIMAL(18,5))"),
    DECIMAL_BYTES("binary", " (DECIMAL(30,7))");

    private final String type;
    private final String logical;

    Leaf(String type, String logical) {
      this.type = type;
      this.logical = logical;
    }

    String field(String repetition, String name) {
      return repetition + " " + type + " " + name + logical + ";";
    }
  }

  private Value value(Leaf leaf) {
    return switch (leaf) {
      case TEXT -> {
        String text = "é\"\\" + random.nextInt(20) + "x".repeat(random.nextInt(30));
        yield new Value(
            (g, n) -> g.add(n, text),
            text,
            '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
      }
      case INT32 -> ofInt(random.nextInt(), 0, false);
      case UINT32 -> {
        int bits = random.nextInt();
        yield number((g, n) -> g.add(n, bits), Integer.toUnsignedString(bits));
      }
      case UINT8 -> ofInt(random.nextInt(256), 0, false);
      case INT64 -> ofLong(random.nextLong(), 0);
      case UINT64 -> {
        long bits = random.nextLong();
        yield number((g, n) -> g.add(n, bits), Long.toUnsignedString(bits));
      }
      case BOOLEAN -> {
        boolean value = random.nextBoolean();
        yield number((g, n) -> g.add(n, value), Boolean.toString(value));
      }
      case DOUBLE -> {
        // A decimal of few digits is the shortest that is read as its double.
        BigDecimal decimal = BigDecimal.valueOf(random.nextInt(2_000_000) - 1_000_000, 3);
        double value = random.nextInt(10) == 0 ? Double.NaN : decimal.doubleValue();
        yield floating((g, n) -> g.add(n, value), Double.isNaN(value), decimal);
      }
      case FLOAT -> {
        BigDecimal decimal = BigDecimal.valueOf(random.nextInt(20_000) - 10_000, 2);
        float value = random.nextInt(10) == 0 ? Float.NaN : decimal.floatValue();
        yield floating((g, n) -> g.add(n, value), Float.isNaN(value), decimal);
      }
      case DECIMAL32 -> ofInt(random.nextInt(1_999_999_999) - 999_999_999, 3, true);
      case DECIMAL64 -> ofLong(random.nextLong() % 1_000_000_000_000_000_000L, 5);
      case DECIMAL_BYTES -> {
        BigInteger unscaled = new BigInteger(90, random).subtract(BigInteger.ONE.shiftLeft(89));
        yield number(
            (g, n) -> g.add(n, Binary.fromConstantByteArray(unscaled.toByteArray())),
            new BigDecimal(unscaled, 7).toPlainString());
      }
    };
  }

  private static Value number(BiConsumer<Group, String> write, String text) {
    return new Value(write, text, text);
  }

  private static Value ofInt(int value, int scale, boolean decimal) {
    return number(
        (g, n) -> g.add(n, value),
        decimal ? BigDecimal.valueOf(value, scale).toPlainString() : Integer.toString(value));
  }

  private static Value ofLong(long value, int scale) {
    return number((g, n) -> g.add(n, value), BigDecimal.valueOf(value, scale).toPlainString());
  }

  private static Value floating(
      BiConsumer<Group, String> write, boolean isNaN, BigDecimal decimal) {
    if (isNaN) {
      return new Value(write, "NaN", "\"NaN\"");
    }
    return number(write, decimal.stripTrailingZeros().toPlainString());
  }

  /** A nested type: its declaration, and values of it. */
  private interface Nested {

    String field(String repetition, String name);

    /** Writes a value, and tells its JSON. */
    String write(Group group, String name);
  }

  private Nested nested(int depth) {
    return switch (depth == 0 ? 0 : random.nextInt(4)) {
      case 1 -> struct(depth);
      case 2 -> list(nested(depth - 1));
      case 3 -> map(nested(depth - 1));
      default -> leaf(Leaf.values()[random.nextInt(Leaf.values().length)]);
    };
  }

  private Nested leaf(Leaf leaf) {
    return new Nested() {
      @Override
      public String field(String repetition, String name) {
        return leaf.field(repetition, name);
      }

      @Override
      public String write(Group group, String name) {
        Value value = value(leaf);
        value.write().accept(group, name);
        return value.json();
      }
    };
  }

  private Nested struct(int depth) {
    List<Nested> members = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      members.add(nested(depth - 1));
    }
    return new Nested() {
      @Override
      public String field(String repetition, String name) {
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < members.size(); i++) {
          fields.append(members.get(i).field(i == 0 ? "required" : "optional", "m" + i));
        }
        return repetition + " group " + name + " {" + fields + "}";
      }

      @Override
      public String write(Group group, String name) {
        Group inside = group.addGroup(name);
        List<String> json = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
          if (i == 0 || random.nextBoolean()) {
            json.add("\"m" + i + "\":" + members.get(i).write(inside, "m" + i));
          }
        }
        return "{" + String.join(",", json) + "}";
      }
    };
  }

  private Nested list(Nested element) {
    return new Nested() {
      @Override
      public String field(String repetition, String name) {
        return "%s group %s (LIST) { repeated group list { %s } }"
            .formatted(repetition, name, element.field("optional", "element"));
      }

      @Override
      public String write(Group group, String name) {
        Group list = group.addGroup(name);
        List<String> json = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          Group entry = list.addGroup("list");
          json.add(random.nextInt(4) == 0 ? "null" : element.write(entry, "element"));
        }
        return "[" + String.join(",", json) + "]";
      }
    };
  }

  private Nested map(Nested value) {
    return new Nested() {
      @Override
      public String field(String repetition, String name) {
        return "%s group %s (MAP) { repeated group key_value { %s %s } }"
            .formatted(
                repetition,
                name,
                Leaf.TEXT.field("required", "key"),
                value.field("optional", "value"));
      }

      @Override
      public String write(Group group, String name) {
        Group map = group.addGroup(name);
        List<String> json = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          Group entry = map.addGroup("key_value");
          entry.add("key", "k" + i);
          json.add(
              "\"k" + i + "\":" + (random.nextInt(4) == 0 ? "null" : value.write(entry, "value")));
        }
        return "{" + String.join(",", json) + "}";
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void whatWasWrittenIsRead(int seed) throws IOException {
    random = new Random(seed);
    List<Leaf> leaves = new ArrayList<>();
    StringBuilder schema = new StringBuilder();
    String[] named = new String[2 + random.nextInt(5)];
    for (int i = 0; i < named.length; i++) {
      named[i] = "c" + i;
      leaves.add(Leaf.values()[random.nextInt(Leaf.values().length)]);
      schema.append(leaves.get(i).field("optional", named[i]));
    }
    List<String> units = List.of("MILLIS", "MICROS", "NANOS");
    int unit = random.nextInt(3);
    schema.append(
        "optional int64 supersedes_occurred_at (TIMESTAMP(%s,true));".formatted(units.get(unit)));
    long perSecond = List.of(1_000L, 1_000_000L, 1_000_000_000L).get(unit);
    Nested payload = random.nextBoolean() ? struct(3) : list(nested(3));
    schema.append(payload.field("optional", "payload"));

    List<List<String>> expected = new ArrayList<>();
    List<Consumer<Group>> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      List<String> texts = new ArrayList<>();
      expected.add(texts);
      rows.add(
          group -> {
            for (int i = 0; i < leaves.size(); i++) {
              Value value = random.nextInt(5) == 0 ? null : value(leaves.get(i));
              if (value != null) {
                value.write().accept(group, "c" + i);
              }
              texts.add(value == null ? null : value.text());
            }
            long ticks = random.nextLong();
            group.add("supersedes_occurred_at", ticks);
            texts.add(
                Instant.ofEpochSecond(
                        Math.floorDiv(ticks, perSecond),
                        Math.floorMod(ticks, perSecond) * (1_000_000_000 / perSecond))
                    .toString());
            texts.add(random.nextInt(10) == 0 ? null : payload.write(group, "payload"));
          });
    }
    new ParquetFiles(
            random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0,
            CODECS.get(random.nextInt(CODECS.size())),
            random.nextBoolean(),
            64 << random.nextInt(6))
        .write(folder.resolve("a.parquet"), ParquetFiles.schema(schema.toString()), rows);
    Reading reading =
        Reading.events(named)
            .constants(
                Map.of(
                    "ingestion_id", "i",
                    "source", "S",
                    "occurred_at", "2026-01-05T10:00:00Z",
                    "received_at", "2026-01-05T10:00:00Z"))
            .read(folder, "a.parquet");

    assertThat(reading.problems()).isEmpty();
    assertThat(reading.rows).hasSize(ROWS);
    List<String> payloads = reading.payloads();
    for (int row = 0; row < ROWS; row++) {
      List<String> texts = new ArrayList<>();
      for (String name : named) {
        texts.add((String) reading.column(name).get(row));
      }
      texts.add(reading.column("supersedes_occurred_at").get(row).toString());
      texts.add(payloads.get(row));
      assertThat(texts).as("row %s of %s", row, schema).isEqualTo(expected.get(row));
    }
  }
}
