package dev.constat.rules.projection;

import java.util.Comparator;
import java.util.TreeSet;

/** The order of texts by their UTF-8 bytes, and small sets in it. */
final class Texts {

  /** By unsigned UTF-8 bytes. */
  static final Comparator<String> BY_UTF8 = Texts::compare;

  private Texts() {}

  /** A set in that order. */
  static TreeSet<String> sorted() {
    return new TreeSet<>(BY_UTF8);
  }

  /** Adds a text to a set that keeps the smallest so many. */
  static void keepSmallest(TreeSet<String> kept, String text, int limit) {
    if (kept.add(text) && kept.size() > limit) {
      kept.pollLast();
    }
  }

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char c = a.charAt(i);
      char d = b.charAt(i);
      if (c != d) {
        return rank(c) - rank(d);
      }
    }
    return a.length() - b.length();
  }

  /** Surrogates stand for what comes behind every other character. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + Character.MAX_VALUE : c;
  }
}
