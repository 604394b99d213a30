package dev.constat.transforms.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.constat.rules.envelope.Input;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The records that a system leaves behind. */
public final class Archive {

  /**
   * One record.
   *
   * @param input what it belongs to
   * @param columns its columns
   */
  public record Entry(Input input, ObjectNode columns) {

    @Override
    public String toString() {
      return input.key() + " " + columns;
    }
  }

  private final List<Entry> entries = new ArrayList<>();

  /** A new record, to be filled in. */
  ObjectNode add(Input input) {
    ObjectNode columns = JsonNodeFactory.instance.objectNode();
    add(input, columns);
    return columns;
  }

  void add(Input input, ObjectNode columns) {
    entries.add(new Entry(input, columns));
  }

  /** All records in the order in which they came to be. */
  public List<Entry> entries() {
    return Collections.unmodifiableList(entries);
  }
}
