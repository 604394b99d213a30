package dev.constat.pipelines.archive;

import com.fasterxml.jackson.core.io.NumberOutput;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.reading.UnreadableValue;
import dev.constat.rules.reading.ValueTaker;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UnknownLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/** The types of Parquet columns that can be read, and how a value of each is given to a row. */
enum ParquetType {
  /** Text, or bytes that are text where the column wants it. */
  BYTES {
    @Override
    boolean fits(ColumnType type) {
      return true;
    }

    @Override
    void give(ValueTaker row, int column, Binary value, int scale) {
      row.bytes(column, value.getBytes());
    }
  },
  /** A UUID in 16 bytes; its text has 36 characters in lower case. */
  UUID {
    @Override
    boolean fits(ColumnType type) {
      return type == ColumnType.TEXT;
    }

    @Override
    void give(ValueTaker row, int column, Binary value, int scale) {
      ByteBuffer bytes = value.toByteBuffer();
      row.text(column, new UUID(bytes.getLong(), bytes.getLong()).toString());
    }
  },
  SIGNED {
    @Override
    boolean fits(ColumnType type) {
      return isInteger(type);
    }

    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.integer(column, value);
    }
  },
  UNSIGNED_32 {
    @Override
    boolean fits(ColumnType type) {
      return isInteger(type);
    }

    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.integer(column, value & 0xFFFF_FFFFL);
    }
  },
  UNSIGNED_64 {
    @Override
    boolean fits(ColumnType type) {
      return isInteger(type);
    }

    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.unsigned(column, value);
    }
  },
  BOOLEAN {
    @Override
    boolean fits(ColumnType type) {
      return type == ColumnType.BOOLEAN || type == ColumnType.TEXT;
    }

    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.bool(column, value != 0);
    }
  },
  MILLIS {
    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.instant(column, instant(value, 1_000));
    }
  },
  MICROS {
    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.instant(column, instant(value, 1_000_000));
    }
  },
  NANOS {
    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.instant(column, instant(value, 1_000_000_000));
    }
  },
  LOCAL_MILLIS {
    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.local(column, local(instant(value, 1_000)));
    }
  },
  LOCAL_MICROS {
    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.local(column, local(instant(value, 1_000_000)));
    }
  },
  LOCAL_NANOS {
    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.local(column, local(instant(value, 1_000_000_000)));
    }
  },
  /** A column that never has a value. */
  ALWAYS_NULL {
    @Override
    boolean fits(ColumnType type) {
      return true;
    }
  },
  /** Nanoseconds of the day and a Julian day; by convention in UTC. */
  INT96 {
    @Override
    void give(ValueTaker row, int column, Binary value, int scale) {
      ByteBuffer bytes = value.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      long nanos = bytes.getLong();
      int julianDay = bytes.getInt();
      if (nanos < 0 || nanos >= NANOS_PER_DAY) {
        row.fail(
            column,
            new UnreadableValue(
                row.name(column) + " is an INT96 beyond the end of its day",
                "write it as a timestamp",
                "%s ns of Julian day %s".formatted(nanos, julianDay)));
        return;
      }
      long day = julianDay - JULIAN_DAY_OF_EPOCH;
      row.instant(column, Instant.ofEpochSecond(day * SECONDS_PER_DAY, nanos));
    }
  },
  /** A decimal number; its text has as many decimal places as its type. */
  DECIMAL {
    @Override
    boolean fits(ColumnType type) {
      return isNumber(type);
    }

    @Override
    void give(ValueTaker row, int column, Binary value, int scale) {
      int length = value.length();
      if (length == 0 || length > LONGEST_DECIMAL) {
        row.fail(
            column,
            new UnreadableValue(
                "%s is a decimal number of %s bytes".formatted(row.name(column), length),
                "write it in 1 to " + LONGEST_DECIMAL + " bytes",
                length + " bytes"));
        return;
      }
      row.number(column, new BigDecimal(new BigInteger(value.getBytes()), scale).toPlainString());
    }

    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      row.number(column, BigDecimal.valueOf(value, scale).toPlainString());
    }
  },
  /** A float, by its bits; its text is the shortest decimal number that is read as the same. */
  FLOAT {
    @Override
    boolean fits(ColumnType type) {
      return type == ColumnType.TEXT;
    }

    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      float number = Float.intBitsToFloat((int) value);
      if (Float.isFinite(number)) {
        row.number(column, plain(NumberOutput.toString(number, true)));
      } else {
        row.nonFinite(column, Float.toString(number));
      }
    }
  },
  /** A double, by its bits; its text is the shortest decimal number that is read as the same. */
  DOUBLE {
    @Override
    boolean fits(ColumnType type) {
      return type == ColumnType.TEXT;
    }

    @Override
    void give(ValueTaker row, int column, long value, int scale) {
      double number = Double.longBitsToDouble(value);
      if (Double.isFinite(number)) {
        row.number(column, plain(NumberOutput.toString(number, true)));
      } else {
        row.nonFinite(column, Double.toString(number));
      }
    }
  };

  private static final long JULIAN_DAY_OF_EPOCH = 2_440_588;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long NANOS_PER_DAY = SECONDS_PER_DAY * 1_000_000_000;

  /** As many bytes as a number of a thousand digits takes: turning digits out is quadratic. */
  private static final int LONGEST_DECIMAL = 416;

  /** The type of a column, or null where it cannot be read. */
  static ParquetType of(PrimitiveType type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (ParquetFooter.isOfNewerType(type)) {
      return null;
    }
    if (logical instanceof UnknownLogicalTypeAnnotation) {
      return ALWAYS_NULL;
    }
    return switch (type.getPrimitiveTypeName()) {
      case BINARY, FIXED_LEN_BYTE_ARRAY -> ofBytes(logical);
      case INT32 -> ofInteger(logical, UNSIGNED_32);
      case INT64 ->
          logical instanceof TimestampLogicalTypeAnnotation timestamp
              ? ofTimestamp(timestamp)
              : ofInteger(logical, UNSIGNED_64);
      case INT96 -> INT96;
      case BOOLEAN -> logical == null ? BOOLEAN : null;
      case FLOAT -> logical == null ? FLOAT : null;
      case DOUBLE -> logical == null ? DOUBLE : null;
    };
  }

  private static ParquetType ofBytes(LogicalTypeAnnotation logical) {
    if (logical instanceof UUIDLogicalTypeAnnotation) {
      return UUID;
    }
    if (logical instanceof DecimalLogicalTypeAnnotation) {
      return DECIMAL;
    }
    boolean text =
        logical == null
            || logical instanceof StringLogicalTypeAnnotation
            || logical instanceof EnumLogicalTypeAnnotation
            || logical instanceof JsonLogicalTypeAnnotation;
    return text ? BYTES : null;
  }

  private static ParquetType ofInteger(LogicalTypeAnnotation logical, ParquetType unsigned) {
    if (logical == null) {
      return SIGNED;
    }
    if (logical instanceof DecimalLogicalTypeAnnotation) {
      return DECIMAL;
    }
    if (logical instanceof IntLogicalTypeAnnotation integer) {
      return integer.isSigned() ? SIGNED : unsigned;
    }
    return null;
  }

  private static ParquetType ofTimestamp(TimestampLogicalTypeAnnotation timestamp) {
    boolean utc = timestamp.isAdjustedToUTC();
    return switch (timestamp.getUnit()) {
      case MILLIS -> utc ? MILLIS : LOCAL_MILLIS;
      case MICROS -> utc ? MICROS : LOCAL_MICROS;
      case NANOS -> utc ? NANOS : LOCAL_NANOS;
    };
  }

  /** Whether columns of a type can take its values. Typed times fit times alone. */
  boolean fits(ColumnType type) {
    return type == ColumnType.TIME;
  }

  /** Whether a time in such a column needs a unit from the run spec. */
  boolean needsUnit() {
    return this == SIGNED || this == UNSIGNED_32 || this == UNSIGNED_64;
  }

  /** How many digits of a number in such a column are decimal places. */
  static int scale(PrimitiveType type) {
    return type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal
        ? decimal.getScale()
        : 0;
  }

  /** Gives a row a value that Parquet holds as bytes. */
  void give(ValueTaker row, int column, Binary value, int scale) {
    throw new IllegalArgumentException(row.name(column) + " has bytes where its type has none");
  }

  /**
   * Gives a row a value that Parquet holds as a number or boolean; of floating-point numbers, the
   * bits.
   */
  void give(ValueTaker row, int column, long value, int scale) {
    throw new IllegalArgumentException(row.name(column) + " has a number where its type has none");
  }

  private static boolean isInteger(ColumnType type) {
    return type == ColumnType.TEXT
        || type == ColumnType.TIME
        || type == ColumnType.INTEGER
        || type == ColumnType.UNSIGNED;
  }

  private static boolean isNumber(ColumnType type) {
    return type == ColumnType.TEXT || type == ColumnType.INTEGER || type == ColumnType.UNSIGNED;
  }

  /** Without exponent, without zeros that say nothing; 0 has no sign. */
  private static String plain(String number) {
    return new BigDecimal(number).stripTrailingZeros().toPlainString();
  }

  private static Instant instant(long value, long perSecond) {
    return Instant.ofEpochSecond(
        Math.floorDiv(value, perSecond),
        Math.floorMod(value, perSecond) * (1_000_000_000 / perSecond));
  }

  private static LocalDateTime local(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
