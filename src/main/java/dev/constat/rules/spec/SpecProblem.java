package dev.constat.rules.spec;

import static java.util.Comparator.comparingInt;

import java.io.Serializable;
import java.util.Comparator;

/**
 * One thing that is wrong with a run spec or with an argument that overrides it.
 *
 * @param file the run spec as the user named it, or the option at fault
 * @param line its line from 1; 0 where there are no lines
 * @param column its column from 1; 0 where there are no lines
 * @param key the key concerned, as a path ({@code archives.events.files[1]}); empty for the whole
 * @param value the offending value as written, or null
 * @param problem what is wrong
 * @param remedy what to do
 */
public record SpecProblem(
    String file, int line, int column, String key, String value, String problem, String remedy)
    implements Serializable {

  /** The order in which problems are told: as they stand in the file. */
  static final Comparator<SpecProblem> ORDER =
      comparingInt(SpecProblem::line)
          .thenComparingInt(SpecProblem::column)
          .thenComparing(SpecProblem::problem);

  /** One line for people: place, problem and remedy. */
  public String message() {
    String place = line == 0 ? file : file + ":" + line + ":" + column;
    return place + ": " + problem + "; " + remedy;
  }
}
