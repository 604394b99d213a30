package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;
import static dev.constat.pipelines.fuzz.Claims.same;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Bytes;
import dev.constat.pipelines.archive.ArchiveReader;
import dev.constat.pipelines.archive.Split;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.pipelines.fuzz.ParquetBases.Base;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A Parquet file. The first byte of an input tells what the others are: the file itself, changes to
 * a valid file anywhere, or changes to its pages, of which its checksums must tell.
 */
final class ParquetTarget {

  private static final Scratch FILE = new Scratch("acks.parquet");
  private static final Layout LAYOUT = Layout.of(Input.ACKNOWLEDGEMENTS, List.of());
  private static final ImmutableList<Heard> SOUND = sound();

  private ParquetTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length < 2) {
      return;
    }
    int base = (input[1] & 0xFF) % ParquetBases.ALL.size();
    switch ((input[0] & 0xFF) % 3) {
      case 0 -> any(Arrays.copyOfRange(input, 1, input.length));
      case 1 -> any(anywhere(ParquetBases.ALL.get(base).file(), input));
      default -> inPages(base, input);
    }
  }

  private static ImmutableList<Heard> sound() {
    ImmutableList.Builder<Heard> sound = ImmutableList.builder();
    try {
      for (Base base : ParquetBases.ALL) {
        sound.add(read(base.file()));
      }
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    }
    return sound.build();
  }

  private static Heard read(byte[] file) throws IOException {
    return Heard.of(
        FILE.with(Input.ACKNOWLEDGEMENTS, file),
        LAYOUT,
        Archive.ofFiles("acks"),
        SplitPlanner.create(),
        ArchiveReader.create());
  }

  /** Every row of every row group that is read is told, or that it cannot be. */
  private static void any(byte[] file) throws IOException {
    Heard heard = read(file);
    Heard again = read(file);
    same("rows read twice", heard.records, again.records);
    same("refusals read twice", heard.wholes, again.wholes);
    if (heard.wholes.isEmpty()) {
      long expected = -1;
      for (Split split : heard.splits) {
        holds(
            expected < 0 || split.kind() != Split.Kind.ROW_GROUP || split.firstRow() >= expected,
            "rows of one row group are of the next",
            split);
        expected = split.firstRow() + heard.rowsOf.get(split);
      }
    }
  }

  /** What is read of a file whose pages were changed is what was in it before. */
  private static void inPages(int base, byte[] input) throws IOException {
    byte[] file = ParquetBases.ALL.get(base).file().clone();
    List<Integer> pages = ParquetBases.ALL.get(base).pages();
    for (int i = 2; i + 2 < input.length; i += 3) {
      int position = (input[i] & 0xFF) << 8 | input[i + 1] & 0xFF;
      file[pages.get(position % pages.size())] ^= input[i + 2];
    }
    Heard heard = read(file);
    Heard sound = SOUND.get(base);
    Set<String> surplus = new HashSet<>(heard.records);
    sound.records.forEach(surplus::remove);
    holds(surplus.isEmpty(), "read what was not there", surplus);
    holds(
        !heard.wholes.isEmpty() || heard.records.size() == sound.records.size(),
        "lost without a word",
        heard.records);
  }

  /** Steps of four bytes: a position, what is done there, and with what. */
  private static byte[] anywhere(byte[] base, byte[] input) {
    byte[] file = base.clone();
    for (int i = 2; i + 3 < input.length && file.length > 0; i += 4) {
      int at = ((input[i] & 0xFF) << 8 | input[i + 1] & 0xFF) % file.length;
      byte with = input[i + 3];
      switch ((input[i + 2] & 0xFF) % 6) {
        case 0 -> file[at] = with;
        case 1 -> file[at] ^= with;
        case 2 -> file[at] += with;
        // Counts and lengths stand mostly at the end.
        case 3 -> file[Math.max(0, file.length - 1 - at % 512)] ^= with;
        case 4 ->
            file =
                Bytes.concat(
                    Arrays.copyOf(file, at),
                    new byte[] {with},
                    Arrays.copyOfRange(file, at, file.length));
        default ->
            file =
                Bytes.concat(
                    Arrays.copyOf(file, at),
                    Arrays.copyOfRange(
                        file, Math.min(file.length, at + (with & 0xFF)), file.length));
      }
    }
    return file;
  }
}
