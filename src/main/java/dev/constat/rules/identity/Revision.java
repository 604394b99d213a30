package dev.constat.rules.identity;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.StrictJson;
import java.math.BigDecimal;

/**
 * Tells versions of one id apart, and orders them (spec section 3.2): null first, then what is
 * wholly a JSON number by exact value, then text by its UTF-8 bytes. 1 and 1.0 are one revision.
 *
 * @param text canonical: of a number its canonical text
 * @param number whether it is one
 */
public record Revision(String text, boolean number) {

  /** No revision: the source declares none, or the event has none. */
  public static final Revision NONE = new Revision(null, false);

  private static final int NULL = 0;
  private static final int NUMBER = 1;
  private static final int TEXT = 2;

  /** The revision that a value of the archive stands for. */
  public static Revision of(String value) {
    if (value == null) {
      return NONE;
    }
    // What StrictJson would refuse is text: nobody computes with such an exponent.
    boolean number = CanonicalJson.isNumber(value) && StrictJson.hasBoundedExponent(value);
    return new Revision(number ? CanonicalJson.number(value) : value, number);
  }

  /** As outputs show it: a number in plain notation where that is not much longer. */
  public String shown() {
    int e = number ? text.indexOf('e') : -1;
    if (e < 0 || text.length() - e > 3) {
      return text;
    }
    return new BigDecimal(text).toPlainString();
  }

  /** Encodes it so that the unsigned order of the bytes is the order of revisions. */
  public void write(KeyWriter out) {
    if (text == null) {
      out.octet(NULL);
    } else if (number) {
      out.octet(NUMBER);
      writeNumber(out);
      out.text(text);
    } else {
      out.octet(TEXT).text(text);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static Revision read(KeyReader in) {
    int tag = in.octet();
    if (tag == NULL) {
      return NONE;
    }
    if (tag == NUMBER) {
      if (in.octet() != ZERO) {
        in.signed();
        in.skipText();
      }
      return new Revision(in.text(), true);
    }
    return new Revision(in.text(), false);
  }

  private static final int NEGATIVE = 0;
  private static final int ZERO = 1;
  private static final int POSITIVE = 2;

  /**
   * Sign, then the power of ten of the first digit, then the digits; both turned round for negative
   * numbers, of which the greater magnitude comes first.
   */
  private void writeNumber(KeyWriter out) {
    if (text.equals("0")) {
      out.octet(ZERO);
      return;
    }
    boolean negative = text.charAt(0) == '-';
    int from = negative ? 1 : 0;
    int e = text.indexOf('e');
    int to = e < 0 ? text.length() : e;
    long exponent = e < 0 ? 0 : Long.parseLong(text.substring(e + 1));
    long magnitude = exponent + (to - from);
    out.octet(negative ? NEGATIVE : POSITIVE).signed(negative ? -magnitude : magnitude);
    byte[] digits = new byte[to - from + (negative ? 1 : 0)];
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      digits[i - from] = (byte) (negative ? 20 - digit : 1 + digit);
    }
    if (negative) {
      digits[digits.length - 1] = 30;
    }
    out.bytes(digits);
  }
}
