package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.table.TableSchema;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tables as JSON lines below a staging folder that client and workers see under the same path: one
 * file per table, {@code replay-plan.jsonl}, so every row of one must stand in the same bucket.
 *
 * <p>Members stand in the order of the schema. A name with a dot is that of a member of an object,
 * which begins with its first and has only those that have a value; every other column stands on
 * every line. Instants are text in ISO 8601 with Z. The same rows give the same bytes.
 */
public final class LineTables implements TableSink {

  private static final long serialVersionUID = 1;

  private final String staging;

  /** Tables below {@link Staging#folder}. */
  public LineTables(String staging) {
    this.staging = staging;
  }

  /** Path below the run's folder of the file that holds a table. */
  public static String nameOf(TableSchema table) {
    return table.name() + ".jsonl";
  }

  @Override
  public Part open(TableSchema table, int bucket, int buckets) {
    return new LinesPart(table);
  }

  /** Writes, for each of {@code tables} of which no receipt is at hand, a file without a line. */
  public ImmutableList<Receipt> completing(
      Collection<TableSchema> tables, Collection<Receipt> receipts) throws IOException {
    Set<String> written = receipts.stream().map(Receipt::table).collect(Collectors.toSet());
    ImmutableList.Builder<Receipt> empty = ImmutableList.builder();
    for (TableSchema table : tables) {
      if (!written.contains(table.name())) {
        try (LinesPart part = new LinesPart(table)) {
          part.start();
          empty.add(part.complete());
        }
      }
    }
    return empty.build();
  }

  /** One file; created by the first row. */
  private final class LinesPart implements Part {

    private final TableSchema table;
    private final ImmutableList<List<String>> names;
    private StagedFile file;
    private JsonGenerator json;
    private long count;

    LinesPart(TableSchema table) {
      this.table = table;
      this.names =
          table.columns().stream()
              .map(column -> Splitter.on('.').limit(2).splitToList(column.name()))
              .collect(ImmutableList.toImmutableList());
    }

    void start() throws IOException {
      file = StagedFile.create(Path.of(staging), nameOf(table), LocalFiles.INSTANCE);
      json = JsonText.lines(file);
    }

    @Override
    public void add(Object[] row) throws IOException {
      if (json == null) {
        start();
      }
      String open = null;
      json.writeStartObject();
      for (int i = 0; i < row.length; i++) {
        List<String> name = names.get(i);
        String object = name.size() > 1 ? name.get(0) : null;
        if (object != null && row[i] == null) {
          continue;
        }
        if (open != null && !open.equals(object)) {
          json.writeEndObject();
          open = null;
        }
        if (object != null && open == null) {
          json.writeObjectFieldStart(object);
          open = object;
        }
        json.writeFieldName(name.get(name.size() - 1));
        writeValue(table.columns().get(i), row[i]);
      }
      if (open != null) {
        json.writeEndObject();
      }
      json.writeEndObject();
      JsonText.newLine(json);
      count++;
    }

    private void writeValue(TableSchema.Column column, Object value) throws IOException {
      if (value == null) {
        json.writeNull();
        return;
      }
      switch (column.type()) {
        case TEXT -> json.writeString(text(value));
        case JSON -> JsonText.embed(json, text(value));
        case FINDINGS -> writeFingerprints(text(value));
        case SENTENCE ->
            json.writeString(
                value instanceof byte[] bytes ? text(Sentence.words(bytes)) : value.toString());
        case TIME -> json.writeString(((Instant) value).toString());
        case LONG -> json.writeNumber((Long) value);
        case BOOLEAN -> json.writeBoolean((Boolean) value);
        case FILE, BYTES, TEXTS, WINDOWS ->
            throw new IllegalArgumentException(
                "Column " + column.name() + " of " + table.name() + " has no form in JSON lines");
      }
    }

    private void writeFingerprints(String references) throws IOException {
      json.writeStartArray();
      JsonValue all = StrictJson.parseOwn(references);
      for (JsonValue reference : ((JsonValue.Elements) all).inOrder()) {
        Kind kind = Kind.valueOf(reference.at("/kind").asText());
        String subject = reference.at("/subject").asText();
        json.writeString(Finding.fingerprint(kind, subject));
      }
      json.writeEndArray();
    }

    @Override
    public Optional<Receipt> finish() throws IOException {
      return json == null ? Optional.empty() : Optional.of(complete());
    }

    Receipt complete() throws IOException {
      json.close();
      RunFile written = file.publish(OptionalLong.of(count));
      return new Receipt(table.name(), nameOf(table), count, written.bytes(), written.sha256());
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }

  private static String text(Object value) {
    return value instanceof byte[] utf8 ? new String(utf8, StandardCharsets.UTF_8) : (String) value;
  }
}
