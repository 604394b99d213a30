package dev.constat.pipelines.tables;

import dev.constat.pipelines.tables.TableColumn.Form;
import dev.constat.rules.json.CanonicalJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes rows as lines of JSON. A text whose bytes are no UTF-8 is written as these bytes: the
 * reader then states that the record cannot be read, instead of losing it or making another of it.
 */
final class RowText {

  private static final BigDecimal NANOS = BigDecimal.TEN.pow(9);

  private final List<TableColumn> columns;
  private final byte[][] names;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
  private final StringBuilder quoted = new StringBuilder();

  RowText(List<TableColumn> columns) {
    this.columns = columns;
    this.names = new byte[columns.size()][];
    for (int i = 0; i < names.length; i++) {
      StringBuilder name = new StringBuilder();
      CanonicalJson.quote(columns.get(i).name(), name);
      names[i] = name.append(':').toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Writes the current row; the column behind the last tells which texts are hex. */
  void write(ResultSet row, OutputStream out) throws SQLException, IOException {
    line.reset();
    line.write('{');
    String invalid = row.getString(columns.size() + 1);
    int texts = 0;
    for (int i = 0; i < names.length; i++) {
      if (i > 0) {
        line.write(',');
      }
      line.writeBytes(names[i]);
      TableColumn column = columns.get(i);
      String value = row.getString(i + 1);
      boolean hex =
          column.form() == Form.BYTES
              || column.form() == Form.TEXT_OR_HEX && invalid.charAt(texts++) == '1';
      if (value == null) {
        put("null");
      } else if (hex) {
        bytes(HexFormat.of().parseHex(value));
      } else {
        put(json(column, value));
      }
    }
    line.write('}');
    line.write('\n');
    line.writeTo(out);
  }

  private void put(String text) {
    line.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private void bytes(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') < 0) {
      put(quote(text));
      return;
    }
    // The decoder may have met bytes that are no UTF-8; what is well-formed reads back equal.
    line.write('"');
    for (byte b : bytes) {
      if (b == '"' || b == '\\' || b >= 0 && b < ' ') {
        put(
            String.valueOf(
                new char[] {
                  '\\',
                  'u',
                  '0',
                  '0',
                  Character.forDigit(b >> 4, 16),
                  Character.forDigit(b & 15, 16)
                }));
      } else {
        line.write(b);
      }
    }
    line.write('"');
  }

  private String json(TableColumn column, String value) {
    return switch (column.form()) {
      case TEXT, TEXT_OR_HEX, BYTES -> quote(value);
      case NUMBER -> CanonicalJson.isNumber(value) ? value : quote(value);
      case BOOLEAN, NESTED -> value;
      case INSTANT -> quote(time(value, column.scale(), true));
      case LOCAL -> quote(time(value, column.scale(), false));
    };
  }

  /** A time as ISO 8601 has it; what is no instant stays as it came. */
  private static String time(String value, int scale, boolean zoned) {
    if (!CanonicalJson.isNumber(value)) {
      return value;
    }
    BigDecimal seconds = new BigDecimal(value).movePointLeft(scale);
    BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
    try {
      Instant instant =
          Instant.ofEpochSecond(
              whole.longValueExact(), seconds.subtract(whole).multiply(NANOS).longValueExact());
      return zoned
          ? instant.toString()
          : LocalDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
    } catch (ArithmeticException | DateTimeException e) {
      return value; // the reader says that it is no time
    }
  }

  private String quote(String text) {
    quoted.setLength(0);
    CanonicalJson.quote(text, quoted);
    return quoted.toString();
  }
}
