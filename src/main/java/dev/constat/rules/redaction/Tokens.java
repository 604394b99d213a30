package dev.constat.rules.redaction;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;

/**
 * What stands for values: {@code r:} and the first {@value #DIGITS} hexadecimal digits of the keyed
 * hash of the value's UTF-8. The same value has the same token in whatever column, so that what
 * could be joined still can. Two of a billion different values share one with a chance of 4 in ten
 * million.
 *
 * <p>Serves one thread.
 */
final class Tokens {

  private static final int DIGITS = 20;
  private static final int SLOTS = 1 << 12;
  private static final HexFormat HEX = HexFormat.of();

  private final Mac mac;
  private final byte[][] values = new byte[SLOTS][];
  private final byte[][] tokens = new byte[SLOTS][];

  Tokens(RedactionKey key) {
    this.mac = key.mac();
  }

  /** The token of a text. */
  String of(String value) {
    return new String(ofUtf8(value.getBytes(UTF_8)), US_ASCII);
  }

  /** The token of bytes, which are not kept; the caller leaves the answer as it is. */
  byte[] ofUtf8(byte[] value) {
    int hash = Arrays.hashCode(value);
    int slot = (hash ^ hash >>> 16) & SLOTS - 1;
    if (values[slot] == null || !Arrays.equals(values[slot], value)) {
      values[slot] = value.clone();
      String digits = HEX.formatHex(mac.doFinal(value), 0, DIGITS / 2);
      tokens[slot] = (RedactionKey.MARK + digits).getBytes(US_ASCII);
    }
    return tokens[slot];
  }
}
