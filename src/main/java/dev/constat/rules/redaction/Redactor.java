package dev.constat.rules.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.disclosure.Disclosure;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Makes of what a run would write what it may write. Only values change: neither which rows and
 * findings there are nor what they say of each other.
 *
 * <p>Serves one thread.
 */
public final class Redactor {

  private static final String KEY_RULE = "key/1[";
  private static final String KEY_RULE_END = "] ";

  private final DisclosedNames names;
  private final Tokens tokens;

  Redactor(Redaction redaction) {
    this.names = redaction.names();
    this.tokens = new Tokens(redaction.key());
  }

  /** A name of a column that is configuration where the run spec names it; null stays null. */
  public String name(String column, String value) {
    return value(Disclosure.NAMED, column, value);
  }

  /** An id or another value; null stays null. */
  public String id(String value) {
    return value == null ? null : tokens.of(value);
  }

  private String value(Disclosure disclosure, String column, String value) {
    if (value == null) {
      return null;
    }
    return switch (disclosure == null ? Disclosure.HASHED : disclosure) {
      case KEPT -> value;
      case NAMED -> names.hold(column, value) ? value : tokens.of(value);
      case RULE -> names.hold("hash_rule", value) ? value : tokens.of(value);
      case HASHED -> tokens.of(value);
      case WITHHELD -> null;
    };
  }

  /** A sentence as it may be read. */
  public String sentence(Sentence sentence) {
    return sentence.with(
        (column, value) ->
            value(FindingFields.ofWord(column), FindingFields.column(column), value));
  }

  /** A row as it may be written; the one given stays as it is. */
  public Object[] row(TableSchema table, Object[] row) {
    Object[] redacted = new Object[row.length];
    for (int i = 0; i < row.length; i++) {
      redacted[i] = row[i] == null ? null : cell(table.columns().get(i), row[i]);
    }
    return redacted;
  }

  private Object cell(Column column, Object value) {
    return switch (column.type()) {
      case TIME, LONG, BOOLEAN, FILE, WINDOWS ->
          column.disclosure() == Disclosure.KEPT
              ? value
              : column.type() == TableSchema.Type.WINDOWS ? ImmutableList.of() : null;
      case TEXT, BYTES -> text(column, value);
      case JSON -> json(column, value);
      case FINDINGS -> findings(text(value));
      case SENTENCE ->
          sentence(value instanceof Sentence said ? said : Sentence.read((byte[]) value));
      case TEXTS -> texts(column, (List<?>) value);
    };
  }

  private Object text(Column column, Object value) {
    Disclosure disclosure = column.disclosure();
    if (disclosure == Disclosure.KEPT) {
      return value;
    }
    if (value instanceof byte[] utf8 && (disclosure == null || disclosure == Disclosure.HASHED)) {
      return tokens.ofUtf8(utf8);
    }
    return disclosure == Disclosure.WITHHELD ? null : value(disclosure, column.name(), text(value));
  }

  private ImmutableList<String> texts(Column column, List<?> values) {
    ImmutableList.Builder<String> redacted = ImmutableList.builder();
    for (Object value : values) {
      String text = value(column.disclosure(), column.name(), (String) value);
      if (text != null) {
        redacted.add(text);
      }
    }
    return redacted.build();
  }

  private Object json(Column column, Object value) {
    if (column.disclosure() == Disclosure.KEPT) {
      return value;
    }
    if (column.disclosure() == Disclosure.WITHHELD) {
      return null;
    }
    // Plans hold effect types and consumers, alone or in objects.
    String name = column.name().equals("withheld") ? "effect_type" : column.name();
    return canonical(
        redacted(
            StrictJson.parseOwn(text(value)),
            column.disclosure(),
            FindingFields.column(name),
            (member, above) -> FindingFields.ofPlan(member)));
  }

  /** References to findings, by what their subject is in the redacted run. */
  private String findings(String references) {
    List<JsonValue> redacted = new ArrayList<>();
    for (JsonValue reference : ((JsonValue.Elements) StrictJson.parseOwn(references)).inOrder()) {
      TreeMap<String, JsonValue> members = new TreeMap<>(((JsonValue.Members) reference).byName());
      Kind kind = Kind.valueOf(members.get("kind").asText());
      members.put("subject", StrictJson.parseOwn(subject(kind, canonical(members.get("subject")))));
      redacted.add(members(members));
    }
    return canonical(new JsonValue.Elements(ImmutableList.copyOf(redacted)));
  }

  /** A finding as it may be written. */
  public Finding finding(Finding finding) {
    Kind kind = finding.kind();
    return new Finding(
        kind,
        finding.level(),
        subject(kind, finding.subject()),
        Sentence.ofConfigured(sentence(finding.sentence())),
        side(kind, finding.expected()),
        side(kind, finding.actual()),
        rule(kind, finding.rule()),
        finding.evidence(),
        finding.firstAt(),
        finding.lastAt(),
        finding.hints(),
        finding.occurrences());
  }

  private String subject(Kind kind, String subject) {
    return object(
        subject, UnaryOperator.identity(), member -> FindingFields.ofSubject(kind, member));
  }

  private String side(Kind kind, String side) {
    UnaryOperator<String> naming =
        FindingFields.namesOwnMembers(kind)
            ? member ->
                FindingFields.isOfCells(member) || names.hold("column", member)
                    ? member
                    : tokens.of(member)
            : UnaryOperator.identity();
    return object(side, naming, member -> FindingFields.ofSide(kind, member));
  }

  /** The rule of a finding; two kinds name a hash rule in it that may come from a record. */
  private String rule(Kind kind, String rule) {
    if (rule == null) {
      return null;
    }
    if (kind == Kind.PAYLOAD_HASH_MISMATCH) {
      return value(Disclosure.RULE, "hash_rule", rule);
    }
    if (kind != Kind.CONFLICTING_DUPLICATE) {
      return rule;
    }
    int end = rule.startsWith(KEY_RULE) ? rule.indexOf(KEY_RULE_END) : -1;
    int hashRule = end < 0 ? 0 : end + KEY_RULE_END.length();
    return rule.substring(0, hashRule)
        + value(Disclosure.RULE, "hash_rule", rule.substring(hashRule));
  }

  private String object(
      String json, UnaryOperator<String> naming, Function<String, Disclosure> shown) {
    TreeMap<String, JsonValue> redacted = new TreeMap<>();
    ((JsonValue.Members) StrictJson.parseOwn(json))
        .byName()
        .forEach(
            (member, value) ->
                redacted.put(
                    naming.apply(member),
                    redacted(
                        value,
                        shown.apply(member),
                        FindingFields.column(member),
                        (below, above) -> above)));
    return canonical(members(redacted));
  }

  /**
   * A value and all below it.
   *
   * @param below what is shown of a member, by its name and what is shown of the whole
   */
  private JsonValue redacted(
      JsonValue value,
      Disclosure disclosure,
      String column,
      BiFunction<String, Disclosure, Disclosure> below) {
    if (disclosure == Disclosure.KEPT || value instanceof JsonValue.Null) {
      return value;
    }
    if (disclosure == Disclosure.WITHHELD) {
      return new JsonValue.Null();
    }
    if (value instanceof JsonValue.Elements elements) {
      return new JsonValue.Elements(
          elements.inOrder().stream()
              .map(element -> redacted(element, disclosure, column, below))
              .collect(ImmutableList.toImmutableList()));
    }
    if (value instanceof JsonValue.Members members) {
      TreeMap<String, JsonValue> redacted = new TreeMap<>();
      members
          .byName()
          .forEach(
              (name, member) ->
                  redacted.put(
                      disclosure == Disclosure.HASHED ? tokens.of(name) : name,
                      redacted(
                          member,
                          below.apply(name, disclosure),
                          FindingFields.column(name),
                          below)));
      return members(redacted);
    }
    return new JsonValue.Text(value(disclosure, column, value.asText()));
  }

  private static String text(Object value) {
    return value instanceof byte[] utf8 ? new String(utf8, UTF_8) : (String) value;
  }

  private static JsonValue members(TreeMap<String, JsonValue> byName) {
    return new JsonValue.Members(ImmutableSortedMap.copyOf(byName));
  }

  /** Members sorted and strings escaped as in canonical JSON; numbers as they are. */
  private static String canonical(JsonValue value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(JsonValue value, StringBuilder out) {
    String separator = "";
    if (value instanceof JsonValue.Members members) {
      out.append('{');
      for (Map.Entry<String, JsonValue> member : members.byName().entrySet()) {
        out.append(separator);
        CanonicalJson.quote(member.getKey(), out);
        out.append(':');
        write(member.getValue(), out);
        separator = ",";
      }
      out.append('}');
    } else if (value instanceof JsonValue.Elements elements) {
      out.append('[');
      for (JsonValue element : elements.inOrder()) {
        out.append(separator);
        write(element, out);
        separator = ",";
      }
      out.append(']');
    } else if (value instanceof JsonValue.Number number) {
      out.append(number.literal());
    } else {
      out.append(CanonicalJson.text(value));
    }
  }
}
