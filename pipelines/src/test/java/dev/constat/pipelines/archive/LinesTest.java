package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinesTest {

  /** A stream that gives what it likes at a time. */
  private static final class Trickle extends ByteArrayInputStream {

    private final SplittableRandom random = new SplittableRandom(7);

    Trickle(byte[] text, int from) {
      super(text, from, text.length - from);
    }

    @Override
    public synchronized int read(byte[] buffer, int offset, int length) {
      return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(5)));
    }
  }

  private static Lines lines(byte[] text, int from, int to, int limit) throws IOException {
    int start = Math.max(0, from - 1);
    InputStream in = new Trickle(text, start);
    Lines lines = new Lines(in, start, to, limit);
    if (from > 0) {
      lines.skipBegunLine();
    }
    return lines;
  }

  private static List<String> read(String text, int splitSize, int limit) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    List<String> read = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += splitSize) {
      Lines lines = lines(bytes, from, Math.min(bytes.length, from + splitSize), limit);
      while (lines.next()) {
        String line =
            new String(
                lines.line(), lines.from(), lines.to() - lines.from(), StandardCharsets.UTF_8);
        read.add(lines.offset() + ":" + line + (lines.isTooLong() ? "~" + lines.length() : ""));
      }
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "one\r\ntwo\r\n\r\nthree",
        "one\ntwo\n\n\nthree\n",
        "\n",
        "\r\n\r\n",
        "a",
        "a\rb\r\r\nc\n\r",
        "a\u2028b\u0085c\nd"
      })
  void everyLineIsReadOnceWhateverTheSplits(String text) throws IOException {
    List<String> whole = read(text, Integer.MAX_VALUE - 1, 100);

    for (int size = 1; size <= text.length() + 1; size++) {
      assertThat(read(text, size, 100)).as("splits of %s bytes", size).isEqualTo(whole);
    }
  }

  @Test
  void lineEndsAreLfAndCrlf() throws IOException {
    assertThat(read("one\r\ntwo\n\nx\ry\r\r\nlast\r", 1000, 100))
        .containsExactly("0:one", "5:two", "9:", "10:x\ry\r", "16:last");
  }

  @Test
  void longLinesAreToldNotHeld() throws IOException {
    String text = "12345\n123456\n" + "x".repeat(3000) + "\r\nend\n" + "y".repeat(50);
    List<String> expected =
        List.of("0:12345", "6:12345~6", "13:xxxxx~3000", "3015:end", "3019:yyyyy~50");

    for (int size : new int[] {1, 2, 13, 14, 1000, 5000}) {
      assertThat(read(text, size, 5)).as("splits of %s bytes", size).isEqualTo(expected);
    }
  }

  @Test
  void aLineOfTheLimitIsReadWithAnyEnd() throws IOException {
    assertThat(read("12345\r\n12345\n12345", 1000, 5))
        .containsExactly("0:12345", "7:12345", "13:12345");
  }

  @Test
  void linesLongerThanTheFirstBufferGrowIt() throws IOException {
    String longLine = "z".repeat(1 << 20);

    assertThat(read("a\n" + longLine + "\nb", 1 << 30, 1 << 21))
        .containsExactly("0:a", "2:" + longLine, ((1 << 20) + 3) + ":b");
  }

  @Test
  void linesAreCountedInTheirRange() throws IOException {
    Lines lines = lines("a\n\nb".getBytes(StandardCharsets.UTF_8), 0, 100, 10);
    while (lines.next()) {
      // Only the count matters.
    }

    assertThat(lines.count()).isEqualTo(3);
  }
}
