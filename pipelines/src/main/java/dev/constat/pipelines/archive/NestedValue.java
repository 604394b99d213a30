package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.reading.UnreadableValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/**
 * What a nested column is made of, and how its values become JSON. A group is an object without the
 * members that are null; a list is an array, whether it is written in three levels, in two, or as a
 * bare repeated field (Parquet's LogicalTypes, "Lists"); a map with keys of text is an object.
 *
 * <p>Values are put together from definition and repetition levels, and what the columns of a value
 * say of its shape is held against each other: levels that do not fit are an {@link
 * IllegalArgumentException}, never another value.
 */
abstract sealed class NestedValue {

  /** A type that cannot be read. */
  static final class UnsupportedTypeException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Type type;

    private UnsupportedTypeException(ImmutableList<String> path, Type type, String problem) {
      super("/" + String.join("/", path) + " " + problem);
      this.type = type;
    }

    /** The type at fault. */
    Type type() {
      return type;
    }
  }

  private final int present;
  private final ImmutableList<NestedLeaf> leaves;

  private NestedValue(int present, ImmutableList<NestedLeaf> leaves) {
    this.present = present;
    this.leaves = leaves;
  }

  /**
   * The value of a field.
   *
   * @param path where it stands in the file's schema
   * @param level definition level of what it stands in
   * @throws UnsupportedTypeException if it holds something that cannot be read
   */
  static NestedValue of(ImmutableList<String> path, Type field, int level)
      throws UnsupportedTypeException {
    return new Builder().value(path, field, level, 0);
  }

  /** Its columns, in the order of the schema. */
  final ImmutableList<NestedLeaf> leaves() {
    return leaves;
  }

  /** Whether the current row has it; if not, it is passed over. */
  final boolean begins() {
    for (NestedLeaf leaf : leaves) {
      leaf.beginRow();
    }
    if (reaches(present)) {
      return true;
    }
    pass();
    return false;
  }

  /** Writes the value of the current row, which has it. */
  abstract void write(NestedText out);

  /** Passes over what a row has. */
  final void skipRow() {
    for (NestedLeaf leaf : leaves) {
      leaf.skipRow();
    }
  }

  private void writeOrNull(NestedText out) {
    if (reaches(present)) {
      write(out);
    } else {
      pass();
      out.raw("null");
    }
  }

  /** Whether its columns go as deep as a definition level. */
  final boolean reaches(int level) {
    if (leaves.size() == 1) {
      return leaves.get(0).definition() >= level;
    }
    boolean reaches = leaves.get(0).definition() >= level;
    for (NestedLeaf leaf : leaves) {
      Preconditions.checkArgument(
          leaf.definition() >= level == reaches,
          "columns %s and %s disagree on definition levels",
          leaves.get(0).name(),
          leaf.name());
    }
    return reaches;
  }

  /** Whether another element of a list or map follows. */
  final boolean goesOn(int repetition) {
    int next = leaves.get(0).repetition();
    Preconditions.checkArgument(
        next <= repetition, "wrong repetition levels in column %s", leaves.get(0).name());
    for (NestedLeaf leaf : leaves) {
      Preconditions.checkArgument(
          leaf.repetition() == next,
          "columns %s and %s disagree on repetition levels",
          leaves.get(0).name(),
          leaf.name());
    }
    return next == repetition;
  }

  /** Passes over the place of nothing in all columns. */
  final void pass() {
    for (NestedLeaf leaf : leaves) {
      leaf.pass();
    }
  }

  private static ImmutableList<NestedLeaf> leavesOf(List<NestedValue> values) {
    return values.stream()
        .flatMap(value -> value.leaves.stream())
        .collect(ImmutableList.toImmutableList());
  }

  /** A value of one column. */
  private static final class Single extends NestedValue {

    private final NestedLeaf leaf;

    Single(int present, NestedLeaf leaf) {
      super(present, ImmutableList.of(leaf));
      this.leaf = leaf;
    }

    @Override
    void write(NestedText out) {
      leaf.give();
      leaf.pass();
    }
  }

  /** An object with members of known names. */
  private static final class Members extends NestedValue {

    private final ImmutableList<String> names;
    private final ImmutableList<NestedValue> values;

    Members(int present, ImmutableList<String> names, ImmutableList<NestedValue> values) {
      super(present, leavesOf(values));
      this.names = names;
      this.values = values;
    }

    @Override
    void write(NestedText out) {
      String before = "{";
      for (int i = 0; i < names.size(); i++) {
        NestedValue value = values.get(i);
        if (value.reaches(value.present)) {
          out.raw(before);
          out.member(names.get(i));
          value.write(out);
          before = ",";
        } else {
          value.pass();
          out.leftOut();
        }
      }
      out.raw(before.equals("{") ? "{}" : "}");
    }
  }

  /** An array. */
  private static final class Elements extends NestedValue {

    private final int filled;
    private final int repetition;
    private final NestedValue element;

    /**
     * An array.
     *
     * @param filled from which definition level on it has elements
     * @param repetition level at which they repeat
     */
    Elements(int present, int filled, int repetition, NestedValue element) {
      super(present, element.leaves());
      this.filled = filled;
      this.repetition = repetition;
      this.element = element;
    }

    @Override
    void write(NestedText out) {
      if (!reaches(filled)) {
        pass();
        out.raw("[]");
        return;
      }
      out.raw("[");
      element.writeOrNull(out);
      while (goesOn(repetition)) {
        out.raw(",");
        element.writeOrNull(out);
      }
      out.raw("]");
    }
  }

  /** An object whose members are data. */
  private static final class Entries extends NestedValue {

    private final int filled;
    private final int repetition;
    private final NestedValue key;
    private final NestedValue value;

    Entries(int present, int filled, int repetition, NestedValue key, NestedValue value) {
      super(present, leavesOf(ImmutableList.of(key, value)));
      this.filled = filled;
      this.repetition = repetition;
      this.key = key;
      this.value = value;
    }

    @Override
    void write(NestedText out) {
      if (!reaches(filled)) {
        pass();
        out.raw("{}");
        return;
      }
      Set<String> keys = new HashSet<>();
      out.raw("{");
      entry(out, keys);
      while (goesOn(repetition)) {
        out.raw(",");
        entry(out, keys);
      }
      out.raw("}");
    }

    private void entry(NestedText out, Set<String> keys) {
      int from = out.position();
      key.writeOrNull(out);
      String name = out.from(from);
      if (!name.isEmpty() && !keys.add(name)) {
        fail(out, "has one key twice", "write each key once", name);
      } else if (name.equals("null")) {
        fail(out, "has an entry without a key", "give each entry a key", name);
      }
      out.raw(":");
      value.writeOrNull(out);
    }

    private void fail(NestedText out, String problem, String remedy, String name) {
      String map = key.leaves().get(0).name();
      out.fail(0, new UnreadableValue("the map of " + map + " " + problem, remedy, name));
    }
  }

  /** Makes values of types. */
  private static final class Builder {

    private final List<NestedLeaf> leaves = new ArrayList<>();

    /** Of a field with its repetition. */
    NestedValue value(ImmutableList<String> path, Type field, int definition, int repetition)
        throws UnsupportedTypeException {
      if (field.isRepetition(Repetition.REPEATED)) {
        NestedValue element = content(path, field, definition + 1, repetition + 1);
        return new Elements(definition, definition + 1, repetition + 1, element);
      }
      int present = field.isRepetition(Repetition.OPTIONAL) ? definition + 1 : definition;
      return content(path, field, present, repetition);
    }

    /** Of what stands in a field, its own repetition not counted. */
    private NestedValue content(
        ImmutableList<String> path, Type field, int definition, int repetition)
        throws UnsupportedTypeException {
      if (field.isPrimitive()) {
        ParquetType type = ParquetType.of(field.asPrimitiveType());
        if (type == null) {
          throw new UnsupportedTypeException(path, field, "is of a type that cannot be read");
        }
        NestedLeaf leaf =
            new NestedLeaf(
                path, field.asPrimitiveType(), type, leaves.size(), definition, repetition);
        leaves.add(leaf);
        return new Single(definition, leaf);
      }
      GroupType group = field.asGroupType();
      LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
      if (logical == null) {
        return members(path, group, definition, repetition);
      }
      if (logical instanceof ListLogicalTypeAnnotation) {
        return list(path, group, definition, repetition);
      }
      if (logical instanceof MapLogicalTypeAnnotation
          || logical instanceof MapKeyValueTypeAnnotation) {
        return map(path, group, definition, repetition);
      }
      throw new UnsupportedTypeException(path, field, "is of a type that cannot be read");
    }

    private NestedValue members(
        ImmutableList<String> path, GroupType group, int definition, int repetition)
        throws UnsupportedTypeException {
      ImmutableList.Builder<String> names = ImmutableList.builder();
      ImmutableList.Builder<NestedValue> values = ImmutableList.builder();
      Set<String> seen = new HashSet<>();
      for (Type field : group.getFields()) {
        if (!seen.add(field.getName())) {
          throw new UnsupportedTypeException(below(path, field), field, "is there twice");
        }
        names.add(field.getName());
        values.add(value(below(path, field), field, definition, repetition));
      }
      if (seen.isEmpty()) {
        throw new UnsupportedTypeException(path, group, "is a group without fields");
      }
      return new Members(definition, names.build(), values.build());
    }

    private NestedValue list(
        ImmutableList<String> path, GroupType list, int definition, int repetition)
        throws UnsupportedTypeException {
      Type repeated = onlyRepeated(path, list, "is a list without one repeated field");
      ImmutableList<String> inside = below(path, repeated);
      NestedValue element =
          isElement(repeated, list)
              ? content(inside, repeated, definition + 1, repetition + 1)
              : value(
                  below(inside, repeated.asGroupType().getType(0)),
                  repeated.asGroupType().getType(0),
                  definition + 1,
                  repetition + 1);
      return new Elements(definition, definition + 1, repetition + 1, element);
    }

    /** Whether the repeated field of a list is its element: older writers have no level between. */
    private static boolean isElement(Type repeated, GroupType list) {
      return repeated.isPrimitive()
          || repeated.getLogicalTypeAnnotation() != null
          || repeated.asGroupType().getFieldCount() != 1
          || repeated.asGroupType().getType(0).isRepetition(Repetition.REPEATED)
          || repeated.getName().equals("array")
          || repeated.getName().equals(list.getName() + "_tuple");
    }

    private NestedValue map(
        ImmutableList<String> path, GroupType map, int definition, int repetition)
        throws UnsupportedTypeException {
      Type repeated = onlyRepeated(path, map, "is a map without one repeated field");
      if (repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 2) {
        throw new UnsupportedTypeException(path, map, "is a map without keys and values");
      }
      ImmutableList<String> inside = below(path, repeated);
      Type key = repeated.asGroupType().getType(0);
      if (!key.isPrimitive()
          || key.isRepetition(Repetition.REPEATED)
          || ParquetType.of(key.asPrimitiveType()) != ParquetType.BYTES) {
        throw new UnsupportedTypeException(path, map, "is a map whose keys are no text");
      }
      Type value = repeated.asGroupType().getType(1);
      return new Entries(
          definition,
          definition + 1,
          repetition + 1,
          value(below(inside, key), key, definition + 1, repetition + 1),
          value(below(inside, value), value, definition + 1, repetition + 1));
    }

    private static Type onlyRepeated(ImmutableList<String> path, GroupType group, String problem)
        throws UnsupportedTypeException {
      if (group.getFieldCount() != 1 || !group.getType(0).isRepetition(Repetition.REPEATED)) {
        throw new UnsupportedTypeException(path, group, problem);
      }
      return group.getType(0);
    }

    private static ImmutableList<String> below(ImmutableList<String> path, Type field) {
      return ImmutableList.<String>builder().addAll(path).add(field.getName()).build();
    }
  }
}
