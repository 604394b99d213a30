package dev.constat.transforms.scan;

import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A row that a running maximum passes, and two shapes of histories of them.
 *
 * @param value null where the row has none; {@link #NEVER} is infinite
 */
record ScanRow(String id, String scope, Instant position, Instant value) {

  static final Instant NEVER = Instant.MAX;

  private static final Instant START = Instant.parse("2026-01-05T10:00:00Z");

  void writeId(KeyWriter out) {
    out.text(id);
  }

  void writeScope(KeyWriter out) {
    out.nullableText(scope);
  }

  void writePosition(KeyWriter out) {
    out.instant(position);
  }

  void writeValue(KeyWriter out) {
    out.instant(value);
  }

  /** As a record's body: the value or nothing. */
  void writeBody(KeyWriter out) {
    if (value != null) {
      writeValue(out);
    }
  }

  /**
   * Receptions by arrival, with when they happened: a hot partition, a lukewarm one, one that is
   * null, and many of a few. Some have no value, as those in quarantine.
   */
  static List<ScanRow> clock(long seed, int hot) {
    Random random = new Random(seed);
    List<ScanRow> rows = new ArrayList<>();
    for (int i = 0; i < hot * 3 / 2; i++) {
      String scope = i < hot ? "hot" : i % 4 == 0 ? null : i % 4 == 1 ? "warm" : "p" + i % 97;
      boolean tied = random.nextInt(6) == 0;
      Instant received = START.plusNanos(tied ? 777 : random.nextInt(hot / 4 + 1) * 1_000_000_000L);
      Instant occurred = received.minusSeconds(random.nextInt(hot / 8 + 60)).plusNanos(i);
      rows.add(
          new ScanRow(
              "i" + random.nextInt(hot) + "-" + i,
              scope,
              received,
              random.nextInt(5) == 0 ? null : occurred));
    }
    return rows;
  }

  /**
   * Outbox rows by creation, with their first delivery: one hot aggregate, and many others. A head
   * that waits is delivered never.
   */
  static List<ScanRow> deliveries(long seed, int hot) {
    Random random = new Random(seed);
    List<ScanRow> rows = new ArrayList<>();
    for (int i = 0; i < hot * 3 / 2; i++) {
      Instant created = START.plusSeconds(random.nextInt(hot / 3 + 1));
      boolean waits = random.nextInt(hot / 2) == 0;
      rows.add(
          new ScanRow(
              "o" + random.nextInt(hot) + "-" + i,
              i < hot ? "hot" : "a" + i % 89,
              created,
              waits
                  ? NEVER
                  : random.nextInt(9) == 0 ? null : created.plusMillis(random.nextInt(90_000))));
    }
    return rows;
  }

  /** What each row must have before it, by looking at all pairs. */
  static Map<String, String> expected(List<ScanRow> rows) {
    Map<String, String> expected = new TreeMap<>();
    for (ScanRow row : rows) {
      Instant before = null;
      for (ScanRow other : rows) {
        if (String.valueOf(other.scope).equals(String.valueOf(row.scope))
            && ORDER.compare(other, row) < 0
            && other.value != null
            && (before == null || other.value.isAfter(before))) {
          before = other.value;
        }
      }
      KeyWriter bytes = new KeyWriter();
      if (before != null) {
        new ScanRow("", "", before, before).writeValue(bytes);
      }
      expected.put(row.id, shown(before == null ? null : bytes.toBytes()));
    }
    return expected;
  }

  private static final Comparator<ScanRow> ORDER =
      Comparator.comparing(ScanRow::position).thenComparing(ScanRow::id);

  /** What stands before a row, as text. */
  static String shown(byte[] before) {
    return before == null ? "nothing" : HexFormat.of().formatHex(before);
  }

  /** Every so many of the rows, from one of them on. */
  static List<ScanRow> split(List<ScanRow> rows, int split, int splits) {
    List<ScanRow> part = new ArrayList<>();
    for (int i = split; i < rows.size(); i += splits) {
      part.add(rows.get(i));
    }
    return part;
  }
}
