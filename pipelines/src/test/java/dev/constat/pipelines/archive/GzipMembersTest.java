package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class GzipMembersTest {

  static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static String unpack(byte[] file) throws IOException {
    try (GzipMembers in = new GzipMembers(new ByteArrayInputStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void readsAllMembers() throws IOException {
    assertThat(unpack(Bytes.concat(gzip("one\n"), gzip(""), gzip("two\n"))))
        .isEqualTo("one\ntwo\n");
  }

  @Test
  void knowsWhereMembersBegin() throws IOException {
    byte[] file = Bytes.concat(gzip("one\n"), gzip("two\n"));
    try (GzipMembers in = new GzipMembers(new ByteArrayInputStream(file))) {
      in.readAllBytes();

      assertThat(in.isMemberStart(0)).isTrue();
      assertThat(in.isMemberStart(2)).isFalse();
      assertThat(in.isMemberStart(4)).isTrue();
      assertThat(in.isMemberStart(5)).isFalse();
    }
  }

  @Test
  void takesEveryFieldOfAHeader() throws IOException {
    byte[] plain = gzip("text");
    byte[] header = {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 0};
    byte[] fields = {3, 0, 1, 2, 3, 'n', 0, 'c', 'c', 0, 9, 9};

    assertThat(unpack(Bytes.concat(header, fields, Arrays.copyOfRange(plain, 10, plain.length))))
        .isEqualTo("text");
  }

  @Test
  void endsQuietlyNowhereButBehindAMember() throws IOException {
    byte[] first = gzip("one\n");
    byte[] both = Bytes.concat(first, gzip("two and some more text\n"));
    for (int length = 1; length < both.length; length++) {
      byte[] cut = Arrays.copyOf(both, length);
      if (length == first.length) {
        assertThat(unpack(cut)).isEqualTo("one\n");
      } else {
        assertThatThrownBy(() -> unpack(cut))
            .as("cut at %s", length)
            .isInstanceOf(GzipMembers.DamagedException.class)
            .hasMessageStartingWith("the file ends inside");
      }
    }
  }

  @Test
  void takesZerosBehindTheLastMember() throws IOException {
    byte[] file = Bytes.concat(gzip("one\n"), new byte[16]);
    try (GzipMembers in = new GzipMembers(new ByteArrayInputStream(file))) {
      assertThat(in.readAllBytes()).hasSize(4);
      assertThat(in.isZeroPadded()).isTrue();
    }
    file[file.length - 1] = 1;
    assertThatThrownBy(() -> unpack(file))
        .hasMessage("bytes that are no gzip member stand behind the last one");
  }

  @Test
  void refusesAnythingElseBehindAMember() throws IOException {
    byte[] file = Bytes.concat(gzip("one\n"), "tail".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> unpack(file))
        .hasMessage("bytes that are no gzip member stand behind the last one");
  }

  @Test
  void aChangedByteNeverChangesTheText() throws IOException {
    String text = "one and some more text, twice: one and some more text\n";
    byte[] file = gzip(text);
    for (int i = 10; i < file.length; i++) {
      byte[] damaged = file.clone();
      damaged[i] ^= 0x10;
      try {
        // A few bits are padding.
        assertThat(unpack(damaged)).as("byte %s", i).isEqualTo(text);
      } catch (GzipMembers.DamagedException e) {
        assertThat(e).isNotNull();
      }
    }
  }
}
