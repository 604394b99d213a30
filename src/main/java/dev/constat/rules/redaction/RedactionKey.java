package dev.constat.rules.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Preconditions;
import java.io.Serializable;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key under which values are hashed. It goes with the outputs of a run to the workers that
 * write them, and into nothing that is written: its text says nothing.
 */
public final class RedactionKey implements Serializable {

  private static final long serialVersionUID = 1L;

  /** How long a key is at least, in bytes. */
  public static final int LEAST_BYTES = 16;

  /** What the text of a hash begins with. */
  public static final String MARK = "r:";

  private static final String ALGORITHM = "HmacSHA256"; // RFC 2104 over FIPS 180-4
  private static final int CHECK_DIGITS = 8;
  private static final HexFormat HEX = HexFormat.of();

  private final byte[] bytes;

  private RedactionKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A key.
   *
   * @throws IllegalArgumentException if it has less than {@link #LEAST_BYTES} bytes of UTF-8
   */
  public static RedactionKey of(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    Preconditions.checkArgument(bytes.length >= LEAST_BYTES, "A key is too short");
    return new RedactionKey(bytes);
  }

  /** HMAC-SHA-256 under the key; serves one thread. */
  Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(bytes, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no " + ALGORITHM, e); // every Java has
    }
  }

  /**
   * Tells whether two runs had the same key, and nothing else of it: the first digits of the keyed
   * hash of a fixed text, which begins with a byte that no value has.
   */
  public String check() {
    Mac mac = mac();
    mac.update((byte) 0xFF);
    return HEX.formatHex(mac.doFinal("key check".getBytes(UTF_8))).substring(0, CHECK_DIGITS);
  }

  /** What stands for a value in a redacted run that had this key. */
  public String token(String value) {
    return new Tokens(this).of(value);
  }

  @Override
  public String toString() {
    return "a key";
  }
}
