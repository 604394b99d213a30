package dev.constat.transforms.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.constat.rules.encoding.KeyWriter;

/** Bytes as steps of a tally's path: one character each, so that they keep their order. */
final class Steps {

  private Steps() {}

  static String of(KeyWriter bytes) {
    return new String(bytes.buffer(), 0, bytes.size(), ISO_8859_1);
  }

  static String of(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  static byte[] bytes(String step) {
    return step.getBytes(ISO_8859_1);
  }
}
