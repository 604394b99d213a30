package dev.constat.rules.explain;

import com.google.common.collect.ImmutableList;

/**
 * Why something is as it is, and what would have had to differ.
 *
 * @param why one plain sentence
 * @param unless the nearest things that would have changed it, each a sentence; empty where there
 *     is none to name
 */
public record Account(String why, ImmutableList<String> unless) {

  /** An account of which nothing would change anything. */
  static Account of(String why) {
    return new Account(why, ImmutableList.of());
  }
}
