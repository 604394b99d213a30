package dev.constat.pipelines.archive;

import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.reading.RowBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
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
    void give(RowBuilder row, int column, Binary value) {
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
    void give(RowBuilder row, int column, Binary value) {
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
    void give(RowBuilder row, int column, long value) {
      row.integer(column, value);
    }
  },
  UNSIGNED_32 {
    @Override
    boolean fits(ColumnType type) {
      return isInteger(type);
    }

    @Override
    void give(RowBuilder row, int column, long value) {
      row.integer(column, value & 0xFFFF_FFFFL);
    }
  },
  UNSIGNED_64 {
    @Override
    boolean fits(ColumnType type) {
      return isInteger(type);
    }

    @Override
    void give(RowBuilder row, int column, long value) {
      row.unsigned(column, value);
    }
  },
  BOOLEAN {
    @Override
    boolean fits(ColumnType type) {
      return type == ColumnType.BOOLEAN || type == ColumnType.TEXT;
    }

    @Override
    void give(RowBuilder row, int column, long value) {
      row.bool(column, value != 0);
    }
  },
  MILLIS {
    @Override
    void give(RowBuilder row, int column, long value) {
      row.instant(column, instant(value, 1_000));
    }
  },
  MICROS {
    @Override
    void give(RowBuilder row, int column, long value) {
      row.instant(column, instant(value, 1_000_000));
    }
  },
  NANOS {
    @Override
    void give(RowBuilder row, int column, long value) {
      row.instant(column, instant(value, 1_000_000_000));
    }
  },
  LOCAL_MILLIS {
    @Override
    void give(RowBuilder row, int column, long value) {
      row.local(column, local(instant(value, 1_000)));
    }
  },
  LOCAL_MICROS {
    @Override
    void give(RowBuilder row, int column, long value) {
      row.local(column, local(instant(value, 1_000_000)));
    }
  },
  LOCAL_NANOS {
    @Override
    void give(RowBuilder row, int column, long value) {
      row.local(column, local(instant(value, 1_000_000_000)));
    }
  },
  /** Nanoseconds of the day and a Julian day; by convention in UTC. */
  INT96 {
    @Override
    void give(RowBuilder row, int column, Binary value) {
      ByteBuffer bytes = value.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      long nanos = bytes.getLong();
      long day = bytes.getInt() - JULIAN_DAY_OF_EPOCH;
      row.instant(column, Instant.ofEpochSecond(day * SECONDS_PER_DAY, nanos));
    }
  };

  private static final long JULIAN_DAY_OF_EPOCH = 2_440_588;
  private static final long SECONDS_PER_DAY = 86_400;

  /** The type of a column, or null where it cannot be read. */
  static ParquetType of(PrimitiveType type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    return switch (type.getPrimitiveTypeName()) {
      case BINARY, FIXED_LEN_BYTE_ARRAY -> ofBytes(logical);
      case INT32 ->
          logical == null || logical instanceof IntLogicalTypeAnnotation
              ? ofInteger((IntLogicalTypeAnnotation) logical, UNSIGNED_32)
              : null;
      case INT64 ->
          logical instanceof TimestampLogicalTypeAnnotation timestamp
              ? ofTimestamp(timestamp)
              : logical == null || logical instanceof IntLogicalTypeAnnotation
                  ? ofInteger((IntLogicalTypeAnnotation) logical, UNSIGNED_64)
                  : null;
      case INT96 -> INT96;
      case BOOLEAN -> logical == null ? BOOLEAN : null;
      case FLOAT, DOUBLE -> null;
    };
  }

  private static ParquetType ofBytes(LogicalTypeAnnotation logical) {
    if (logical instanceof UUIDLogicalTypeAnnotation) {
      return UUID;
    }
    boolean text =
        logical == null
            || logical instanceof StringLogicalTypeAnnotation
            || logical instanceof EnumLogicalTypeAnnotation
            || logical instanceof JsonLogicalTypeAnnotation;
    return text ? BYTES : null;
  }

  private static ParquetType ofInteger(IntLogicalTypeAnnotation logical, ParquetType unsigned) {
    return logical == null || logical.isSigned() ? SIGNED : unsigned;
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

  /** Gives a row a value that Parquet holds as bytes. */
  void give(RowBuilder row, int column, Binary value) {
    throw new IllegalStateException(this + " is not held as bytes");
  }

  /** Gives a row a value that Parquet holds as a number or boolean. */
  void give(RowBuilder row, int column, long value) {
    throw new IllegalStateException(this + " is not held as a number");
  }

  private static boolean isInteger(ColumnType type) {
    return type == ColumnType.TEXT
        || type == ColumnType.TIME
        || type == ColumnType.INTEGER
        || type == ColumnType.UNSIGNED;
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
