package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.RowSink;

/**
 * Hears of rows alone. For reading again what a run has read: whatever else there is to tell of a
 * file was told then, and what is not a row any more is missing among those handed over.
 */
abstract class RowsOnly implements RowSink {

  @Override
  public final void unreadable(Unreadable unreadable) {
    // told when the run read it
  }

  @Override
  public final void undecided(Place place) {
    // told when the run read it
  }

  @Override
  public final void unzoned(String column, Place place, boolean required) {
    // told when the run read it
  }

  @Override
  public final void unknownColumn(String name) {
    // told when the run read it
  }

  @Override
  public final void note(String note) {
    // told when the run read it
  }

  @Override
  public final void lines(int part, int count) {
    // told when the run read it
  }
}
