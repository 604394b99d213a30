package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.spec.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gzip files that are small and unpack to far more than memory holds. */
final class GzipBombTest {

  private static final int MEMBER = 1 << 20;
  private static final int MEMBERS = 256;
  private static final String EVENT =
      "{\"ingestion_id\":\"%s\",\"source\":\"s\",\"occurred_at\":\"2026-01-05T10:00:00Z\","
          + "\"received_at\":\"2026-01-05T10:00:01Z\"}\n";

  @TempDir private Path folder;

  @ParameterizedTest(name = "256 MiB of {0}")
  @CsvSource({
    // what it is full of, and what is said of it
    "a, the line is over limits.line_bytes: it is longer than 1048576 bytes",
    "newlines, ",
    "blanks, the line is over limits.line_bytes: it is longer than 1048576 bytes",
  })
  void muchOfLittleIsReadInLittleMemoryAndWhatStandsBehindItToo(String what, String problem)
      throws IOException {
    byte[] filler = new byte[MEMBER];
    Arrays.fill(
        filler, (byte) (what.equals("newlines") ? '\n' : what.equals("blanks") ? ' ' : 'a'));
    Path file = folder.resolve("bomb.jsonl.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(gzip(EVENT.formatted("before").getBytes(StandardCharsets.UTF_8)));
      byte[] member = gzip(filler);
      for (int i = 0; i < MEMBERS; i++) {
        out.write(member);
      }
      out.write(gzip(("\n" + EVENT.formatted("behind")).getBytes(StandardCharsets.UTF_8)));
    }
    assertThat(Files.size(file)).isLessThan(2 << 20);
    Reading reading = Reading.events();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();

    lines(file, reading, Integer.MAX_VALUE);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .as("bytes taken for %s of text", (long) MEMBERS * MEMBER)
        .isLessThan(16 << 20);
    assertThat(reading.column("ingestion_id")).containsExactly("before", "behind");
    assertThat(reading.problems()).isEqualTo(problem == null ? List.of() : List.of(problem));
  }

  @Test
  void moreLinesThanThereAreNumbersAreStated() throws IOException {
    Path file = folder.resolve("many.jsonl.gz");
    Files.write(
        file,
        gzip(
            (EVENT.formatted("1") + EVENT.formatted("2") + EVENT.formatted("3"))
                .getBytes(StandardCharsets.UTF_8)));
    Reading reading = Reading.events();

    lines(file, reading, 2);

    assertThat(reading.column("ingestion_id")).containsExactly("1", "2");
    assertThat(reading.problems())
        .containsExactly("the file has 2 lines and more, which have no number");
  }

  private static void lines(Path file, Reading reading, int mostLines) throws IOException {
    ArchiveFile archive = ArchiveFile.of(Input.EVENTS, 0, file.getFileName().toString(), file);
    Limits limits =
        new Limits(
            MEMBER,
            Limits.DEFAULT.nesting(),
            Limits.DEFAULT.numberCharacters(),
            Limits.DEFAULT.stringCharacters(),
            Limits.DEFAULT.columns(),
            Limits.DEFAULT.rowGroupBytes(),
            Limits.DEFAULT.pageBytes(),
            Limits.DEFAULT.examplesPerKind());
    new JsonLines(
            new Split(archive, Split.Kind.GZIP_LINES, 0, 0, archive.size(), 0),
            Layout.of(Input.EVENTS, List.of()),
            reading.archive("bomb.jsonl.gz"),
            reading,
            limits,
            mostLines)
        .readGzip();
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(content);
    }
    return packed.toByteArray();
  }
}
