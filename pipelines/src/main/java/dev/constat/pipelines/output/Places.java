package dev.constat.pipelines.output;

import dev.constat.rules.envelope.Place;

/** Knows the names behind the numbers of a place. */
@FunctionalInterface
public interface Places {

  /** What a reader is told about {@code place}. */
  Evidence of(Place place);
}
