package dev.constat.pipelines.archive;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec.Archive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * The columns of a Parquet file that a layout uses.
 *
 * @param used in the order of the file
 */
record ParquetColumns(ImmutableList<Used> used) {

  /**
   * A column of the file, at the top of its schema or inside groups that do not repeat.
   *
   * @param path the names that lead to it
   * @param field its type
   * @param type how it is read; null where it is nested
   * @param nested what it is made of; null where it is not nested
   * @param columns columns of the layout that take its values
   */
  record Used(
      ImmutableList<String> path,
      Type field,
      ParquetType type,
      NestedValue nested,
      ImmutableList<Integer> columns) {

    /** Its columns in the file. */
    Stream<ImmutableList<String>> leaves() {
      return nested == null ? Stream.of(path) : nested.leaves().stream().map(NestedLeaf::path);
    }
  }

  /** A file whose columns do not fit the layout. */
  static final class MisfitException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Unreadable unreadable;

    private MisfitException(Unreadable unreadable) {
      super(unreadable.problem());
      this.unreadable = unreadable;
    }

    Unreadable unreadable() {
      return unreadable;
    }
  }

  /**
   * Finds the columns of a layout in a file's schema.
   *
   * @throws MisfitException if one is there that cannot be read, or one that is required is not
   */
  static ParquetColumns of(ArchiveFile file, MessageType schema, Layout layout, Archive archive)
      throws MisfitException {
    ListMultimap<List<String>, Integer> wanted =
        MultimapBuilder.linkedHashKeys().arrayListValues().build();
    for (int i = 0; i < layout.columns().size(); i++) {
      Column column = layout.columns().get(i);
      String theirs = FieldTree.theirs(column, archive);
      List<String> path = FieldTree.path(theirs);
      if (isThere(file, schema, column, path)) {
        wanted.put(path, i);
      } else if (column.required() && !archive.constants().containsKey(column.name())) {
        throw misfit(
            file,
            column,
            theirs.equals(column.name()) ? null : theirs,
            "is required and the file lacks it",
            "name its column with columns: {%1$s: ...}, or give constants: {%1$s: ...}"
                .formatted(column.name()));
      }
    }
    requireOneSpelling(
        file,
        schema,
        wanted.keySet().stream().map(path -> path.get(0)).collect(Collectors.toSet()));

    ImmutableList.Builder<Used> used = ImmutableList.builder();
    for (Type field : schema.getFields()) {
      for (List<String> path : wanted.keySet()) {
        if (path.get(0).equals(field.getName())) {
          used.add(used(file, schema, path, wanted.get(path), layout, archive));
        }
      }
    }
    return new ParquetColumns(used.build());
  }

  /** Whether a path leads to something, through groups that hold one value of each member. */
  private static boolean isThere(
      ArchiveFile file, MessageType schema, Column column, List<String> path)
      throws MisfitException {
    GroupType group = schema;
    for (int i = 0; group.containsField(path.get(i)); i++) {
      if (i == path.size() - 1) {
        return true;
      }
      Type field = group.getType(path.get(i));
      if (field.isPrimitive()
          || field.isRepetition(Type.Repetition.REPEATED)
          || field.getLogicalTypeAnnotation() != null) {
        throw misfit(
            file,
            column,
            declaration(field),
            "is mapped into "
                + Excerpt.of(field.getName())
                + ", which is no group of single members",
            "map it to a column, or into a group that is neither a list nor a map");
      }
      group = field.asGroupType();
    }
    return false;
  }

  private static Used used(
      ArchiveFile file,
      MessageType schema,
      List<String> path,
      List<Integer> columns,
      Layout layout,
      Archive archive)
      throws MisfitException {
    Type field = schema.getType(path.toArray(String[]::new));
    boolean flat = field.isPrimitive() && !field.isRepetition(Type.Repetition.REPEATED);
    ParquetType type = flat ? ParquetType.of(field.asPrimitiveType()) : null;
    NestedValue nested = null;
    for (int index : columns) {
      Column column = layout.columns().get(index);
      if (!flat && column.type() == ColumnType.PAYLOAD) {
        nested = nested == null ? nested(file, schema, column, path, field) : nested;
      } else if (type == null || !type.fits(column.type())) {
        throw misfit(
            file,
            column,
            declaration(field),
            "is of a type that cannot be read into it",
            "write it as " + wanted(column.type()));
      } else if (column.type() == ColumnType.TIME
          && type.needsUnit()
          && archive.timeUnit() == null) {
        throw misfit(
            file,
            column,
            declaration(field),
            "is an integer without a unit",
            "declare time_unit of " + layout.input().key() + ": s, ms, us or ns");
      }
    }
    return new Used(ImmutableList.copyOf(path), field, type, nested, ImmutableList.copyOf(columns));
  }

  private static NestedValue nested(
      ArchiveFile file, MessageType schema, Column column, List<String> path, Type field)
      throws MisfitException {
    List<String> above = path.subList(0, path.size() - 1);
    int level = above.isEmpty() ? 0 : schema.getMaxDefinitionLevel(above.toArray(String[]::new));
    try {
      return NestedValue.of(ImmutableList.copyOf(path), field, level);
    } catch (NestedValue.UnsupportedTypeException e) {
      throw misfit(
          file,
          column,
          declaration(e.type()),
          "cannot be read: " + Excerpt.of(e.getMessage(), 200),
          "leave that member out or write it as text, a number or a timestamp, or the whole as"
              + " JSON text");
    }
  }

  private static void requireOneSpelling(ArchiveFile file, MessageType schema, Set<String> used)
      throws MisfitException {
    Map<String, List<String>> spellings =
        schema.getFields().stream()
            .map(Type::getName)
            .collect(Collectors.groupingBy(FieldTree::fold, TreeMap::new, Collectors.toList()));
    for (List<String> names : spellings.values()) {
      if (names.size() > 1 && names.stream().anyMatch(used::contains)) {
        throw new MisfitException(
            WholeFile.unreadable(
                file,
                "the file has both %s and %s"
                    .formatted(Excerpt.of(names.get(0)), Excerpt.of(names.get(1))),
                "give each column one name"));
      }
    }
  }

  private static MisfitException misfit(
      ArchiveFile file, Column column, String value, String problem, String remedy) {
    return new MisfitException(
        WholeFile.unreadable(file, column.name(), value, column.name() + " " + problem, remedy));
  }

  private static String declaration(Type field) {
    StringBuilder declaration = new StringBuilder();
    if (field instanceof GroupType group) {
      return Excerpt.of("group " + group.getName());
    }
    if (ParquetFooter.isOfNewerType(field)) {
      return Excerpt.of(field.getName() + " (a logical type newer than this reader)");
    }
    field.writeToStringBuilder(declaration, "");
    return Excerpt.of(declaration.toString());
  }

  private static String wanted(ColumnType type) {
    return switch (type) {
      case TEXT -> "text or as an integer";
      case TIME -> "a timestamp, as text or as an integer";
      case UNSIGNED, INTEGER -> "an integer or as text";
      case BOOLEAN -> "a boolean or as text";
      case PAYLOAD -> "text, bytes or a group";
    };
  }

  /** The columns of the file that are read. */
  ImmutableSet<ImmutableList<String>> leaves() {
    return used.stream().flatMap(Used::leaves).collect(ImmutableSet.toImmutableSet());
  }

  /** The schema that has the used columns alone. */
  MessageType schema(MessageType file) {
    List<List<String>> paths = used.stream().map(column -> (List<String>) column.path()).toList();
    return new MessageType(file.getName(), pruned(file, paths));
  }

  private static List<Type> pruned(GroupType group, List<List<String>> paths) {
    List<Type> fields = new ArrayList<>();
    for (Type field : group.getFields()) {
      List<List<String>> inside =
          paths.stream()
              .filter(path -> path.get(0).equals(field.getName()))
              .map(path -> path.subList(1, path.size()))
              .toList();
      if (inside.stream().anyMatch(List::isEmpty)) {
        fields.add(field);
      } else if (!inside.isEmpty()) {
        fields.add(field.asGroupType().withNewFields(pruned(field.asGroupType(), inside)));
      }
    }
    return fields;
  }

  /** Tells what is worth knowing about the columns of the file. */
  void tell(MessageType file, RowSink sink) {
    Set<String> names = used.stream().map(u -> u.path().get(0)).collect(Collectors.toSet());
    UnknownColumns unknown = new UnknownColumns();
    for (Type field : file.getFields()) {
      if (!names.contains(field.getName())) {
        unknown.add(field.getName());
      }
    }
    unknown.tell(sink);
    for (Used column : used) {
      if (column.type() == ParquetType.INT96) {
        tellInt96(String.join("/", column.path()), sink);
      } else if (column.nested() != null) {
        column.nested().leaves().stream()
            .filter(NestedLeaf::isInt96)
            .forEach(leaf -> tellInt96(leaf.name(), sink));
      }
    }
  }

  private static void tellInt96(String name, RowSink sink) {
    sink.note("LEGACY_INT96: " + Excerpt.of(name) + " is of a legacy type, read as UTC times");
  }
}
