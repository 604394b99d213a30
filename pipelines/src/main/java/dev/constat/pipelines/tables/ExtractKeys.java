package dev.constat.pipelines.tables;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Finds the keys of rows in the extract of a table, where evidence needs them. */
public final class ExtractKeys implements AutoCloseable {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int BUFFER = 4 << 10;

  private final String column;
  private final FileChannel extract;

  /**
   * Keys of an extract.
   *
   * @param column the column that holds them
   */
  public ExtractKeys(Path extract, String column) throws IOException {
    this.column = column;
    this.extract = FileChannel.open(extract);
  }

  /** The key in the line that begins at a byte; null where it holds none that can be read. */
  public String at(long offset) throws IOException {
    extract.position(offset);
    InputStream line = new BufferedInputStream(Channels.newInputStream(extract), BUFFER);
    try (JsonParser parser = JSON.createParser(line)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals(column)) {
          return value.isScalarValue() && value != JsonToken.VALUE_NULL ? parser.getText() : null;
        }
        parser.skipChildren();
      }
      return null;
    } catch (JsonProcessingException e) {
      return null; // the record is one that could not be read
    }
  }

  @Override
  public void close() throws IOException {
    extract.close();
  }
}
