package dev.constat.rules.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Ascii;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JcsJson;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.json.JsonValue;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import dev.constat.rules.spec.FieldRef;
import dev.constat.rules.spec.HashRule;
import dev.constat.rules.spec.ProjectedFields;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.SourceContract;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Makes receptions of the rows of {@code events}: takes fields from where the source's contract
 * says they are, hashes the content under its rule, checks a declared hash under its own, and finds
 * the key (spec sections 3.2 and 3.5).
 *
 * <p>Serves one thread; its answers depend on the row and the run spec alone.
 */
public final class ReceptionReader {

  private static final Pattern RULE = Pattern.compile("[A-Za-z0-9._-]+(?:/[0-9]+)?");

  private static final int SHA_256_DIGITS = 64;

  /** The rule of a fingerprint whose fields no contract declares. */
  static final String EVERY_COLUMN = "fp/1";

  private static final List<String> OUTSIDE_FINGERPRINT =
      List.of("ingestion_id", "received_at", "payload_hash", "replay_id", "original_event_id");
  private static final List<String> OUTSIDE_FIELDS_HASH =
      List.of("ingestion_id", "received_at", "replay_id", "original_event_id");

  private final Sha256 sha256 = new Sha256();
  private final RunSpec spec;
  private final StrictJson json;
  private final Layout layout;
  private final ProjectedFields projected;
  private final Map<String, SourceContract> contracts = new HashMap<>();
  private final int ingestionId;
  private final int source;
  private final int sourceEventId;
  private final int sourceSequence;
  private final int partition;
  private final int occurredAt;
  private final int receivedAt;
  private final int schemaVersion;
  private final int payload;
  private final int payloadHash;
  private final int businessKey;
  private final int topic;
  private final int aggregateType;
  private final int aggregateId;
  private final int supersedes;
  private final int supersedeReason;
  private final int supersedesOccurredAt;
  private final int replayId;
  private final int originalEventId;
  private final int firstNamed;

  /** A reader for the events of a run. */
  public ReceptionReader(RunSpec spec) {
    this.spec = spec;
    this.json = StrictJson.within(spec.limits().json());
    this.layout = spec.layout(Input.EVENTS);
    this.projected = spec.projectedFields();
    this.ingestionId = layout.indexOf("ingestion_id");
    this.source = layout.indexOf("source");
    this.sourceEventId = layout.indexOf("source_event_id");
    this.sourceSequence = layout.indexOf("source_sequence");
    this.partition = layout.indexOf("partition");
    this.occurredAt = layout.indexOf("occurred_at");
    this.receivedAt = layout.indexOf("received_at");
    this.schemaVersion = layout.indexOf("schema_version");
    this.payload = layout.indexOf("payload");
    this.payloadHash = layout.indexOf("payload_hash");
    this.businessKey = layout.indexOf("business_key");
    this.topic = layout.indexOf("topic");
    this.aggregateType = layout.indexOf("aggregate_type");
    this.aggregateId = layout.indexOf("aggregate_id");
    this.supersedes = layout.indexOf("supersedes");
    this.supersedeReason = layout.indexOf("supersede_reason");
    this.supersedesOccurredAt = layout.indexOf("supersedes_occurred_at");
    this.replayId = layout.indexOf("replay_id");
    this.originalEventId = layout.indexOf("original_event_id");
    this.firstNamed = Input.EVENTS.columns().size();
  }

  /**
   * Reads one row.
   *
   * @throws MalformedJsonException if the content is not JSON and the contract needs it to be
   */
  public Reception read(Row row) throws MalformedJsonException {
    SourceContract contract = contracts.computeIfAbsent(row.text(source), spec::contract);
    Parsed parsed = new Parsed(row.payload(payload), contract.hash());
    for (Map.Entry<String, FieldRef> field : contract.fields().entrySet()) {
      row.values()[layout.indexOf(field.getKey())] = text(field.getValue(), row, parsed);
    }
    ContentHash content = content(row, contract, parsed);
    return new Reception(
        key(row, contract, parsed),
        row.text(ingestionId),
        row.text(sourceEventId),
        row.integer(sourceSequence),
        row.text(partition),
        row.instant(occurredAt),
        row.occurredAsReceived(),
        row.instant(receivedAt),
        row.text(schemaVersion),
        content.declares(row.text(payloadHash)) ? null : row.text(payloadHash),
        row.text(businessKey),
        row.text(topic),
        row.text(aggregateType),
        row.text(aggregateId),
        row.text(supersedes),
        row.text(supersedeReason),
        OptionalTime.of(row, supersedesOccurredAt),
        row.text(replayId),
        row.text(originalEventId),
        named(row),
        projected(row, parsed),
        withdrawn(row, contract, parsed),
        content,
        row.place());
  }

  private List<String> named(Row row) {
    String[] named = new String[layout.columns().size() - firstNamed];
    for (int i = 0; i < named.length; i++) {
      named[i] = row.text(firstNamed + i);
    }
    return Arrays.asList(named);
  }

  private List<String> projected(Row row, Parsed parsed) throws MalformedJsonException {
    if (projected.size() == 0) {
      return List.of();
    }
    String[] values = new String[projected.size()];
    int next = 0;
    for (String pointer : projected.pointers()) {
      JsonValue value = parsed.at(pointer);
      values[next++] = value == null ? null : CanonicalJson.text(value);
    }
    for (FieldRef key : projected.keys()) {
      values[next++] = text(key, row, parsed);
    }
    return Arrays.asList(values);
  }

  private EventKey key(Row row, SourceContract contract, Parsed parsed)
      throws MalformedJsonException {
    String id = row.text(originalEventId);
    if (id == null) {
      id = row.text(sourceEventId);
    }
    if (id == null) {
      return fingerprint(row, contract, parsed);
    }
    String[] scope = new String[contract.scope().size()];
    for (int i = 0; i < scope.length; i++) {
      scope[i] = text(FieldRef.parse(contract.scope().get(i)), row, parsed);
    }
    Revision revision =
        contract.revision() == null
            ? Revision.NONE
            : Revision.of(text(contract.revision(), row, parsed));
    return EventKey.ofId(
        row.text(source), id, scope.length == 0 ? List.of() : Arrays.asList(scope), revision);
  }

  private EventKey fingerprint(Row row, SourceContract contract, Parsed parsed)
      throws MalformedJsonException {
    SourceContract.Fingerprint declared = contract.fingerprint();
    if (declared == null) {
      return everyColumnAsFingerprint(row, parsed);
    }
    boolean anything = false;
    StringBuilder fields = new StringBuilder("{");
    for (FieldRef field : declared.fields()) {
      fields.append(fields.length() > 1 ? "," : "");
      CanonicalJson.quote(field.text(), fields);
      String value = canonical(field, row, parsed);
      anything |= !value.equals("null");
      fields.append(':').append(value);
    }
    if (!anything) {
      // Events that have none of the fields have nothing in common but that.
      return everyColumnAsFingerprint(row, parsed);
    }
    String hash = sha256.hex(fields.append('}').toString().getBytes(UTF_8));
    return EventKey.ofFingerprint(row.text(source), declared.rule(), hash);
  }

  private EventKey everyColumnAsFingerprint(Row row, Parsed parsed) {
    String hash = sha256.hex(everyColumn(row, OUTSIDE_FINGERPRINT, parsed).getBytes(UTF_8));
    return EventKey.ofFingerprint(row.text(source), EVERY_COLUMN, hash);
  }

  private ContentHash content(Row row, SourceContract contract, Parsed parsed)
      throws MalformedJsonException {
    String declaredText = row.text(payloadHash);
    ContentHash asDeclared =
        asDeclared(declaredText, contract.hash(), row.payload(payload), parsed);
    return asDeclared == null ? content(declaredText, row, contract, parsed) : asDeclared;
  }

  /** The content of nearly all receptions, whose hash is declared under its rule; else null. */
  private ContentHash asDeclared(
      String declaredText, HashRule rule, Payload received, Parsed parsed)
      throws MalformedJsonException {
    if (declaredText == null
        || received == null
        || declaredText.length() != rule.id().length() + 1 + SHA_256_DIGITS
        || !declaredText.startsWith(rule.id())) {
      return null;
    }
    String computed = parsed.hash(rule);
    if (computed == null) {
      return null;
    }
    ContentHash content =
        new ContentHash(rule.id(), computed, true, rule.id(), computed, null, false);
    return content.declares(declaredText) ? content : null;
  }

  private ContentHash content(String declaredText, Row row, SourceContract contract, Parsed parsed)
      throws MalformedJsonException {
    String declaredRule = null;
    String declared = null;
    if (declaredText != null) {
      int colon = declaredText.indexOf(':');
      boolean hex = isHex(declaredText, colon + 1);
      boolean claims = colon > 0 && hex && RULE.matcher(declaredText.substring(0, colon)).matches();
      declaredRule = claims ? declaredText.substring(0, colon) : contract.hash().id();
      declared = claims ? declaredText.substring(colon + 1) : declaredText;
      boolean digest = hex && colon < 0 && declaredText.length() == SHA_256_DIGITS;
      if ((claims || digest) && HashRule.of(declaredRule).isPresent()) {
        declared = Ascii.toLowerCase(declared);
      }
    }
    Payload received = row.payload(payload);
    if (received == null) {
      return declared == null
          ? new ContentHash(
              HashRule.FIELDS_1.id(),
              sha256.hex(everyColumn(row, OUTSIDE_FIELDS_HASH, parsed).getBytes(UTF_8)),
              true,
              null,
              null,
              null,
              false)
          : new ContentHash(declaredRule, declared, false, declaredRule, declared, null, true);
    }
    HashRule rule = contract.hash();
    String computed = parsed.hash(rule);
    if (computed == null && rule == HashRule.JCS_1) {
      rule = HashRule.JCS_EXACT_1;
      computed = parsed.hash(rule);
    }
    String checked = null;
    if (declared != null) {
      checked =
          declaredRule.equals(rule.id())
              ? computed
              : HashRule.of(declaredRule).isPresent()
                  ? parsed.hash(HashRule.of(declaredRule).get())
                  : null;
    }
    String mismatch = checked != null && !checked.equals(declared) ? checked : null;
    boolean unverifiable = declared != null && checked == null;
    if (computed != null) {
      return new ContentHash(
          rule.id(),
          computed,
          true,
          declaredRule,
          declared,
          mismatch,
          unverifiable,
          parsed.unsafeNumber);
    }
    return declared == null
        ? new ContentHash(ContentHash.NO_RULE, parsed.identity(), false, null, null, null, false)
        : new ContentHash(
            declaredRule,
            declared,
            false,
            declaredRule,
            declared,
            mismatch,
            unverifiable,
            parsed.unsafeNumber);
  }

  /** Whether there is something from {@code from} on and all of it is hexadecimal. */
  private static boolean isHex(String text, int from) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')) {
        return false;
      }
      at++;
    }
    return at > from;
  }

  private boolean withdrawn(Row row, SourceContract contract, Parsed parsed)
      throws MalformedJsonException {
    return contract.withdrawn() != null
        && canonical(contract.withdrawn().field(), row, parsed)
            .equals(contract.withdrawn().equals());
  }

  /** Every column that has a value, and the content, as canonical JSON. */
  private String everyColumn(Row row, List<String> except, Parsed parsed) {
    JsonObject columns = new JsonObject();
    for (int i = 0; i < firstNamed; i++) {
      String name = layout.columns().get(i).name();
      Object value = row.values()[i];
      if (value == null || except.contains(name)) {
        continue;
      }
      if (value instanceof Payload) {
        columns.put(name, parsed.identity());
      } else if (i == sourceSequence) {
        columns.put(name, Long.toUnsignedString((Long) value));
      } else {
        columns.put(name, value.toString());
      }
    }
    return columns.toString();
  }

  private String text(FieldRef field, Row row, Parsed parsed) throws MalformedJsonException {
    if (field.inPayload()) {
      JsonValue value = parsed.at(field.pointer());
      return value == null ? null : value.asText();
    }
    Object value = row.values()[layout.indexOf(field.column())];
    return value == null ? null : plain(field.column(), value);
  }

  /** The value of a field as canonical JSON; JSON's null where there is none. */
  private String canonical(FieldRef field, Row row, Parsed parsed) throws MalformedJsonException {
    if (field.inPayload()) {
      JsonValue value = parsed.at(field.pointer());
      return value == null ? "null" : CanonicalJson.text(value);
    }
    Object value = row.values()[layout.indexOf(field.column())];
    if (value == null) {
      return "null";
    }
    StringBuilder quoted = new StringBuilder();
    CanonicalJson.quote(plain(field.column(), value), quoted);
    return quoted.toString();
  }

  private static String plain(String column, Object value) {
    if (value instanceof Long number) {
      return column.equals("source_sequence")
          ? Long.toUnsignedString(number)
          : Long.toString(number);
    }
    return value.toString();
  }

  /** A payload that is parsed at most once, and only if something needs it parsed. */
  private final class Parsed {

    private final Payload payload;
    private final HashRule rule;
    private JsonValue value;
    private String canonicalHash;
    private String rawHash;
    private String jcsHash;

    /** Whether {@code jcs/1} was tried and a number is unsafe under it. */
    private boolean unsafeNumber;

    Parsed(Payload payload, HashRule rule) {
      this.payload = payload;
      this.rule = rule;
    }

    JsonValue at(String pointer) throws MalformedJsonException {
      return payload == null ? null : value().at(pointer);
    }

    /** The hash under a rule, or null where the rule cannot be applied to what was received. */
    String hash(HashRule by) throws MalformedJsonException {
      return switch (by) {
        case RAW_BYTES_1 -> payload.nested() ? null : rawHash();
        case JCS_EXACT_1 -> by == rule ? canonicalHash() : canonicalHashOrNull();
        case JCS_1 -> by == rule ? jcsHash() : jcsHashOrNull();
        case FIELDS_1 -> null;
      };
    }

    private String rawHash() {
      if (rawHash == null) {
        rawHash = sha256.hex(payload.bytes());
      }
      return rawHash;
    }

    /** Something that equal contents share: the canonical hash, else that of the bytes. */
    String identity() {
      String canonical = canonicalHashOrNull();
      return canonical == null ? sha256.hex(payload.bytes()) : canonical;
    }

    private String canonicalHashOrNull() {
      try {
        return canonicalHash();
      } catch (MalformedJsonException e) {
        return null; // a declared hash claims a rule that the content does not fit
      }
    }

    private String canonicalHash() throws MalformedJsonException {
      if (canonicalHash == null) {
        canonicalHash = sha256.hex(CanonicalJson.bytes(value()));
      }
      return canonicalHash;
    }

    private String jcsHashOrNull() {
      try {
        return jcsHash();
      } catch (MalformedJsonException e) {
        return null; // a declared hash claims a rule that the content does not fit
      }
    }

    /** The hash under RFC 8785, or null where a number is unsafe under it. */
    private String jcsHash() throws MalformedJsonException {
      if (jcsHash == null && !unsafeNumber) {
        String text = JcsJson.textOrNull(value());
        unsafeNumber = text == null;
        jcsHash = unsafeNumber ? null : sha256.hex(text.getBytes(UTF_8));
      }
      return jcsHash;
    }

    private JsonValue value() throws MalformedJsonException {
      if (value == null) {
        value = json.read(payload.bytes());
      }
      return value;
    }
  }
}
