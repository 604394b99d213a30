package dev.constat.rules.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 digests (FIPS 180-4) in lower-case hex, one after the other.
 *
 * <p>Not safe for use by several threads.
 */
final class Sha256 {

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final MessageDigest digest;

  Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** The digest of some bytes. */
  String hex(byte[] bytes) {
    byte[] value = digest.digest(bytes);
    byte[] hex = new byte[2 * value.length];
    for (int i = 0; i < value.length; i++) {
      hex[2 * i] = HEX[value[i] >>> 4 & 0xF];
      hex[2 * i + 1] = HEX[value[i] & 0xF];
    }
    return new String(hex, StandardCharsets.US_ASCII);
  }
}
