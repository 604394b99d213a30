package dev.constat.rules.synthesis;

import com.google.common.base.Preconditions;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import java.util.Arrays;
import java.util.BitSet;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A synthetic archive of a profile, a seed and a number of events. Any part of it can be had
 * without the rest: records of a table by the time they arrived, and what there is to find by the
 * number of the events. The same three give the same archive, however it is cut.
 *
 * <p>Events are numbered from 0. Those of the schedule have a fault, and then bring more events
 * with them where the fault needs them; all others happen as they should. A part of a table is made
 * in two steps, times first and records in their order after that, so that it needs 16 bytes per
 * record and no record waits.
 *
 * <p>An instance belongs to one thread; make as many as there are threads.
 */
public final class SyntheticArchive {

  /** So many records of a part, and of its length in microseconds, fit into one number. */
  private static final int SORTABLE_BITS = 63;

  private final Schedule schedule;
  private final Everyday everyday;
  private final StoryTeller teller;
  private final long longest;
  private final SyntheticRecord scratch = new SyntheticRecord();

  /** An archive. */
  public SyntheticArchive(Profile profile, long seed, long events) {
    Preconditions.checkArgument(events >= 0, "Invalid number of events: %s", events);
    this.schedule = new Schedule(profile, events);
    this.everyday = new Everyday(profile, seed);
    this.teller = new StoryTeller(profile, everyday);
    this.longest = everyday.longest();
  }

  /** When an event happens, or would: microseconds since 1970. */
  public long happens(long event) {
    return everyday.happens(event);
  }

  /**
   * Hands over the records of a table in the order of their time, ties in an order of their own.
   * The record handed over is another's after the call.
   *
   * @param from the first time, in microseconds
   * @param to the time that they end before
   */
  public void records(
      SyntheticTable table, long from, long to, Consumer<SyntheticRecord> consumer) {
    Part part = new Part(table, from, to);
    part.collect();
    part.emit(consumer);
  }

  /**
   * Hands over what there is to find of some events, in the order of their numbers.
   *
   * @param from the first event
   * @param to the event that they end before
   */
  public void truth(long from, long to, Consumer<TruthLine> consumer) {
    stories(from, to, story -> story.truth().forEach(consumer));
  }

  /** Hands over the records of the file of strays, line by line. */
  public void strays(Consumer<Stray> consumer) {
    stories(
        0,
        schedule.events(),
        story -> {
          if (story.stray() != null) {
            consumer.accept(story.stray());
          }
        },
        Fault.Part.STRAYS);
  }

  /** What there is to find of a stray that cannot be read, on a line from 1. */
  public static TruthLine unreadable(long line) {
    return TruthLine.of(
        Kind.INPUT_ERROR,
        new JsonObject()
            .put("input", SyntheticTable.EVENTS.input().key())
            .put("file", Stray.FILE)
            .put("place", "line " + line));
  }

  private static boolean hasEveryday(SyntheticTable table) {
    return table != SyntheticTable.CELLS && table != SyntheticTable.REPLAYS;
  }

  private void stories(long from, long to, Consumer<Story> consumer, Fault.Part... parts) {
    // A merge over the faults by the event that each falls on next.
    TreeMap<Long, Fault> next = new TreeMap<>();
    long[] at = new long[Fault.values().length];
    for (Fault fault : schedule.faults()) {
      if (parts.length == 0 || Arrays.asList(parts).contains(fault.part())) {
        at[fault.ordinal()] = from;
        advance(fault, at, to, next);
      }
    }
    while (!next.isEmpty()) {
      long event = next.firstKey();
      Fault fault = next.remove(event);
      consumer.accept(teller.tell(fault, event));
      at[fault.ordinal()] = event + 1;
      advance(fault, at, to, next);
    }
  }

  private void advance(Fault fault, long[] at, long to, TreeMap<Long, Fault> next) {
    long event = schedule.next(fault, at[fault.ordinal()]);
    while (event < to && schedule.at(event) != fault) {
      event = schedule.next(fault, event + 1);
    }
    if (event < to) {
      next.put(event, fault);
    }
  }

  /** A part of a table: its records by time. */
  private final class Part {

    private final SyntheticTable table;
    private final long from;
    private final long to;

    /** Of each record, in the order they were come upon: its event, and its place in the story. */
    private long[] records = new long[1 << 10];

    private long[] times = new long[1 << 10];
    private int size;

    Part(SyntheticTable table, long from, long to) {
      this.table = table;
      this.from = from;
      this.to = to;
    }

    void collect() {
      if (hasEveryday(table)) {
        collectEveryday();
      }
      for (Fault fault : schedule.faults()) {
        long reach = fault.reach().toNanos() / 1_000;
        long end = firstFrom(to);
        long event = schedule.next(fault, firstFrom(from - reach));
        while (event < end) {
          if (schedule.at(event) == fault) {
            collect(fault, event, reach);
          }
          event = schedule.next(fault, event + 1);
        }
      }
    }

    private long firstFrom(long time) {
      long last = everyday.happens(schedule.events());
      return time >= last ? schedule.events() : everyday.firstFrom(time);
    }

    private void collectEveryday() {
      long first = firstFrom(from - longest);
      long end = firstFrom(to);
      BitSet planted = schedule.planted(first, end);
      for (long event = first; event < end; event++) {
        if (!planted.get((int) (event - first))) {
          add(everyday.time(table, event), Everyday.index(event, 0xFF));
        }
      }
    }

    private void collect(Fault fault, long event, long reach) {
      Story story = teller.tell(fault, event);
      for (int i = 0; i < story.of(table).size(); i++) {
        long time = story.of(table).get(i).number(table.clock());
        long happened = everyday.happens(event);
        Preconditions.checkState(
            time >= happened && time - happened < reach,
            "[BUG] A record of %s of event %s lies out of reach",
            fault,
            event);
        add(time, Everyday.index(event, i));
      }
    }

    private void add(long time, long record) {
      if (time < from || time >= to) {
        return;
      }
      if (size == records.length) {
        records = Arrays.copyOf(records, size * 2);
        times = Arrays.copyOf(times, size * 2);
      }
      records[size] = record;
      times[size++] = time;
    }

    void emit(Consumer<SyntheticRecord> consumer) {
      int bits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
      long earliest = Long.MAX_VALUE;
      long latest = Long.MIN_VALUE;
      for (int i = 0; i < size; i++) {
        earliest = Math.min(earliest, times[i]);
        latest = Math.max(latest, times[i]);
      }
      Preconditions.checkState(
          size == 0
              || Long.SIZE - Long.numberOfLeadingZeros(latest - earliest) + bits <= SORTABLE_BITS,
          "A part of %s records over %s microseconds is too long to be sorted; make it shorter",
          size,
          latest - earliest);
      for (int i = 0; i < size; i++) {
        times[i] = (times[i] - earliest) << bits | i;
      }
      Arrays.sort(times, 0, size);
      int mask = (1 << bits) - 1;
      for (int i = 0; i < size; i++) {
        long record = records[(int) (times[i] & mask)];
        long event = record >> 8;
        int place = (int) (record & 0xFF);
        if (place == 0xFF) {
          everyday.fill(table, event, scratch);
          consumer.accept(scratch);
        } else {
          consumer.accept(teller.tell(schedule.at(event), event).of(table).get(place));
        }
      }
    }
  }
}
