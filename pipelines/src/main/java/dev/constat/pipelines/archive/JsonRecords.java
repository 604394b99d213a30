package dev.constat.pipelines.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.google.common.base.Utf8;
import dev.constat.pipelines.archive.FieldTree.Field;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.json.JsonLimits;
import dev.constat.rules.json.LimitExceededException;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.reading.UnreadableValue;
import dev.constat.rules.reading.ValueRule;
import dev.constat.rules.spec.Limits;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads records that are JSON objects (RFC 8259), each the whole of its text: no name twice in an
 * object, no NaN, nothing behind the object, well-formed UTF-8, and inside the run's limits.
 * Numbers stay literals; a payload that is an object or array stays the text it was.
 */
final class JsonRecords {

  private static final Pattern JACKSON_ADVICE =
      Pattern.compile(
          "(: enable |: maybe a | \\((start marker|for |not recognized)).*", Pattern.DOTALL);
  private static final int KNOWN_UNUSED = 1000;
  private static final int BOOTSTRAP = 4;

  private final JsonFactory factory;
  private final JsonLimits limits;
  private final int mostFields;
  private final FieldTree tree;
  private final ColumnType[] types;
  private final RowBuilder rows;
  private final RowSink sink;
  private final CloudEvent cloudEvent;
  private final UnknownColumns unknown = new UnknownColumns();
  private final Map<String, Field> unused = new HashMap<>();

  /** By {@link Field#spelling}: a name that the current record has, and whether one is used. */
  private final String[] spelled;

  private final boolean[] spelledAsUsed;

  private JsonParser parser;
  private byte[] text;
  private int from;
  private boolean mayBeIllFormed;
  private boolean mayBeTooLong;
  private boolean inPayload;
  private String illFormed;
  private String misspelled;

  JsonRecords(Layout layout, Archive archive, RowSink sink, Limits limits) {
    this.factory = factory(limits);
    this.limits = limits.json();
    this.mostFields = limits.columns();
    this.tree = new FieldTree(layout, archive);
    this.types = layout.columns().stream().map(c -> c.type()).toArray(ColumnType[]::new);
    this.rows = new RowBuilder(layout, archive, sink);
    this.sink = sink;
    this.cloudEvent = CloudEvent.of(layout, archive);
    this.spelled = new String[tree.spellings()];
    this.spelledAsUsed = new boolean[tree.spellings()];
  }

  /** Names of fields come from archives: interning them would fill the JVM's table for good. */
  private static JsonFactory factory(Limits limits) {
    return new JsonFactoryBuilder()
        .streamReadConstraints(limits.json().constraints())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
        .build();
  }

  /** Reads the record that stands in a part of an array; white space around it is in order. */
  void read(byte[] text, int from, int to, Place place) throws IOException {
    int start = from;
    while (start < to && isSpace(text[start])) {
      start++;
    }
    if (!isObject(text, start, to)) {
      boolean batch = cloudEvent != null && start < to && text[start] == '[';
      refuse(
          place,
          text,
          from,
          to,
          batch
              ? "the line is a batch of CloudEvents, or a part of one"
              : "the line is no JSON object",
          batch ? "write one event per line, as jq -c '.[]' does" : "write one object per line");
      return;
    }
    if (!ByteScan.isAscii(text, start, to) && !Utf8.isWellFormed(text, start, to - start)) {
      refuse(place, text, from, to, "the line is no UTF-8", "write it in UTF-8");
      return;
    }
    this.text = text;
    this.from = start;
    mayBeIllFormed = escapesSurrogates(text, start, to);
    mayBeTooLong = to - start > limits.stringCharacters();
    misspelled = null;
    // The record before may have broken off inside of its payload.
    inPayload = false;
    illFormed = null;
    Arrays.fill(spelled, null);
    Arrays.fill(spelledAsUsed, false);
    rows.begin();
    if (cloudEvent != null) {
      cloudEvent.begin();
    }
    try (JsonParser opened = factory.createParser(text, start, to - start)) {
      parser = opened;
      parser.nextToken();
      object(tree.root(), true);
      if (parser.nextToken() != null) {
        refuse(place, text, from, to, "more stands behind the object", "write one object per line");
        return;
      }
    } catch (LimitExceededException e) {
      refuse(place, text, from, to, "the line is " + e.getOriginalMessage(), e.remedy());
      return;
    } catch (JsonProcessingException e) {
      refuse(place, text, from, to, problem(e), "write it as RFC 8259 says");
      return;
    }
    if (misspelled != null) {
      refuse(place, text, from, to, misspelled, "give each column one name");
      return;
    }
    if (cloudEvent != null) {
      String problem = cloudEvent.problem();
      if (problem != null) {
        String remedy = "write CloudEvents 1.0, or declare format: jsonl and map the columns";
        refuse(place, text, from, to, problem, remedy);
        return;
      }
      cloudEvent.end(rows);
    }
    rows.end(place, text, from, to);
  }

  /** Tells the columns that were met and not used. */
  void tellUnknownColumns() {
    unknown.tell(sink);
  }

  private void object(Field field, boolean top) throws IOException {
    int fields = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      if (top && ++fields > mostFields) {
        throw new LimitExceededException("columns", "it has more than " + mostFields + " fields");
      }
      noteIllFormed(name);
      JsonToken token = parser.nextToken();
      Field child = field.child(name);
      if (top && cloudEvent != null) {
        describe(name, token);
        if (child == null && cloudEvent.describes(name)) {
          skip(token);
          continue;
        }
      }
      if (child == null && top) {
        child = unusedAtTop(name);
      }
      if (top) {
        noteSpelling(child, name);
      }
      if (child == null || !child.isUsed()) {
        skip(token);
      } else {
        value(child, token);
      }
    }
  }

  private void describe(String name, JsonToken token) throws IOException {
    if (cloudEvent.describes(name)) {
      cloudEvent.describe(
          name,
          token == JsonToken.VALUE_NULL ? null : parser.getText(),
          token == JsonToken.VALUE_STRING);
    } else if (cloudEvent.isData(name)) {
      cloudEvent.data(CloudEvent.dependsOnContentType(token) ? literal() : null);
    }
  }

  /** The current value, a scalar, as it stands in the record. */
  private byte[] literal() throws IOException {
    int begin = from + (int) parser.currentTokenLocation().getByteOffset();
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return Arrays.copyOfRange(text, begin, begin + "null".length());
    }
    parser.finishToken();
    int end = from + (int) parser.currentLocation().getByteOffset();
    return Arrays.copyOfRange(text, begin, end);
  }

  private void array(Field field) throws IOException {
    int index = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      Field child = field.child(Integer.toString(index++));
      if (child == null) {
        skip(token);
      } else {
        value(child, token);
      }
    }
  }

  private void value(Field field, JsonToken token) throws IOException {
    switch (token) {
      case VALUE_STRING -> {
        String value = parser.getText();
        noteIllFormed(value);
        for (int column : field.columns()) {
          rows.text(column, value);
        }
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        String literal = parser.getText();
        limits.checkNumber(literal);
        for (int column : field.columns()) {
          rows.number(column, literal);
        }
      }
      case VALUE_TRUE, VALUE_FALSE -> {
        for (int column : field.columns()) {
          rows.bool(column, token == JsonToken.VALUE_TRUE);
        }
      }
      case VALUE_NULL -> {
        for (int column : field.columns()) {
          rows.nothing(column);
        }
      }
      default -> nested(field, token);
    }
  }

  private void nested(Field field, JsonToken token) throws IOException {
    int begin = from + (int) parser.currentTokenLocation().getByteOffset();
    boolean outermostPayload = !inPayload && takesPayload(field);
    if (outermostPayload) {
      inPayload = true;
      illFormed = null;
    }
    if (!field.hasChildren()) {
      skip(token);
    } else if (token == JsonToken.START_OBJECT) {
      object(field, false);
    } else {
      array(field);
    }
    if (outermostPayload) {
      inPayload = false;
    }
    if (field.columns().length > 0) {
      int end = from + (int) parser.currentLocation().getByteOffset();
      give(field, Arrays.copyOfRange(text, begin, end));
    }
  }

  private void give(Field field, byte[] json) {
    for (int column : field.columns()) {
      if (types[column] == ColumnType.PAYLOAD && illFormed != null) {
        rows.fail(
            column,
            new UnreadableValue(
                "payload holds ill-formed Unicode (a lone surrogate)",
                "write it in well-formed Unicode",
                illFormed));
      } else {
        rows.nested(column, json);
      }
    }
  }

  private boolean takesPayload(Field field) {
    for (int column : field.columns()) {
      if (types[column] == ColumnType.PAYLOAD) {
        return true;
      }
    }
    return false;
  }

  /** Passes over a value, looking only at what a used value or a limit asks for. */
  private void skip(JsonToken first) throws IOException {
    if (!mayBeTooLong && !(inPayload && mayBeIllFormed)) {
      parser.skipChildren();
      return;
    }
    int depth = 0;
    JsonToken token = first;
    while (true) {
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) {
        // Jackson applies its limits to strings that somebody asks for.
        noteIllFormed(parser.getText());
      }
      if (depth == 0) {
        return;
      }
      token = parser.nextToken();
    }
  }

  private void noteIllFormed(String value) {
    if (inPayload && mayBeIllFormed && illFormed == null && !ValueRule.isWellFormed(value)) {
      illFormed = value;
    }
  }

  private Field unusedAtTop(String name) {
    Field known = unused.get(name);
    if (known != null) {
      return known;
    }
    Field field = tree.unused(name);
    unknown.add(name);
    if (unused.size() < KNOWN_UNUSED) {
      unused.put(name, field);
    }
    return field;
  }

  private void noteSpelling(Field field, String name) {
    int spelling = field.spelling();
    if (spelling < 0) {
      return;
    }
    spelledAsUsed[spelling] |= field.isUsed();
    if (spelled[spelling] == null) {
      spelled[spelling] = name;
    } else if (spelledAsUsed[spelling]) {
      misspelled =
          "the record has both %s and %s"
              .formatted(Excerpt.of(spelled[spelling]), Excerpt.of(name));
    }
  }

  private void refuse(Place place, byte[] text, int from, int to, String problem, String remedy) {
    byte[] head = RowBuilder.head(text, from, to);
    sink.unreadable(
        new Unreadable(place, true, null, Excerpt.of(head), problem, remedy, head, to - from));
  }

  /** What Jackson says, without its advice to be less strict. */
  private static String problem(JsonProcessingException e) {
    String said = JACKSON_ADVICE.matcher(e.getOriginalMessage()).replaceFirst("");
    return "the line is no JSON: " + Excerpt.of(said, 200);
  }

  /**
   * Whether text is an object as far as its first bytes tell. Jackson takes a byte order mark or
   * zeros there for the sign of another encoding, and there is none but UTF-8.
   */
  private static boolean isObject(byte[] text, int from, int to) {
    if (from == to || text[from] != '{') {
      return false;
    }
    for (int i = from; i < Math.min(to, from + BOOTSTRAP); i++) {
      if (text[i] == 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether text holds the escape of a surrogate: in UTF-8, nothing else can be ill-formed. */
  private static boolean escapesSurrogates(byte[] text, int from, int to) {
    int escape = ByteScan.indexOf(text, from, to, '\\');
    while (escape >= 0 && escape < to - 2) {
      if (text[escape + 1] == 'u' && (text[escape + 2] | 0x20) == 'd') {
        return true;
      }
      escape = ByteScan.indexOf(text, escape + 2, to, '\\');
    }
    return false;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }
}
