package dev.constat.rules.time;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import java.time.Instant;

/** How many events of some sort there were, which was the first, and when the last came. */
final class Occurrences {

  private long count;
  private Arrival first;
  private Place firstPlace;
  private Instant lastAt;

  /** Takes an event in. */
  void add(Instant receivedAt, String ingestionId, Place place) {
    count++;
    if (first == null || !receivedAt.isAfter(first.receivedAt())) {
      Arrival arrival = new Arrival(receivedAt, ingestionId);
      int compared = first == null ? -1 : arrival.compareTo(first);
      if (compared < 0 || compared == 0 && place.compareTo(firstPlace) < 0) {
        first = arrival;
        firstPlace = place;
      }
    }
    if (lastAt == null || receivedAt.isAfter(lastAt)) {
      lastAt = receivedAt;
    }
  }

  /** Adds them to what a tally has under a path of {@link TimeTally}. */
  void flush(Tally tally, String... path) {
    if (count > 0) {
      KeyWriter out = new KeyWriter().instant(first.receivedAt()).text(first.ingestionId());
      tally.add(count, path);
      tally.min(out.raw(firstPlace.toBytes()).toBytes(), renamed(TimeTally.first(path[0]), path));
      tally.max(new KeyWriter().instant(lastAt).toBytes(), renamed(TimeTally.last(path[0]), path));
    }
  }

  /** What a tally has under a path of {@link TimeTally}. */
  static Occurrences in(Tally tally, String... path) {
    Occurrences occurrences = new Occurrences();
    occurrences.count = tally.sum(path);
    if (occurrences.count > 0) {
      KeyReader in = new KeyReader(tally.min(renamed(TimeTally.first(path[0]), path)));
      occurrences.first = new Arrival(in.instant(), in.text());
      occurrences.firstPlace = Place.read(in);
      occurrences.lastAt =
          new KeyReader(tally.max(renamed(TimeTally.last(path[0]), path))).instant();
    }
    return occurrences;
  }

  /** How many there were. */
  long count() {
    return count;
  }

  /** When the first was received; null of none. */
  Instant firstAt() {
    return first == null ? null : first.receivedAt();
  }

  /** Where the first stands; null of none. */
  Place firstPlace() {
    return firstPlace;
  }

  /** When the last was received; null of none. */
  Instant lastAt() {
    return lastAt;
  }

  private static String[] renamed(String name, String... path) {
    String[] renamed = path.clone();
    renamed[0] = name;
    return renamed;
  }
}
