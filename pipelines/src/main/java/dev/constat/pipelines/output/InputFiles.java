package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.transforms.outputs.FileNames;

/**
 * The names of the files that a run reads, as tables show them.
 *
 * @param names of each input, by rank: relative to the run spec, with forward slashes
 */
public record InputFiles(ImmutableListMultimap<Input, String> names) implements FileNames {

  private static final Input[] INPUTS = Input.values();

  /** Those of a run without inputs. */
  public static final InputFiles NONE = new InputFiles(ImmutableListMultimap.of());

  /**
   * The name of the file that a record stands in.
   *
   * @throws IllegalArgumentException if the run has no such file
   */
  String name(Place place) {
    return name(INPUTS[place.input()], place.file());
  }

  @Override
  public String name(Input input, int file) {
    ImmutableList<String> files = names.get(input);
    if (file >= files.size()) {
      throw new IllegalArgumentException("[BUG] " + input.key() + " has no file of rank " + file);
    }
    return files.get(file);
  }
}
