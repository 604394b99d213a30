package dev.constat.pipelines.archive;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec.Archive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
   * A column of the file.
   *
   * @param field its type, at the top of the file's schema
   * @param type how it is read
   * @param columns columns of the layout that take its values
   */
  record Used(Type field, ParquetType type, ImmutableList<Integer> columns) {}

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
    Map<String, List<Integer>> wanted = new LinkedHashMap<>();
    for (int i = 0; i < layout.columns().size(); i++) {
      Column column = layout.columns().get(i);
      String theirs = FieldTree.theirs(column, archive);
      if (FieldTree.isPointer(theirs)) {
        throw misfit(
            file,
            column,
            theirs,
            "is mapped into a nested record, which Parquet files are not read for",
            "map it to a column");
      }
      if (schema.containsField(theirs)) {
        wanted.computeIfAbsent(theirs, name -> new ArrayList<>()).add(i);
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
    requireOneSpelling(file, schema, wanted.keySet());

    ImmutableList.Builder<Used> used = ImmutableList.builder();
    for (Type field : schema.getFields()) {
      List<Integer> columns = wanted.get(field.getName());
      if (columns != null) {
        used.add(used(file, field, columns, layout, archive));
      }
    }
    return new ParquetColumns(used.build());
  }

  private static Used used(
      ArchiveFile file, Type field, List<Integer> columns, Layout layout, Archive archive)
      throws MisfitException {
    boolean flat = field.isPrimitive() && !field.isRepetition(Type.Repetition.REPEATED);
    ParquetType type = flat ? ParquetType.of(field.asPrimitiveType()) : null;
    for (int index : columns) {
      Column column = layout.columns().get(index);
      if (type == null || !type.fits(column.type())) {
        throw misfit(
            file,
            column,
            declaration(field),
            "is of a type that cannot be read into it",
            "write it as " + wanted(column.type()));
      }
      if (column.type() == ColumnType.TIME && type.needsUnit() && archive.timeUnit() == null) {
        throw misfit(
            file,
            column,
            declaration(field),
            "is an integer without a unit",
            "declare time_unit of " + layout.input().key() + ": s, ms, us or ns");
      }
    }
    return new Used(field, type, ImmutableList.copyOf(columns));
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
    field.writeToStringBuilder(declaration, "");
    return Excerpt.of(declaration.toString());
  }

  private static String wanted(ColumnType type) {
    return switch (type) {
      case TEXT -> "text or as an integer";
      case TIME -> "a timestamp, as text or as an integer";
      case UNSIGNED, INTEGER -> "an integer or as text";
      case BOOLEAN -> "a boolean or as text";
      case PAYLOAD -> "text or bytes";
    };
  }

  /** The schema that has the used columns alone. */
  MessageType schema(MessageType file) {
    return new MessageType(file.getName(), used.stream().map(Used::field).toList());
  }

  /** Tells what is worth knowing about the columns of the file. */
  void tell(MessageType file, RowSink sink) {
    Set<String> names = used.stream().map(u -> u.field().getName()).collect(Collectors.toSet());
    UnknownColumns unknown = new UnknownColumns();
    for (Type field : file.getFields()) {
      if (!names.contains(field.getName())) {
        unknown.add(field.getName());
      }
    }
    unknown.tell(sink);
    for (Used column : used) {
      if (column.type() == ParquetType.INT96) {
        sink.note(
            Excerpt.of(column.field().getName()) + " is INT96, a legacy type: read as UTC times");
      }
    }
  }
}
