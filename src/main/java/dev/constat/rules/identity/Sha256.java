package dev.constat.rules.identity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 digests (FIPS 180-4) in lower-case hex, one after the other.
 *
 * <p>Not safe for use by several threads.
 */
final class Sha256 {

  private static final HexFormat HEX = HexFormat.of();

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
    return HEX.formatHex(digest.digest(bytes));
  }
}
