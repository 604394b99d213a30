package dev.constat.pipelines.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JcsJson;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Canonical JSON beside an implementation of RFC 8785 that others wrote. */
class CanonicalJsonAgainstPeerTest {

  private static final int DOCUMENTS = 4_000;

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void bothWriteTheSameWhereBothAreDefined(long seed) throws Exception {
    Random random = new Random(seed);
    int safe = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      StringBuilder text = new StringBuilder();
      document(random, 0, text);
      JsonValue value = StrictJson.parse(text.toString().getBytes(UTF_8));
      String peer = new JsonCanonicalizer(text.toString()).getEncodedString();

      String ours = JcsJson.textOrNull(value);

      String exactly = CanonicalJson.text(value);
      String exactlyOfPeer = CanonicalJson.text(StrictJson.parse(peer.getBytes(UTF_8)));
      if (ours == null) {
        assertThat(exactlyOfPeer).as("a double changes %s", text).isNotEqualTo(exactly);
      } else {
        safe++;
        assertThat(ours).as("%s", text).isEqualTo(peer);
        assertThat(exactlyOfPeer).as("a double keeps %s", text).isEqualTo(exactly);
      }
    }
    assertThat(safe).isBetween(DOCUMENTS / 4, DOCUMENTS - DOCUMENTS / 100);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void aNumberIsSafeExactlyIfThePeerKeepsItsValue(long seed) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String literal = number(random);
      String peer = ofPeer(literal);
      if (peer == null) {
        continue;
      }
      BigDecimal kept = new BigDecimal(peer.substring(1, peer.length() - 1));
      boolean same = kept.compareTo(new BigDecimal(literal)) == 0;

      String ours = JcsJson.textOrNull(StrictJson.parse(("[" + literal + "]").getBytes(UTF_8)));

      assertThat(ours).as("%s", literal).isEqualTo(same ? peer : null);
    }
  }

  /** What the peer writes; null for some of the smallest doubles, on which it fails. */
  private static String ofPeer(String literal) throws IOException {
    try {
      return new JsonCanonicalizer("[" + literal + "]").getEncodedString();
    } catch (ArithmeticException e) {
      assertThat(Math.abs(Double.parseDouble(literal))).isLessThan(Double.MIN_NORMAL);
      return null;
    }
  }

  private static void document(Random random, int depth, StringBuilder out) {
    int members = random.nextInt(5);
    boolean object = random.nextBoolean();
    out.append(object ? '{' : '[');
    for (int i = 0; i < members; i++) {
      out.append(i > 0 ? "," : "");
      if (object) {
        // names differ by their number, so that none comes twice
        out.append('"').append(characters(random)).append(i).append("\":");
      }
      value(random, depth + 1, out);
    }
    out.append(object ? '}' : ']');
  }

  private static void value(Random random, int depth, StringBuilder out) {
    switch (random.nextInt(depth > 4 ? 5 : 7)) {
      case 0 -> out.append(random.nextBoolean());
      case 1 -> out.append("null");
      case 2 -> out.append('"').append(characters(random)).append('"');
      case 3, 4 -> out.append(number(random));
      default -> document(random, depth, out);
    }
  }

  private static String characters(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(6)) {
        case 0 -> text.append((char) ('a' + random.nextInt(26)));
        case 1 -> text.append("\\\"");
        case 2 -> text.append(String.format(Locale.ROOT, "\\u%04x", random.nextInt(0x100)));
        case 3 -> text.appendCodePoint(0x1F600 + random.nextInt(0x40));
        case 4 -> text.append((char) (0xE000 + random.nextInt(0x1000)));
        default -> text.append("\\/\\n\u00E9");
      }
    }
    return text.toString();
  }

  private static String number(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Integer.toString(random.nextInt(2_000) - 1_000);
      case 1 -> Long.toString(random.nextLong());
      case 2 -> Long.toString((1L << 53) - 4 + random.nextInt(9));
      case 3 -> new BigDecimal(random.nextInt(100_000)).movePointLeft(random.nextInt(9)).toString();
      // a double's bits, in the text that Java gives it, which is not always the shortest
      case 4 -> finite(Double.longBitsToDouble(random.nextLong()));
      case 5 ->
          finite(Math.scalb(random.nextBoolean() ? 1.0 : -1.0, random.nextInt(2_098) - 1_074));
      case 6 -> random.nextInt(10) + "." + (random.nextLong() >>> 4) + "e" + random.nextInt(40);
      default -> (1 + random.nextInt(99)) + "E-" + random.nextInt(330);
    };
  }

  private static String finite(double number) {
    return Double.isFinite(number) ? Double.toString(number) : "0";
  }
}
