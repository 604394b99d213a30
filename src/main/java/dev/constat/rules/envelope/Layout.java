package dev.constat.rules.envelope;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.io.Serializable;
import java.util.List;

/**
 * The columns that rows of an input have in a run: those of the contract, then those that the run
 * spec names beyond it, by name.
 *
 * @param input the input
 * @param columns in the order in which {@link Row#values} holds them
 */
public record Layout(Input input, ImmutableList<Column> columns) implements Serializable {

  /** The layout of {@code input} in a run whose spec names {@code named} columns. */
  public static Layout of(Input input, Iterable<String> named) {
    List<String> contract = input.columns().stream().map(Column::name).toList();
    ImmutableList.Builder<Column> columns = ImmutableList.builder();
    columns.addAll(input.columns());
    for (String name : ImmutableSortedSet.copyOf(named)) {
      if (!contract.contains(name)) {
        columns.add(Column.named(name));
      }
    }
    return new Layout(input, columns.build());
  }

  /** Position of a column, or -1. */
  public int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
