package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;
import static dev.constat.pipelines.fuzz.Claims.same;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import dev.constat.pipelines.archive.ArchiveReader;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * A file of JSON lines. The first byte of an input tells where the file is cut, the second how its
 * columns are named and how long its lines may be; the rest is the file.
 */
final class JsonLinesTarget {

  private static final Scratch PLAIN = new Scratch("events.jsonl");
  private static final Scratch PACKED = new Scratch("events.jsonl.gz");
  private static final int NEIGHBOURS = 6;

  /** Enough blank lines for what follows to be nowhere near the head of a file. */
  private static final byte[] AHEAD = "\n\n\n\n\n\n".getBytes(StandardCharsets.UTF_8);

  private JsonLinesTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length < 2) {
      return;
    }
    byte[] text = Arrays.copyOfRange(input, 2, input.length);
    int cut = 1 + (input[0] & 0xFF);
    int flags = input[1] & 0xFF;
    new Reading(archive((flags & 1) != 0), limit(flags)).test(text, cut);
  }

  /** The longest line, which is seldom the one that runs have. */
  static int limit(int flags) {
    return (flags & 2) != 0 ? 1 + flags / 2 : Limits.DEFAULT.lineBytes();
  }

  private static Limits withLineBytes(int bytes) {
    Limits other = Limits.DEFAULT;
    return new Limits(
        bytes,
        other.nesting(),
        other.numberCharacters(),
        other.stringCharacters(),
        other.columns(),
        other.rowGroupBytes(),
        other.pageBytes(),
        other.examplesPerKind());
  }

  private static Archive archive(boolean mapped) {
    return new Archive(
        ImmutableList.of("events.jsonl"),
        null,
        null,
        mapped ? ImmutableMap.of("ingestion_id", "/a/b", "topic", "/t~1/0") : ImmutableMap.of(),
        mapped ? ImmutableMap.of("source", "constant") : ImmutableMap.of(),
        TimeUnit.MS,
        null,
        null,
        null,
        null,
        false,
        false,
        ImmutableMap.of());
  }

  /** One way to read. */
  static final class Reading {

    private final Archive archive;
    private final Layout layout = Layout.of(Input.EVENTS, List.of("instrument"));
    private final int limit;
    private final Limits limits;
    private final ArchiveReader reader;

    Reading(Archive archive, int limit) {
      this.archive = archive;
      this.limit = limit;
      limits = withLineBytes(limit);
      reader = ArchiveReader.create().withLimits(limits);
    }

    void test(byte[] text, int cut) throws IOException {
      Heard whole = read(text, Long.MAX_VALUE / 4);
      Heard split = read(text, cut);

      same("records however a file is cut", whole.records, split.records);
      same("refusals however a file is cut", whole.wholes, split.wholes);
      if (!whole.hasTooManyUnknownColumns()) {
        same("what is told of a file", whole.aboutFile, split.aboutFile);
      }
      same("lines", whole.lines, split.lines);
      List<byte[]> lines = lines(text);
      if (!whole.wholes.isEmpty()) {
        same("records of a file that is refused", 0, whole.records.size());
        return;
      }
      same("lines of the file", (long) lines.size(), whole.lines);
      same("records and lines that are not blank", told(lines), whole.records.size());
      lonely(lines, whole);
      packed(text, lines, cut, whole);
    }

    /** How many lines are records: those that are not blank, or too long for that to be seen. */
    private int told(List<byte[]> lines) {
      int count = 0;
      for (int i = 0; i < lines.size(); i++) {
        byte[] line = lines.get(i);
        boolean returns = line.length > 0 && line[line.length - 1] == '\r';
        String text = new String(i == 0 ? withoutMark(line) : line, StandardCharsets.ISO_8859_1);
        if (line.length - (returns ? 1 : 0) > limit || !text.matches("[ \t\r]*")) {
          count++;
        }
      }
      return count;
    }

    private Heard read(byte[] text, long cut) throws IOException {
      return Heard.of(
          PLAIN.with(Input.EVENTS, text), layout, archive, new SplitPlanner(cut, limits), reader);
    }

    /** A record is read as if it stood alone. */
    private void lonely(List<byte[]> lines, Heard whole) throws IOException {
      List<String> alone = new ArrayList<>();
      for (int i = 0; i < Math.min(NEIGHBOURS, lines.size()); i++) {
        byte[] line = i == 0 ? withoutMark(lines.get(0)) : lines.get(i);
        List<String> heard = read(Bytes.concat(AHEAD, line), Long.MAX_VALUE / 4).contents();
        alone.addAll(heard);
        if (heard.size() == 1 && heard.get(0).startsWith("row")) {
          strict(line);
        }
      }
      // Of a line with a mark, the mark is part of what is shown and not of what is read.
      boolean marked = !lines.isEmpty() && withoutMark(lines.get(0)).length < lines.get(0).length;
      List<String> first = whole.contents().subList(0, alone.size());
      if (!marked) {
        same("records that stand alone", alone, first);
      }
    }

    /** What is read is JSON to a stricter reader too, but for what only payloads are held to. */
    private static void strict(byte[] line) {
      try {
        JsonValue value = StrictJson.parse(line);
        holds(value instanceof JsonValue.Members, "a row that is no object", value);
      } catch (MalformedJsonException e) {
        String why = e.getMessage();
        holds(
            why.contains("lone surrogate") || why.contains("an exponent of more than"),
            "read, but not JSON",
            why);
      }
    }

    /** A packed file is read as the plain one, in however many members. */
    private void packed(byte[] text, List<byte[]> lines, int cut, Heard whole) throws IOException {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      int from = 0;
      do {
        int to = Math.min(text.length, from + cut);
        try (GZIPOutputStream member = new GZIPOutputStream(file)) {
          member.write(text, from, to - from);
        }
        from = to;
      } while (from < text.length);
      Heard heard =
          Heard.of(
              PACKED.with(Input.EVENTS, file.toByteArray()),
              layout,
              archive,
              SplitPlanner.create(),
              reader);
      if (lines.stream().skip(1).noneMatch(line -> withoutMark(line).length < line.length)
          && heard.wholes.isEmpty()) {
        same("records of the packed file", whole.records, heard.records);
        same("lines of the packed file", whole.lines, heard.lines);
      }
    }
  }

  /** The lines of a text, without their ends. */
  private static List<byte[]> lines(byte[] text) {
    List<byte[]> lines = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '\n') {
        lines.add(Arrays.copyOfRange(text, from, i));
        from = i + 1;
      }
    }
    if (from < text.length) {
      lines.add(Arrays.copyOfRange(text, from, text.length));
    }
    return lines;
  }

  private static byte[] withoutMark(byte[] line) {
    boolean marked =
        line.length >= 3
            && line[0] == (byte) 0xEF
            && line[1] == (byte) 0xBB
            && line[2] == (byte) 0xBF;
    return marked ? Arrays.copyOfRange(line, 3, line.length) : line;
  }
}
