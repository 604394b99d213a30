package dev.constat.rules.chain;

/** The order of ids (spec section 1): that of their UTF-8 bytes, unsigned. */
final class IdOrder {

  private IdOrder() {}

  /** Compares two ids without encoding them. */
  static int compare(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        // Surrogates stand for what lies beyond all other characters.
        return Character.isSurrogate(a) == Character.isSurrogate(b)
            ? Character.compare(a, b)
            : Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b));
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
