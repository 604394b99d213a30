package dev.constat.pipelines.generate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.constat.rules.synthesis.SyntheticRecord;
import dev.constat.rules.synthesis.SyntheticTable.Column;
import dev.constat.rules.synthesis.SyntheticTable.Type;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Records as JSON lines. Times are ISO 8601 in UTC with six digits of a second; JSON in a column is
 * text, as it is in Parquet, so that its bytes are those that were hashed.
 */
final class JsonRecords implements RecordFile {

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder().rootValueSeparator((SerializableString) null).build();

  private final JsonGenerator json;
  private final SerializableString[] names;
  private final Type[] types;
  private final TimeDigits time = new TimeDigits();

  /** Writes to a stream, which is closed with it. */
  JsonRecords(List<Column> columns, OutputStream out) throws IOException {
    json = FACTORY.createGenerator(out);
    names =
        columns.stream().map(c -> new SerializedString(c.name())).toArray(SerializedString[]::new);
    types = columns.stream().map(Column::type).toArray(Type[]::new);
  }

  @Override
  public void write(SyntheticRecord entry) throws IOException {
    write(entry, null, null);
  }

  /**
   * Writes a record with one more member.
   *
   * @param name of the member, or null for none
   */
  void write(SyntheticRecord entry, String name, String value) throws IOException {
    json.writeStartObject();
    for (int i = 0; i < names.length; i++) {
      if (!entry.has(i)) {
        continue;
      }
      json.writeFieldName(names[i]);
      switch (types[i]) {
        case TEXT, JSON -> json.writeUTF8String(entry.text(i), 0, entry.text(i).length);
        case TIME -> {
          time.set(entry.number(i));
          json.writeString(time.characters(), 0, TimeDigits.LENGTH);
        }
        case INTEGER -> json.writeNumber(entry.number(i));
        case BOOLEAN -> json.writeBoolean(entry.number(i) != 0);
      }
    }
    if (name != null) {
      json.writeStringField(name, value);
    }
    json.writeEndObject();
    json.writeRaw('\n');
  }

  /** Hands what was written on to the stream. */
  void flush() throws IOException {
    json.flush();
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
