package dev.constat.rules.identity;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.JsonObject;
import java.util.Arrays;
import java.util.List;

/**
 * What makes receptions one event (spec section 3.2): source, id, the scope columns of the source's
 * contract and the revision; or, without an id, a fingerprint, which is heuristic and is key and
 * hash in one.
 *
 * @param source the source
 * @param id the source's id of the event, or null where the key is a fingerprint
 * @param scope values of the scope columns, in the contract's order; each may be null
 * @param revision the revision
 * @param fingerprintRule name of the fingerprint's rule, or null where there is an id
 * @param fingerprint the fingerprint in hex, or null where there is an id
 */
public record EventKey(
    String source,
    String id,
    List<String> scope,
    Revision revision,
    String fingerprintRule,
    String fingerprint) {

  private static final int BY_ID = 1;
  private static final int BY_FINGERPRINT = 2;

  /** The key of an event with an id. */
  public static EventKey ofId(String source, String id, List<String> scope, Revision revision) {
    return new EventKey(source, id, scope, revision, null, null);
  }

  /** The key of an event without one. */
  public static EventKey ofFingerprint(String source, String rule, String fingerprint) {
    return new EventKey(source, null, List.of(), Revision.NONE, rule, fingerprint);
  }

  /** Whether it is a fingerprint. */
  public boolean heuristic() {
    return id == null;
  }

  /**
   * What brings everything about an event together: source and id, whatever the scope; or the
   * fingerprint.
   */
  public void writeGroup(KeyWriter out) {
    if (heuristic()) {
      out.octet(BY_FINGERPRINT).text(source).text(fingerprintRule).text(fingerprint);
    } else {
      writeGroup(out, source, id);
    }
  }

  /** The group of the events that a pair of source and id names. */
  public static void writeGroup(KeyWriter out, String source, String id) {
    out.octet(BY_ID).text(source).text(id);
  }

  /** What tells the keys of one group apart, in the order of scope values, then revisions. */
  public void writeWithinGroup(KeyWriter out) {
    writeScope(out);
    revision.write(out);
  }

  /** The values of the scope columns, which {@link #writeWithinGroup} begins with. */
  public void writeScope(KeyWriter out) {
    for (String value : scope) {
      out.nullableText(value);
    }
  }

  /** Appends all of it to a record. */
  public void write(KeyWriter out) {
    KeyWriter part = new KeyWriter();
    writeGroup(part);
    out.bytes(part.toBytes());
    writeWithinGroup(part.clear());
    out.bytes(part.toBytes());
  }

  /** Reads what {@link #write} wrote. */
  public static EventKey read(KeyReader in, int scopeColumns) {
    return read(new KeyReader(in.bytes()), new KeyReader(in.bytes()), scopeColumns);
  }

  /** Reads what {@link #writeGroup} and {@link #writeWithinGroup} wrote. */
  public static EventKey read(KeyReader group, KeyReader within, int scopeColumns) {
    int tag = group.octet();
    String source = group.repeatedText();
    if (tag == BY_FINGERPRINT) {
      Revision.read(within); // a fingerprint has none, and says so
      return ofFingerprint(source, group.text(), group.text());
    }
    String id = group.text();
    String[] scope = new String[scopeColumns];
    for (int i = 0; i < scopeColumns; i++) {
      scope[i] = within.nullableRepeatedText();
    }
    return ofId(
        source,
        id,
        scopeColumns == 0 ? ImmutableList.of() : Arrays.asList(scope),
        Revision.read(within));
  }

  /** Whether source and id are all there is to it. */
  public boolean plain() {
    return !heuristic() && scope.isEmpty() && revision.text() == null;
  }

  /**
   * Its canonical text: a JSON object of what {@link #describe} adds.
   *
   * @param scopeColumns names of the scope columns, in the contract's order
   */
  public String text(List<String> scopeColumns) {
    if (!plain()) {
      return describe(new JsonObject(), scopeColumns).toString();
    }
    StringBuilder text = new StringBuilder(48 + source.length() + id.length());
    text.append("{\"source\":");
    CanonicalJson.quote(source, text);
    text.append(",\"source_event_id\":");
    CanonicalJson.quote(id, text);
    return text.append('}').toString();
  }

  /**
   * Its members in a finding's subject, by canonical column name.
   *
   * @param scopeColumns names of the scope columns, in the contract's order
   */
  public JsonObject describe(JsonObject subject, List<String> scopeColumns) {
    subject.put("source", source);
    if (heuristic()) {
      return subject.put("hash_rule", fingerprintRule).put("hash", fingerprint);
    }
    subject.put("source_event_id", id);
    for (int i = 0; i < scope.size(); i++) {
      subject.put(scopeColumns.get(i), scope.get(i));
    }
    return revision.text() == null ? subject : subject.put("revision", revision.shown());
  }
}
