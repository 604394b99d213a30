package dev.constat.pipelines.archive;

import com.google.common.base.Splitter;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.spec.RunSpec.Archive;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where in a record the columns of a layout stand: by their own name, by the name that the run spec
 * maps them to, or at the end of a JSON Pointer into a nested record.
 */
final class FieldTree {

  /** A field that is used, or leads to one that is. */
  static final class Field {

    private static final Field UNUSED = new Field();

    private final Map<String, Field> children = new HashMap<>();
    private int[] columns = new int[0];
    private int spelling = -1;

    /** Columns of the layout that take its value. */
    int[] columns() {
      return columns;
    }

    /** A field below it, or null. */
    Field child(String name) {
      return children.get(name);
    }

    boolean hasChildren() {
      return !children.isEmpty();
    }

    /** Number of the used name of which this name is one spelling, or -1. */
    int spelling() {
      return spelling;
    }

    boolean isUsed() {
      return columns.length > 0 || hasChildren();
    }

    private void add(int column) {
      columns = Arrays.copyOf(columns, columns.length + 1);
      columns[columns.length - 1] = column;
    }
  }

  private final Field root = new Field();
  private final Map<String, Integer> spellings = new HashMap<>();

  FieldTree(Layout layout, Archive archive) {
    for (int i = 0; i < layout.columns().size(); i++) {
      Field field = root;
      for (String name : path(theirs(layout.columns().get(i), archive))) {
        field = field.children.computeIfAbsent(name, n -> new Field());
      }
      field.add(i);
    }
    root.children.forEach(
        (name, field) -> {
          spellings.putIfAbsent(fold(name), spellings.size());
          field.spelling = spellings.get(fold(name));
        });
  }

  /** What the archive calls a column. */
  static String theirs(Column column, Archive archive) {
    return archive.columns().getOrDefault(column.name(), column.name());
  }

  /** Whether a mapping points into a nested record rather than naming a column. */
  static boolean isPointer(String theirs) {
    return theirs.startsWith("/");
  }

  /** Names that differ only by case have one fold. */
  static String fold(String name) {
    return name.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  /** The record. */
  Field root() {
    return root;
  }

  /** How many different names are used at the top, their case not counted. */
  int spellings() {
    return spellings.size();
  }

  /**
   * A field at the top that the tree lacks; it may still be another spelling of one that it has.
   */
  Field unused(String name) {
    Integer spelling = spellings.get(fold(name));
    if (spelling == null) {
      return Field.UNUSED;
    }
    Field other = new Field();
    other.spelling = spelling;
    return other;
  }

  /** The names that lead from a record to what a mapping names. */
  static List<String> path(String theirs) {
    if (!isPointer(theirs)) {
      return List.of(theirs);
    }
    return Splitter.on('/')
        .splitToStream(theirs.substring(1))
        .map(name -> name.replace("~1", "/").replace("~0", "~"))
        .toList();
  }
}
