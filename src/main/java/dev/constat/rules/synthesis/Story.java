package dev.constat.rules.synthesis;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** All that comes of an event in which a fault is planted, and what there is to find. */
final class Story {

  private final Map<SyntheticTable, List<SyntheticRecord>> records =
      new EnumMap<>(SyntheticTable.class);
  private final List<TruthLine> truth = new ArrayList<>();
  private Stray stray;

  Story() {
    for (SyntheticTable table : SyntheticTable.values()) {
      records.put(table, new ArrayList<>());
    }
  }

  List<SyntheticRecord> of(SyntheticTable table) {
    return records.get(table);
  }

  List<TruthLine> truth() {
    return truth;
  }

  /** A record that stands in the file of strays, or null. */
  Stray stray() {
    return stray;
  }

  void stray(Stray record) {
    stray = record;
  }
}
