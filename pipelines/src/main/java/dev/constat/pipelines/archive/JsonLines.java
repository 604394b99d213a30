package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.json.LimitExceededException;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/**
 * Reads a split of a file of JSON lines, plain or gzip. Blank lines are passed over. A byte order
 * mark is dropped where the text begins, and where that of a gzip member does.
 */
final class JsonLines {

  private final Split split;
  private final JsonRecords records;
  private final RowSink sink;
  private final int lineLimit;
  private final int mostLines;

  JsonLines(Split split, Layout layout, Archive archive, RowSink sink, Limits limits) {
    this(split, layout, archive, sink, limits, Integer.MAX_VALUE);
  }

  /**
   * A reader.
   *
   * @param mostLines how many lines of a gzip file are read; there is no number for more
   */
  JsonLines(
      Split split, Layout layout, Archive archive, RowSink sink, Limits limits, int mostLines) {
    this.mostLines = mostLines;
    this.split = split;
    this.records = new JsonRecords(layout, archive, sink, limits);
    this.sink = sink;
    this.lineLimit = limits.lineBytes();
  }

  /** Reads a range of a plain file. */
  void readPlain() throws IOException {
    try (FileChannel channel = FileChannel.open(split.file().path())) {
      boolean behindStart = split.from() > 0;
      channel.position(behindStart ? split.from() - 1 : 0);
      InputStream in = Channels.newInputStream(channel);
      Lines lines = new Lines(in, channel.position(), split.to(), lineLimit);
      if (behindStart) {
        lines.skipBegunLine();
      }
      while (lines.next()) {
        read(lines, lines.offset() == 0);
      }
      end(lines);
    }
  }

  /** Reads all of a gzip file. */
  void readGzip() throws IOException {
    try (FileChannel channel = FileChannel.open(split.file().path());
        GzipMembers text = new GzipMembers(Channels.newInputStream(channel))) {
      Lines lines = new Lines(text, 0, Long.MAX_VALUE, lineLimit);
      try {
        while (lines.next()) {
          if (lines.number() == 0 && !isText(lines)) {
            return;
          }
          read(lines, text.isMemberStart(lines.offset()));
          if (lines.count() == mostLines) {
            sink.unreadable(
                WholeFile.unreadable(
                    split.place(lines.offset(), lines.number()),
                    "the file has " + mostLines + " lines and more, which have no number",
                    "cut it into several files"));
            break;
          }
        }
      } catch (GzipMembers.DamagedException e) {
        sink.unreadable(damaged(split.place(lines.offset(), lines.count()), e));
      }
      if (text.isZeroPadded()) {
        sink.note("zeros stand behind the last gzip member");
      }
      end(lines);
    } catch (GzipMembers.DamagedException e) {
      sink.unreadable(damaged(split.start(), e));
    }
  }

  /** Reads the one line that begins at a place of a plain file. */
  void readLine(Place place) throws IOException {
    try (FileChannel channel = FileChannel.open(split.file().path())) {
      channel.position(place.position());
      InputStream in = Channels.newInputStream(channel);
      Lines lines = new Lines(in, place.position(), place.position() + 1, lineLimit);
      if (lines.next()) {
        read(lines, place, place.position() == 0);
      }
    }
  }

  private void read(Lines lines, boolean mayHaveMark) throws IOException {
    // There may be very many of these, so nothing is made for them.
    if (lines.isTooLong() || mayHaveMark || !isBlank(lines.line(), lines.from(), lines.to())) {
      read(lines, split.place(lines.offset(), lines.number()), mayHaveMark);
    }
  }

  private void read(Lines lines, Place place, boolean mayHaveMark) throws IOException {
    byte[] line = lines.line();
    int from = lines.from();
    int to = lines.to();
    if (mayHaveMark && hasMark(line, from, to)) {
      from += 3;
    }
    if (lines.isTooLong()) {
      sink.unreadable(tooLong(place, lines));
    } else if (!isBlank(line, from, to)) {
      records.read(line, from, to, place);
    }
  }

  private void end(Lines lines) {
    records.tellUnknownColumns();
    sink.lines(split.part(), lines.count());
  }

  /** Whether what was unpacked is text at all, going by its first line. */
  private boolean isText(Lines lines) {
    Content content = Content.of(RowBuilder.head(lines.line(), lines.from(), lines.to()));
    if (content == Content.TEXT || content == Content.EMPTY) {
      return true;
    }
    sink.unreadable(
        WholeFile.unreadable(
            split.file(),
            "the gzip file holds " + content.label() + ", not JSON lines",
            "unpack it, or leave it out"));
    return false;
  }

  private static boolean hasMark(byte[] line, int from, int to) {
    return to - from >= 3
        && line[from] == (byte) 0xEF
        && line[from + 1] == (byte) 0xBB
        && line[from + 2] == (byte) 0xBF;
  }

  private static boolean isBlank(byte[] line, int from, int to) {
    for (int i = from; i < to; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  private Unreadable tooLong(Place place, Lines lines) {
    byte[] head = RowBuilder.head(lines.line(), lines.from(), lines.to());
    return new Unreadable(
        place,
        true,
        null,
        Excerpt.of(head),
        "the line is over limits.line_bytes: it is longer than " + lineLimit + " bytes",
        LimitExceededException.remedy("line_bytes"),
        head,
        lines.length());
  }

  private static Unreadable damaged(Place place, GzipMembers.DamagedException e) {
    return WholeFile.unreadable(place, e.getMessage(), "fetch the file again");
  }
}
