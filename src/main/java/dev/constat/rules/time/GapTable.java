package dev.constat.rules.time;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When the events happened that dense sequences lack: somewhere between the neighbours of each gap.
 *
 * @param bySequence stretches of time by the name of their sequence, growing, without a common
 *     instant
 */
public record GapTable(ImmutableSortedMap<String, ImmutableList<Stretch>> bySequence) {

  /**
   * A stretch of time.
   *
   * @param from its first instant
   * @param to its last instant
   */
  public record Stretch(Instant from, Instant to) {}

  /** Begins a table. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Whether an event that a sequence lacks may fall into a window.
   *
   * @param start of the window (inclusive)
   * @param end of the window (exclusive)
   */
  public boolean meets(String sequence, Instant start, Instant end) {
    List<Stretch> stretches = bySequence.get(sequence);
    if (stretches == null) {
      return false;
    }
    int from = 0;
    int to = stretches.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (stretches.get(middle).to().isBefore(start)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from < stretches.size() && stretches.get(from).from().isBefore(end);
  }

  /** Appends it to a record. */
  public void write(KeyWriter out) {
    out.unsigned(bySequence.size());
    bySequence.forEach(
        (sequence, stretches) -> {
          out.text(sequence).unsigned(stretches.size());
          for (Stretch stretch : stretches) {
            out.instant(stretch.from()).instant(stretch.to());
          }
        });
  }

  /** Reads what {@link #write} wrote. */
  public static GapTable read(KeyReader in) {
    ImmutableSortedMap.Builder<String, ImmutableList<Stretch>> bySequence =
        ImmutableSortedMap.naturalOrder();
    for (long left = in.unsigned(); left > 0; left--) {
      String sequence = in.text();
      ImmutableList.Builder<Stretch> stretches = ImmutableList.builder();
      for (long stretch = in.unsigned(); stretch > 0; stretch--) {
        stretches.add(new Stretch(in.instant(), in.instant()));
      }
      bySequence.put(sequence, stretches.build());
    }
    return new GapTable(bySequence.build());
  }

  /** Puts a table together; the order of what is added does not matter. */
  public static final class Builder {

    private final TreeMap<String, List<Stretch>> bySequence = new TreeMap<>();

    private Builder() {}

    /** A gap of a dense sequence. */
    public Builder add(String sequence, Gap gap) {
      Instant lower = gap.lower().occurredAt();
      Instant upper = gap.upper().occurredAt();
      stretches(sequence)
          .add(lower.isAfter(upper) ? new Stretch(upper, lower) : new Stretch(lower, upper));
      return this;
    }

    /** All of another table. */
    public Builder addAll(GapTable other) {
      other.bySequence.forEach((sequence, stretches) -> stretches(sequence).addAll(stretches));
      return this;
    }

    /** The table. */
    public GapTable build() {
      ImmutableSortedMap.Builder<String, ImmutableList<Stretch>> united =
          ImmutableSortedMap.naturalOrder();
      for (Map.Entry<String, List<Stretch>> entry : bySequence.entrySet()) {
        united.put(entry.getKey(), united(entry.getValue()));
      }
      return new GapTable(united.build());
    }

    private List<Stretch> stretches(String sequence) {
      return bySequence.computeIfAbsent(sequence, name -> new ArrayList<>());
    }

    private static ImmutableList<Stretch> united(List<Stretch> stretches) {
      List<Stretch> sorted = new ArrayList<>(stretches);
      sorted.sort(Comparator.comparing(Stretch::from));
      ImmutableList.Builder<Stretch> united = ImmutableList.builder();
      Stretch open = sorted.get(0);
      for (Stretch stretch : sorted.subList(1, sorted.size())) {
        if (stretch.from().isAfter(open.to())) {
          united.add(open);
          open = stretch;
        } else if (stretch.to().isAfter(open.to())) {
          open = new Stretch(open.from(), stretch.to());
        }
      }
      return united.add(open).build();
    }
  }
}
