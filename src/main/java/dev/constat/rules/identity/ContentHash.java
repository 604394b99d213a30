package dev.constat.rules.identity;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.spec.HashRule;

/**
 * What a reception's content is compared by.
 *
 * @param rule name of the rule of {@code value}
 * @param value the deciding hash: recomputed, in lower-case hex, where that is possible, else the
 *     declared one as text
 * @param recomputed whether Constat computed it from what was received
 * @param declaredRule name of the rule that the declared hash claims, or null where none is
 *     declared
 * @param declared the declared hash without that name, or null
 * @param mismatch what the declared hash should be, where it was recomputed under its own rule and
 *     differs; else null
 * @param unverifiable whether a hash is declared that could not be recomputed
 * @param unsafeNumber whether {@code jcs/1} was asked for, by the contract or by what is declared,
 *     and cannot tell the content from another because of a number
 */
public record ContentHash(
    String rule,
    String value,
    boolean recomputed,
    String declaredRule,
    String declared,
    String mismatch,
    boolean unverifiable,
    boolean unsafeNumber) {

  private static final int UNVERIFIABLE = 1;
  private static final int UNSAFE_NUMBER = 2;

  /** A hash of content whose numbers trouble no rule. */
  public ContentHash(
      String rule,
      String value,
      boolean recomputed,
      String declaredRule,
      String declared,
      String mismatch,
      boolean unverifiable) {
    this(rule, value, recomputed, declaredRule, declared, mismatch, unverifiable, false);
  }

  /**
   * Stands for a rule where there is a payload that the contract's rule cannot hash and no declared
   * hash; {@code value} is then only good for telling archive copies from conflicts.
   */
  public static final String NO_RULE = "none";

  /** How two contents compare. */
  public enum Comparison {
    /** Equal, by hashes that Constat computed. */
    SAME,
    /** Different, by hashes that Constat computed. */
    DIFFERENT,
    /** Equal by declared hashes of one rule, which nobody could check. */
    SAME_AS_DECLARED,
    /** Different by declared hashes of one rule, which nobody could check. */
    DIFFERENT_AS_DECLARED,
    /** No two hashes of one rule: nothing can be said. */
    NOT_COMPARABLE
  }

  /**
   * Compares two contents (spec section 3.5): by recomputed hashes where both sides have one of the
   * same rule, else by any pair of one rule, else not at all. Of two contents of one key, {@code
   * jcs/1} hashes one and {@code jcs-exact/1} the other only where a number of one of them is
   * unsafe and no number of the other is: they differ, whatever hash was declared of both.
   */
  public Comparison compare(ContentHash other) {
    if (rule.equals(NO_RULE) || other.rule.equals(NO_RULE)) {
      return Comparison.NOT_COMPARABLE;
    }
    if (rule.equals(other.rule)) {
      boolean same = value.equals(other.value);
      if (recomputed && other.recomputed) {
        return same ? Comparison.SAME : Comparison.DIFFERENT;
      }
      return asDeclared(same);
    }
    if (recomputed
        && other.recomputed
        && (isJcsBesideExact(other) || other.isJcsBesideExact(this))) {
      return Comparison.DIFFERENT;
    }
    if (declaredRule != null && declaredRule.equals(other.rule)) {
      return asDeclared(declared.equals(other.value));
    }
    if (other.declaredRule != null && rule.equals(other.declaredRule)) {
      return asDeclared(value.equals(other.declared));
    }
    if (declaredRule != null && declaredRule.equals(other.declaredRule)) {
      return asDeclared(declared.equals(other.declared));
    }
    return Comparison.NOT_COMPARABLE;
  }

  private boolean isJcsBesideExact(ContentHash other) {
    return rule.equals(HashRule.JCS_1.id()) && other.rule.equals(HashRule.JCS_EXACT_1.id());
  }

  private static Comparison asDeclared(boolean same) {
    return same ? Comparison.SAME_AS_DECLARED : Comparison.DIFFERENT_AS_DECLARED;
  }

  /** What is declared, with the name of its rule in front; null where nothing is. */
  String declaredText() {
    return declared == null ? null : declaredRule + ":" + declared;
  }

  /** Whether {@code text} is {@link #declaredText}. */
  boolean declares(String text) {
    if (text == null || declared == null) {
      return text == null && declared == null;
    }
    int colon = declaredRule.length();
    return text.length() == colon + 1 + declared.length()
        && text.charAt(colon) == ':'
        && text.startsWith(declaredRule)
        && text.endsWith(declared);
  }

  /** Whether what is declared is the deciding hash itself, as it mostly is. */
  private boolean declaresValue() {
    return rule.equals(declaredRule) && value.equals(declared);
  }

  /** Appends it to a record. */
  public void write(KeyWriter out) {
    out.text(rule).text(value).bool(recomputed).bool(declaresValue());
    if (!declaresValue()) {
      out.nullableText(declaredRule).nullableText(declared);
    }
    out.nullableText(mismatch)
        .octet((unverifiable ? UNVERIFIABLE : 0) | (unsafeNumber ? UNSAFE_NUMBER : 0));
  }

  /** Reads what {@link #write} wrote. */
  public static ContentHash read(KeyReader in) {
    String rule = in.repeatedText();
    String value = in.text();
    boolean recomputed = in.bool();
    boolean declaresValue = in.bool();
    String declaredRule = declaresValue ? rule : in.nullableRepeatedText();
    String declared = declaresValue ? value : in.nullableText();
    String mismatch = in.nullableText();
    int marks = in.octet();
    return new ContentHash(
        rule,
        value,
        recomputed,
        declaredRule,
        declared,
        mismatch,
        (marks & UNVERIFIABLE) != 0,
        (marks & UNSAFE_NUMBER) != 0);
  }
}
