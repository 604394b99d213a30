package dev.constat.rules.projection;

import com.google.common.collect.ImmutableSortedSet;

/** What a reader of a cell should know besides it. Declared by name, as outputs list them. */
public enum CellFlag {
  /** Its value, or one of them, cannot be told: several have the same right. */
  AMBIGUOUS,
  /** The content of an event in it is disputed. */
  CONTESTED,
  /** Something that belongs into it is missing or could not be used. */
  INCOMPLETE;

  private static final CellFlag[] ALL = values();

  int bit() {
    return 1 << ordinal();
  }

  boolean in(int bits) {
    return (bits & bit()) != 0;
  }

  static ImmutableSortedSet<CellFlag> of(int bits) {
    ImmutableSortedSet.Builder<CellFlag> flags = ImmutableSortedSet.naturalOrder();
    for (CellFlag flag : ALL) {
      if (flag.in(bits)) {
        flags.add(flag);
      }
    }
    return flags.build();
  }
}
