package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.io.Serializable;
import java.util.List;

/**
 * The fields of events that the projections of a run look at, each once: the values of their
 * aggregates, then the keys of their cells. A reception carries them from where it is read.
 *
 * @param pointers JSON Pointers into the payload, in order
 * @param keys fields that cells are keyed by, in order
 */
public record ProjectedFields(ImmutableList<String> pointers, ImmutableList<FieldRef> keys)
    implements Serializable {

  /** The fields that some projections look at. */
  public static ProjectedFields of(Iterable<ProjectionRule> projections) {
    ImmutableSortedSet.Builder<String> pointers = ImmutableSortedSet.naturalOrder();
    ImmutableSortedSet.Builder<String> keys = ImmutableSortedSet.naturalOrder();
    for (ProjectionRule rule : projections) {
      keys.add(rule.key().text());
      pointers.addAll(rule.fields());
      if (rule.value() != null) {
        pointers.add(rule.value());
      }
      for (Aggregate aggregate : rule.aggregates().values()) {
        if (aggregate.function() != Aggregate.Function.COUNT) {
          pointers.add(aggregate.pointer());
        }
      }
    }
    return new ProjectedFields(
        pointers.build().asList(),
        keys.build().stream().map(FieldRef::parse).collect(ImmutableList.toImmutableList()));
  }

  /** How many values a reception carries. */
  public int size() {
    return pointers.size() + keys.size();
  }

  /** Where the value of a pointer stands among those that a reception carries. */
  public int indexOf(String pointer) {
    return known(pointers.indexOf(pointer), pointer);
  }

  /** Where the text of a key stands among the values that a reception carries. */
  public int indexOf(FieldRef key) {
    List<String> texts = keys.stream().map(FieldRef::text).toList();
    return pointers.size() + known(texts.indexOf(key.text()), key.text());
  }

  private static int known(int index, String field) {
    if (index < 0) {
      throw new IllegalArgumentException("No projection looks at " + field);
    }
    return index;
  }
}
