package dev.constat.pipelines.testdata;

import dev.constat.pipelines.testdata.Shop.Event;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** Chooses whom an incident happens to. */
@FunctionalInterface
interface Choice {

  /** The first events of a time that nothing has happened to yet. */
  List<Event> first(int count, Predicate<Event> which, Instant from, Instant to);

  /** The first trades of an hour. */
  default List<Event> trades(int count, String from) {
    Instant at = Instant.parse(from);
    return first(count, event -> event.topic.equals("trade"), at, at.plusSeconds(3_600));
  }
}
