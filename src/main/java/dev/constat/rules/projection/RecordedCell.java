package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Ordering;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;

/**
 * A cell that the live system recorded, once per computation.
 *
 * @param projection its projection, or null where the archive does not say
 * @param version its version, or null
 * @param businessKey its key, or null
 * @param windowStart start of its window
 * @param windowEnd end of its window
 * @param values what it holds, by column: canonical JSON text; a column that is not there is not
 *     compared
 * @param eventIds the ids of the events consumed, sorted, each once; null where it does not say
 * @param outputHash a hash of what came out, or null
 * @param replayId the replay that computed it, or null
 * @param computedAt when it was computed, or null
 * @param place where it stands
 */
public record RecordedCell(
    String projection,
    String version,
    String businessKey,
    OptionalTime windowStart,
    OptionalTime windowEnd,
    ImmutableSortedMap<String, String> values,
    ImmutableList<String> eventIds,
    String outputHash,
    String replayId,
    Instant computedAt,
    Place place) {

  private static final int DIGEST = 16;
  private static final Ordering<Instant> LATEST = Ordering.<Instant>natural().nullsFirst();

  /** The ids of events, sorted, each once. */
  static ImmutableList<String> ids(Iterable<String> ids) {
    TreeSet<String> sorted = Texts.sorted();
    ids.forEach(sorted::add);
    return ImmutableList.copyOf(sorted);
  }

  /**
   * Whether it comes behind another, so that it is the cell rather than the other: the later one,
   * of two that were computed at one time whichever the contents, and then the places, put last.
   */
  boolean isAfter(RecordedCell other) {
    int byTime = LATEST.compare(computedAt, other.computedAt);
    if (byTime != 0) {
      return byTime > 0;
    }
    KeyWriter mine = new KeyWriter();
    KeyWriter theirs = new KeyWriter();
    write(mine);
    other.write(theirs);
    return Arrays.compareUnsigned(mine.toBytes(), theirs.toBytes()) > 0;
  }

  /** Whether it is an archive copy of another: equal in everything but its place. */
  boolean copies(RecordedCell other) {
    return other != null && withPlace(other.place).equals(other);
  }

  private RecordedCell withPlace(Place other) {
    return new RecordedCell(
        projection,
        version,
        businessKey,
        windowStart,
        windowEnd,
        values,
        eventIds,
        outputHash,
        replayId,
        computedAt,
        other);
  }

  /** Whether it consumed the same events as another, as far as both say so. */
  boolean consumedTheSame(RecordedCell other) {
    return eventIds != null && eventIds.equals(other.eventIds);
  }

  /** Whether a value differs that both of two computations hold. */
  boolean differsByValue(RecordedCell other) {
    for (Map.Entry<String, String> entry : values.entrySet()) {
      String theirs = other.values.get(entry.getKey());
      if (theirs != null && !CellValues.same(entry.getValue(), theirs)) {
        return true;
      }
    }
    return false;
  }

  /** A value by name as a text column would hold it; null where it is absent or JSON's null. */
  String text(String column) {
    return CellValues.text(values.get(column));
  }

  /**
   * Hands it on as a record of {@link CellFold}.
   *
   * @param rule place of its rule among all of the run, or -1 where none has its projection and
   *     version
   * @param windowed whether the rule's cells have windows; those of {@code current} have none,
   *     whatever is recorded
   */
  void append(int rule, boolean windowed, RecordedCells.Writers writers, CellSink sink) {
    KeyWriter group =
        CellRecords.group(writers.group(), rule < 0 ? CellRecords.UNKNOWN_RULE : rule);
    if (rule < 0) {
      group.nullableText(projection).nullableText(version);
    }
    group.nullableText(businessKey);
    Instant start = windowed ? windowStart.orNull() : null;
    KeyWriter order = CellRecords.order(writers.order(), start, CellRecords.RECORDED);
    order.nullableBytes(consumedDigest());
    order.nullableInstant(computedAt);
    write(writers.body().clear());
    sink.append(group, order, CellRecords.RECORDED, writers.body());
  }

  /** Brings computations that consumed the same together. */
  private byte[] consumedDigest() {
    if (eventIds == null) {
      return null;
    }
    Hasher hasher = Hashing.sha256().newHasher();
    for (String id : eventIds) {
      byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
      hasher.putInt(bytes.length).putBytes(bytes);
    }
    return Arrays.copyOf(hasher.hash().asBytes(), DIGEST);
  }

  /** Appends it to a record, place last. */
  public void write(KeyWriter out) {
    out.nullableText(projection).nullableText(version).nullableText(businessKey);
    windowStart.write(out);
    windowEnd.write(out);
    out.unsigned(values.size());
    values.forEach((name, value) -> out.text(name).text(value));
    out.nullableSigned(eventIds == null ? null : (long) eventIds.size());
    if (eventIds != null) {
      eventIds.forEach(out::text);
    }
    out.nullableText(outputHash).nullableText(replayId).nullableInstant(computedAt);
    place.write(out);
  }

  /** Reads what {@link #write} wrote. */
  public static RecordedCell read(KeyReader in) {
    String projection = in.nullableText();
    String version = in.nullableText();
    String businessKey = in.nullableText();
    OptionalTime windowStart = OptionalTime.read(in);
    OptionalTime windowEnd = OptionalTime.read(in);
    ImmutableSortedMap.Builder<String, String> values = ImmutableSortedMap.naturalOrder();
    for (long left = in.unsigned(); left > 0; left--) {
      values.put(in.text(), in.text());
    }
    Long ids = in.nullableSigned();
    ImmutableList.Builder<String> eventIds = ImmutableList.builder();
    for (long left = ids == null ? 0 : ids; left > 0; left--) {
      eventIds.add(in.text());
    }
    return new RecordedCell(
        projection,
        version,
        businessKey,
        windowStart,
        windowEnd,
        values.buildOrThrow(),
        ids == null ? null : eventIds.build(),
        in.nullableText(),
        in.nullableText(),
        in.nullableInstant(),
        Place.read(in));
  }

  /** The canonical JSON of a text. */
  static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2);
    CanonicalJson.quote(text, json);
    return json.toString();
  }
}
