package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Reads the payloads of a few events again, by their places. */
public final class PayloadReader {

  private static final Layout PAYLOAD =
      new Layout(Input.EVENTS, ImmutableList.of(new Column("payload", ColumnType.PAYLOAD, false)));

  private PayloadReader() {}

  /**
   * Hands over the payload of each place, null where it has none, in the order of places. Plain
   * files are read only where the places are; of a gzip file or row group, all payloads are passed.
   *
   * @param split the split that gave the places
   * @param limits those with which the split was read
   * @param places of rows that the split gave, in ascending order
   * @throws ArchiveChangedException if the file is not the one that was listed, before or after
   */
  public static void read(
      Split split,
      Archive archive,
      Limits limits,
      List<Place> places,
      BiConsumer<Place, Payload> payloads)
      throws IOException {
    split.file().requireUnchanged();
    Wanted sink = new Wanted(places, payloads);
    RecordReader.read(split, PAYLOAD, onlyPayload(archive), limits, sink.positions(), sink);
    split.file().requireUnchanged();
    Preconditions.checkState(
        sink.found == sink.places.size(),
        "%s of %s payloads found in %s",
        sink.found,
        sink.places.size(),
        split);
  }

  /** The archive as if the payload were its only column. */
  private static Archive onlyPayload(Archive archive) {
    return new Archive(
        archive.files(),
        archive.table(),
        archive.format(),
        only(archive.columns()),
        only(archive.constants()),
        archive.timeUnit(),
        archive.zone(),
        archive.start(),
        archive.cut(),
        archive.retention(),
        archive.allowEmpty(),
        archive.integerIds(),
        archive.values());
  }

  private static ImmutableMap<String, String> only(ImmutableMap<String, String> byColumn) {
    String value = byColumn.get("payload");
    return value == null ? ImmutableMap.of() : ImmutableMap.of("payload", value);
  }

  private static final class Wanted extends RowsOnly {

    private final TreeMap<Long, Place> places = new TreeMap<>();
    private final BiConsumer<Place, Payload> payloads;
    private int found;

    Wanted(List<Place> places, BiConsumer<Place, Payload> payloads) {
      places.forEach(place -> this.places.put(place.position(), place));
      this.payloads = payloads;
    }

    SortedSet<Long> positions() {
      return places.navigableKeySet();
    }

    @Override
    public void row(Row row) {
      Place place = places.get(row.place().position());
      if (place != null) {
        found++;
        payloads.accept(place, row.payload(0));
      }
    }
  }
}
