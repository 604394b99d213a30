package dev.constat.rules.spec;

import java.util.Locale;

/** Finds the name that a misspelt one probably stands for. */
final class NearestName {

  private NearestName() {}

  /**
   * The candidate that takes the fewest edits (insert, delete, replace, swap neighbours) to reach,
   * whatever the case; the first of several. To write an abbreviation out is one edit.
   */
  static String of(String name, Iterable<String> candidates) {
    String nearest = null;
    int fewest = Integer.MAX_VALUE;
    for (String candidate : candidates) {
      int edits = edits(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (edits < fewest) {
        fewest = edits;
        nearest = candidate;
      }
    }
    return nearest;
  }

  private static int edits(String a, String b) {
    if (!a.equals(b) && isAbbreviation(a, b)) {
      return 1;
    }
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, cost[i - 2][j - 2] + 1);
        }
        cost[i][j] = best;
      }
    }
    return cost[a.length()][b.length()];
  }

  /**
   * Whether {@code a} has at least three letters, all in {@code b} in their order from its first.
   */
  private static boolean isAbbreviation(String a, String b) {
    if (a.length() < 3 || b.isEmpty() || a.charAt(0) != b.charAt(0)) {
      return false;
    }
    int found = 0;
    for (int i = 0; i < b.length() && found < a.length(); i++) {
      if (b.charAt(i) == a.charAt(found)) {
        found++;
      }
    }
    return found == a.length();
  }
}
