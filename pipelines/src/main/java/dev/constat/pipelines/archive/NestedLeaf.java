package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.reading.ValueTaker;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType;

/** One column of a nested value, read along with the others of the value. */
final class NestedLeaf extends PrimitiveConverter {

  private final ImmutableList<String> path;
  private final String name;
  private final ParquetType type;
  private final int scale;
  private final int index;
  private final int deepest;
  private final int widest;
  private ValueTaker out;
  private ParquetCell cell;
  private ColumnReader reader;
  private long left;

  /**
   * A column.
   *
   * @param index its place among those of the value
   * @param deepest its greatest definition level
   * @param widest its greatest repetition level
   */
  NestedLeaf(
      ImmutableList<String> path,
      PrimitiveType field,
      ParquetType type,
      int index,
      int deepest,
      int widest) {
    this.path = path;
    this.name = "/" + String.join("/", path);
    this.type = type;
    this.scale = ParquetType.scale(field);
    this.index = index;
    this.deepest = deepest;
    this.widest = widest;
  }

  ImmutableList<String> path() {
    return path;
  }

  /** Its name in messages. */
  String name() {
    return name;
  }

  boolean isInt96() {
    return type == ParquetType.INT96;
  }

  /** Where its values go. */
  void giveTo(ValueTaker taker) {
    out = taker;
  }

  /** Has a column of the layout take its values too; it must not repeat. */
  void giveTo(ParquetCell other) {
    cell = other;
  }

  /** Begins to read. */
  void open(ColumnReader opened) {
    reader = opened;
    left = opened.getTotalValueCount();
  }

  /** Requires that a row begins here. */
  void beginRow() {
    Preconditions.checkArgument(left > 0, "column %s ends before its row group", name());
    Preconditions.checkArgument(
        repetition() == 0, "wrong repetition levels in column %s: a row begins inside one", name());
    if (cell != null && definition() < deepest) {
      cell.nothing();
    }
  }

  /** Requires that all rows are read. */
  void end() {
    Preconditions.checkArgument(
        left == 0, "column %s goes on behind the last row of its row group", name());
  }

  /** How deep it is defined where it stands. */
  int definition() {
    Preconditions.checkArgument(left > 0, "column %s ends inside a row", name());
    int level = reader.getCurrentDefinitionLevel();
    Preconditions.checkArgument(level <= deepest, "wrong definition levels in column %s", name());
    return level;
  }

  /**
   * At which level it repeats what was before; 0 where a row begins or the column is at its end.
   */
  int repetition() {
    int level = left == 0 ? 0 : reader.getCurrentRepetitionLevel();
    Preconditions.checkArgument(level <= widest, "wrong repetition levels in column %s", name());
    return level;
  }

  /** Gives the value that stands here. */
  void give() {
    Preconditions.checkArgument(
        definition() == deepest, "wrong definition levels in column %s", name());
    reader.writeCurrentValueToConverter();
  }

  /** Goes on behind what stands here. */
  void pass() {
    left--;
    if (left > 0) {
      reader.consume();
    }
  }

  /** Goes on to the next row without giving anything. */
  void skipRow() {
    Preconditions.checkArgument(left > 0, "column %s ends before its row group", name());
    do {
      if (definition() == deepest) {
        reader.skip();
      }
      pass();
    } while (repetition() > 0);
  }

  @Override
  public void addBinary(Binary value) {
    type.give(out, index, value, scale);
    if (cell != null) {
      cell.addBinary(value);
    }
  }

  @Override
  public void addInt(int value) {
    addLong(value);
  }

  @Override
  public void addLong(long value) {
    type.give(out, index, value, scale);
    if (cell != null) {
      cell.addLong(value);
    }
  }

  @Override
  public void addBoolean(boolean value) {
    addLong(value ? 1 : 0);
  }

  @Override
  public void addFloat(float value) {
    addLong(Float.floatToRawIntBits(value));
  }

  @Override
  public void addDouble(double value) {
    addLong(Double.doubleToRawLongBits(value));
  }
}
