package dev.constat.rules.identity;

import static dev.constat.rules.identity.ContentHash.Comparison.DIFFERENT;
import static dev.constat.rules.identity.ContentHash.Comparison.DIFFERENT_AS_DECLARED;
import static dev.constat.rules.identity.ContentHash.Comparison.NOT_COMPARABLE;
import static dev.constat.rules.identity.ContentHash.Comparison.SAME;
import static dev.constat.rules.identity.ContentHash.Comparison.SAME_AS_DECLARED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.ContentHash.Comparison;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ContentHashTest {

  private static ContentHash recomputed(String rule, String value) {
    return new ContentHash(rule, value, true, null, null, null, false);
  }

  /** Recomputed under the contract's rule, with a declared hash of a rule nobody knows. */
  private static ContentHash both(String value, String declaredRule, String declared) {
    return new ContentHash("jcs-exact/1", value, true, declaredRule, declared, null, true);
  }

  private static ContentHash raw(String value, String declaredRule, String declared) {
    return new ContentHash("raw-bytes/1", value, true, declaredRule, declared, null, true);
  }

  /** Recomputed exactly because a number is unsafe under the rule of what is declared. */
  private static ContentHash unsafe(String value) {
    return new ContentHash("jcs-exact/1", value, true, "jcs/1", "d", null, true, true);
  }

  private static ContentHash declared(String rule, String value) {
    return new ContentHash(rule, value, false, rule, value, null, true);
  }

  private static final ContentHash NONE =
      new ContentHash(ContentHash.NO_RULE, "v", false, null, null, null, false);

  static Stream<Arguments> matrix() {
    return Stream.of(
        arguments(recomputed("jcs-exact/1", "a"), recomputed("jcs-exact/1", "a"), SAME),
        arguments(recomputed("jcs-exact/1", "a"), recomputed("jcs-exact/1", "b"), DIFFERENT),
        arguments(recomputed("fields/1", "a"), recomputed("fields/1", "a"), SAME),
        // a number that a double would change on one side alone
        arguments(recomputed("jcs/1", "a"), unsafe("a"), DIFFERENT),
        arguments(unsafe("a"), unsafe("a"), SAME),
        arguments(unsafe("a"), declared("jcs/1", "d"), SAME_AS_DECLARED),
        // a payload on one side, nothing on the other
        arguments(recomputed("jcs-exact/1", "a"), recomputed("fields/1", "a"), NOT_COMPARABLE),
        // a payload on one side, a declared hash on the other
        arguments(recomputed("jcs-exact/1", "a"), declared("jcs-exact/1", "a"), SAME_AS_DECLARED),
        arguments(
            recomputed("jcs-exact/1", "a"), declared("jcs-exact/1", "b"), DIFFERENT_AS_DECLARED),
        arguments(recomputed("jcs-exact/1", "a"), declared("md5", "a"), NOT_COMPARABLE),
        arguments(both("a", "md5", "m"), declared("md5", "m"), SAME_AS_DECLARED),
        arguments(both("a", "md5", "m"), declared("md5", "n"), DIFFERENT_AS_DECLARED),
        // declared hashes alone
        arguments(declared("md5", "m"), declared("md5", "m"), SAME_AS_DECLARED),
        arguments(declared("md5", "m"), declared("md5", "M"), DIFFERENT_AS_DECLARED),
        arguments(declared("md5", "m"), declared("sha1", "m"), NOT_COMPARABLE),
        // a hash declared under the other's rule
        arguments(both("a", "raw-bytes/1", "r"), recomputed("raw-bytes/1", "r"), SAME_AS_DECLARED),
        arguments(
            both("a", "raw-bytes/1", "r"), recomputed("raw-bytes/1", "s"), DIFFERENT_AS_DECLARED),
        // two rules, and hashes declared under a third
        arguments(raw("r", "md5", "m"), both("a", "md5", "m"), SAME_AS_DECLARED),
        arguments(raw("r", "md5", "m"), both("a", "md5", "n"), DIFFERENT_AS_DECLARED),
        arguments(raw("r", "md5", "m"), both("a", "sha1", "m"), NOT_COMPARABLE),
        arguments(raw("r", null, null), both("a", "md5", "m"), NOT_COMPARABLE),
        // what Constat computed decides, whatever is declared
        arguments(both("a", "md5", "m"), both("a", "md5", "n"), SAME),
        arguments(both("a", "md5", "m"), both("b", "md5", "m"), DIFFERENT),
        // no hash at all is never the same
        arguments(NONE, NONE, NOT_COMPARABLE),
        arguments(NONE, recomputed("jcs-exact/1", "v"), NOT_COMPARABLE),
        arguments(NONE, declared(ContentHash.NO_RULE, "v"), NOT_COMPARABLE));
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void comparesBothWays(ContentHash a, ContentHash b, Comparison expected) {
    assertThat(a.compare(b)).isEqualTo(expected);
    assertThat(b.compare(a)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "md5, 00ff, md5:00ff, true",
        "md5, 00ff, md5:00fe, false",
        "md5, 00ff, md4:00ff, false",
        "md5, 00ff, md5.00ff, false",
        "md5, 00ff, md5:0, false",
        "md5, 00ff, md5:00ff0, false",
        "md5, 00ff, 00ff, false",
        "md5, 00ff, -, false",
        "-, -, -, true",
        "-, -, md5:00ff, false",
      })
  void oneTextDeclaresIt(String rule, String declared, String text, boolean declares) {
    ContentHash content =
        new ContentHash("jcs-exact/1", "a", true, rule, declared, null, declared != null);
    assertThat(content.declares(text)).isEqualTo(declares);
    assertThat(Objects.equals(content.declaredText(), text)).isEqualTo(declares);
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void comesBack(ContentHash a, ContentHash b, Comparison expected) {
    for (ContentHash hash : new ContentHash[] {a, b}) {
      KeyWriter out = new KeyWriter();
      hash.write(out);
      assertThat(ContentHash.read(new KeyReader(out.toBytes()))).isEqualTo(hash);
    }
  }
}
