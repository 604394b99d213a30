package dev.constat.pipelines.archive;

import dev.constat.pipelines.archive.ParquetColumns.Used;
import dev.constat.rules.reading.RowBuilder;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Gives the values of one Parquet column to the row that is being built. What stands in a
 * dictionary is typed once, not once per row.
 */
final class ParquetCell extends PrimitiveConverter {

  private final RowBuilder row;
  private final ParquetType type;
  private final boolean is32Bits;
  private final int[] columns;
  private Dictionary dictionary;
  private Object[][] typed;

  ParquetCell(RowBuilder row, Used used) {
    this.row = row;
    this.type = used.type();
    this.is32Bits =
        used.field().asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT32;
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
    switch (type) {
      case BYTES, UUID, INT96 -> type.give(row, column, dictionary.decodeToBinary(id));
      case BOOLEAN -> type.give(row, column, dictionary.decodeToBoolean(id) ? 1 : 0);
      default -> type.give(row, column, number(id));
    }
  }

  private long number(int id) {
    return is32Bits ? dictionary.decodeToInt(id) : dictionary.decodeToLong(id);
  }

  @Override
  public void addBinary(Binary value) {
    for (int column : columns) {
      type.give(row, column, value);
    }
  }

  @Override
  public void addInt(int value) {
    addLong(value);
  }

  @Override
  public void addLong(long value) {
    for (int column : columns) {
      type.give(row, column, value);
    }
  }

  @Override
  public void addBoolean(boolean value) {
    addLong(value ? 1 : 0);
  }
}
