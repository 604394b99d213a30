package dev.constat.pipelines.archive;

import dev.constat.pipelines.archive.ParquetColumns.Used;
import dev.constat.rules.reading.RowBuilder;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Gives the values of one Parquet column to the row that is being built. What stands in a
 * dictionary is typed once, not once per row.
 */
final class ParquetCell extends PrimitiveConverter {

  private final RowBuilder row;
  private final ParquetType type;
  private final PrimitiveTypeName held;
  private final int scale;
  private final int[] columns;
  private Dictionary dictionary;
  private Object[][] typed;

  ParquetCell(RowBuilder row, Used used) {
    this.row = row;
    this.type = used.type();
    PrimitiveType field = used.field().asPrimitiveType();
    this.held = field.getPrimitiveTypeName();
    this.scale = ParquetType.scale(field);
    this.columns = used.columns().stream().mapToInt(Integer::intValue).toArray();
  }

  /** The current row has nothing here. */
  void nothing() {
    for (int column : columns) {
      row.nothing(column);
    }
  }

  @Override
  public boolean hasDictionarySupport() {
    return true;
  }

  @Override
  public void setDictionary(Dictionary values) {
    dictionary = values;
    typed = new Object[columns.length][values.getMaxId() + 1];
  }

  @Override
  public void addValueFromDictionary(int id) {
    for (int i = 0; i < columns.length; i++) {
      Object known = typed[i][id];
      if (known != null) {
        row.again(columns[i], known);
      } else {
        give(columns[i], id);
        typed[i][id] = row.repeatable(columns[i]);
      }
    }
  }

  private void give(int column, int id) {
    switch (held) {
      case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 ->
          type.give(row, column, dictionary.decodeToBinary(id), scale);
      case INT32 -> type.give(row, column, dictionary.decodeToInt(id), scale);
      case INT64 -> type.give(row, column, dictionary.decodeToLong(id), scale);
      case BOOLEAN -> type.give(row, column, dictionary.decodeToBoolean(id) ? 1 : 0, scale);
      case FLOAT ->
          type.give(row, column, Float.floatToRawIntBits(dictionary.decodeToFloat(id)), scale);
      case DOUBLE ->
          type.give(row, column, Double.doubleToRawLongBits(dictionary.decodeToDouble(id)), scale);
    }
  }

  @Override
  public void addBinary(Binary value) {
    for (int column : columns) {
      type.give(row, column, value, scale);
    }
  }

  @Override
  public void addInt(int value) {
    addLong(value);
  }

  @Override
  public void addLong(long value) {
    for (int column : columns) {
      type.give(row, column, value, scale);
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
