package dev.constat.pipelines.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Arrays;

/** What a file is, told by its first bytes. */
enum Content {
  EMPTY("empty"),
  PARQUET("Parquet", 'P', 'A', 'R', '1'),
  GZIP("gzip", 0x1F, 0x8B),
  ENCRYPTED_PARQUET("Parquet with an encrypted footer", 'P', 'A', 'R', 'E'),
  ZSTD("zstd", 0x28, 0xB5, 0x2F, 0xFD),
  BZIP2("bzip2", 'B', 'Z', 'h'),
  XZ("xz", 0xFD, '7', 'z', 'X', 'Z', 0),
  LZ4("lz4", 0x04, 0x22, 0x4D, 0x18),
  ZIP("zip", 'P', 'K', 3, 4),
  ARROW("Arrow", 'A', 'R', 'R', 'O', 'W', '1'),
  AVRO("Avro", 'O', 'b', 'j', 1),
  ORC("ORC", 'O', 'R', 'C'),
  UTF_16_LE("UTF-16 text", 0xFF, 0xFE),
  UTF_16_BE("UTF-16 text", 0xFE, 0xFF),
  /** Nothing above, but bytes that no UTF-8 text begins with. */
  BINARY("binary"),
  TEXT("text");

  private static final int LONGEST = 6;
  private static final int TEXT_HEAD = 4;

  private final String label;
  private final byte[] magic;

  Content(String label, int... magic) {
    this.label = label;
    this.magic = new byte[magic.length];
    for (int i = 0; i < magic.length; i++) {
      this.magic[i] = (byte) magic[i];
    }
  }

  /** Its name in messages. */
  String label() {
    return label;
  }

  static Content of(ArchiveFile file) throws IOException {
    try (InputStream in = Files.newInputStream(file.path())) {
      return of(in.readNBytes(LONGEST));
    } catch (IOException e) {
      file.requireUnchanged();
      throw ArchiveUnreadableException.of(file.name(), e);
    }
  }

  /** Tells it from the first bytes, six where there are so many. */
  static Content of(byte[] head) {
    if (head.length == 0) {
      return EMPTY;
    }
    for (Content content : values()) {
      int length = content.magic.length;
      if (length > 0
          && head.length >= length
          && Arrays.equals(head, 0, length, content.magic, 0, length)) {
        return content;
      }
    }
    for (int i = 0; i < Math.min(head.length, TEXT_HEAD); i++) {
      if (head[i] == 0) {
        return BINARY;
      }
    }
    return TEXT;
  }
}
