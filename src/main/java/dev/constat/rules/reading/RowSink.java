package dev.constat.rules.reading;

import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;

/**
 * Takes what reading a part of one input gives. Every record ends in exactly one call of {@link
 * #row}, {@link #unreadable} (with {@code record} set) or {@link #undecided}, in the order of
 * places inside the part.
 *
 * <p>Notes and unknown columns belong to a file and may come once from each of its parts: the union
 * over a file's parts does not depend on how it was cut.
 */
public interface RowSink {

  /** A record with its typed values. */
  void row(Row row);

  /** A record, or the rest of a file or row group, that cannot be read. */
  void unreadable(Unreadable unreadable);

  /**
   * A record that has a required time without a zone, in an input whose zone is not declared. The
   * columns concerned were told to {@link #unzoned} just before.
   */
  void undecided(Place place);

  /**
   * A time without a zone, in an input whose zone is not declared.
   *
   * @param required whether the record is therefore {@link #undecided}; else its row follows
   */
  void unzoned(String column, Place place, boolean required);

  /** A column that the file has and the run does not use; at most 101 per part, the first ones. */
  void unknownColumn(String name);

  /** A column of the layout that the part has, be it without values; told once. */
  default void present(String column) {
    // of interest only to who asks whether a column that the run spec names is there at all
  }

  /** Something worth an INPUT_NOTE about the file. */
  void note(String note);

  /** How many lines, blank ones too, a part of a file of lines has. */
  void lines(int part, int count);
}
