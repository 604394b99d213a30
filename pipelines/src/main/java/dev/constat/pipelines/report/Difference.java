package dev.constat.pipelines.report;

/**
 * Where two texts differ: what they share at their beginning and end, and what lies between.
 *
 * @param prefix what both begin with
 * @param left what only the first has
 * @param right what only the second has
 * @param suffix what both end with
 */
record Difference(String prefix, String left, String right, String suffix) {

  /**
   * The difference of two texts. Where they share less than half of the longer one, all of both is
   * different: that two hashes begin with the same digit says nothing.
   */
  static Difference of(String left, String right) {
    int shorter = Math.min(left.length(), right.length());
    int from = 0;
    while (from < shorter && left.charAt(from) == right.charAt(from)) {
      from++;
    }
    if (from > 0 && Character.isHighSurrogate(left.charAt(from - 1))) {
      from--;
    }
    int behind = 0;
    while (behind < shorter - from
        && left.charAt(left.length() - 1 - behind) == right.charAt(right.length() - 1 - behind)) {
      behind++;
    }
    if (behind > 0 && Character.isLowSurrogate(left.charAt(left.length() - behind))) {
      behind--;
    }
    if ((from + behind) * 2 < Math.max(left.length(), right.length())) {
      return new Difference("", left, right, "");
    }
    return new Difference(
        left.substring(0, from),
        left.substring(from, left.length() - behind),
        right.substring(from, right.length() - behind),
        left.substring(left.length() - behind));
  }
}
