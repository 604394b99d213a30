package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.PayloadReader;
import dev.constat.pipelines.archive.Split;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.outputs.PayloadSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Reads payloads again from the files of the archives. */
final class ArchivePayloads implements PayloadSource {

  private static final long serialVersionUID = 1L;

  private final RunSpec spec;
  private final ImmutableList<ArchiveFile> files;
  private final SplitPlanner planner;

  ArchivePayloads(RunSpec spec, ImmutableList<ArchiveFile> files, SplitPlanner planner) {
    this.spec = spec;
    this.files = files;
    this.planner = planner;
  }

  @Override
  public void read(List<Place> places, Reader payloads) throws IOException {
    Place first = places.get(0);
    Input input = Input.values()[first.input()];
    ArchiveFile listed =
        files.stream()
            .filter(candidate -> candidate.input() == input && candidate.rank() == first.file())
            .findFirst()
            .orElseThrow();
    ArchiveFile file = listed.isExtract() ? listed.asItIsNow() : listed;
    RunSpec.Archive archive = spec.archives().get(input);
    Split split =
        planner.plan(file, spec.layout(input), archive, new Unheard()).stream()
            .filter(candidate -> candidate.part() == first.part())
            .findFirst()
            .orElseThrow();
    try {
      PayloadReader.read(
          split,
          archive,
          spec.limits(),
          places,
          (place, payload) -> {
            try {
              payloads.payload(place, payload == null ? null : payload.bytes());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Planning said all it has to say when the file was planned for its rows. */
  private static final class Unheard implements RowSink {

    @Override
    public void row(Row row) {}

    @Override
    public void unreadable(Unreadable unreadable) {}

    @Override
    public void undecided(Place place) {}

    @Override
    public void unzoned(String column, Place place, boolean required) {}

    @Override
    public void unknownColumn(String name) {}

    @Override
    public void note(String note) {}

    @Override
    public void lines(int part, int count) {}
  }
}
