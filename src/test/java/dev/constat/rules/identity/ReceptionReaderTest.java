package dev.constat.rules.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.identity.ContentHash.Comparison;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceptionReaderTest {

  private static final Instant RECEIVED = Instant.parse("2026-01-05T10:00:01Z");

  /** A reader under a contract, and rows for it. */
  private static final class Reader {

    private final RunSpec spec;
    private final Map<String, Object> values = new LinkedHashMap<>();

    Reader(String contract) {
      this(contract, "");
    }

    Reader(String contract, String projections) {
      String sources = contract.isEmpty() ? "" : "sources: [{source: '*', " + contract + "}]\n";
      spec =
          RunSpecParser.parse(
              "constat: 1\narchives: {events: {files: e}}\n" + sources + projections,
              "constat.yaml",
              "x");
      with("ingestion_id", "i1");
      with("source", "S").with("source_event_id", "e1");
      with("occurred_at", Instant.parse("2026-01-05T10:00:00Z")).with("received_at", RECEIVED);
    }

    Reader with(String column, Object value) {
      values.put(column, value);
      return this;
    }

    Reader payload(String json) {
      return with("payload", json == null ? null : new Payload(json.getBytes(UTF_8), false));
    }

    Reader nested(String json) {
      return with("payload", new Payload(json.getBytes(UTF_8), true));
    }

    Reception read() throws MalformedJsonException {
      Layout layout = spec.layout(Input.EVENTS);
      Object[] row = new Object[layout.columns().size()];
      values.forEach((column, value) -> row[layout.indexOf(column)] = value);
      return new ReceptionReader(spec).read(new Row(row, new Place(0, 0, 0, 7, 0), null));
    }
  }

  private static Reader reader(String contract) {
    return new Reader(contract);
  }

  private static String sha256(String text) {
    return Hashing.sha256().hashString(text, UTF_8).toString();
  }

  private static ContentHash hash(String contract, String payload) throws MalformedJsonException {
    return reader(contract).payload(payload).read().content();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // C53: integers above 2^53
        "{\"id\":9007199254740992} | {\"id\":9007199254740993} | DIFFERENT | DIFFERENT",
        "{\"id\":1e400} | {\"id\":1e401} | DIFFERENT | DIFFERENT",
        // C54: the same number in another spelling
        "{\"w\":136.0,\"z\":-0,\"d\":\"1.10\"} | {\"w\":1.36E2,\"z\":0,\"d\":\"1.10\"}"
            + " | SAME | DIFFERENT",
        "{\"d\":\"1.10\"} | {\"d\":\"1.1\"} | DIFFERENT | DIFFERENT",
        // C55: storage reorders the payload
        "{\"bb\":1,\"a\":{\"y\":1,\"x\":2}} | { \"a\" : {\"x\":2,\"y\":1}, \"bb\":1 }"
            + " | SAME | DIFFERENT",
        "{\"a\":[1,2]} | {\"a\":[2,1]} | DIFFERENT | DIFFERENT",
        // C56: escapes of one character
        "{\"n\":\"\\uD83D\\uDE00\"} | {\"n\":\"\uD83D\uDE00\"} | SAME | DIFFERENT",
        // C66: null, empty and absent
        "{\"tags\":[]} | {\"tags\":null} | DIFFERENT | DIFFERENT",
        "{\"tags\":null} | {} | DIFFERENT | DIFFERENT",
        "{\"tags\":[]} | {\"tags\":[null]} | DIFFERENT | DIFFERENT",
        "{} | {} | SAME | SAME",
      })
  void contentsCompareUnderTheContractsRule(
      String first, String second, Comparison exact, Comparison raw) throws MalformedJsonException {
    assertThat(hash("", first).compare(hash("", second))).isEqualTo(exact);
    assertThat(hash("hash: raw-bytes/1", first).compare(hash("hash: raw-bytes/1", second)))
        .isEqualTo(raw);
  }

  @Test
  void hashesAreThoseThatAnybodyCanRecompute() throws MalformedJsonException {
    ContentHash exact = hash("", "{\"b\":1.0,\"a\":\"x\"}");
    assertThat(exact.rule()).isEqualTo("jcs-exact/1");
    assertThat(exact.value()).isEqualTo(sha256("{\"a\":\"x\",\"b\":1}"));
    assertThat(exact.recomputed()).isTrue();
    ContentHash raw = hash("hash: raw-bytes/1", "not json");
    assertThat(raw.rule()).isEqualTo("raw-bytes/1");
    assertThat(raw.value()).isEqualTo(sha256("not json"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"n\":\"\\uD800X\"} | ill-formed Unicode",
        "{\"px\":NaN} | not JSON",
        "{\"a\":1,\"a\":1} | Duplicate field",
      })
  void whatIsNotStrictJsonIsRefused(String payload, String message) throws Exception {
    assertThatThrownBy(() -> hash("", payload))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessageContaining(message);
    assertThat(hash("hash: raw-bytes/1", payload).recomputed()).isTrue();
    assertThatThrownBy(() -> hash("hash: raw-bytes/1, fields: {business_key: /payload/n}", payload))
        .isInstanceOf(MalformedJsonException.class);
  }

  private static final String PAYLOAD = "{\"b\":1.0}";
  private static final String EXACT = sha256("{\"b\":1}");
  private static final String RAW = sha256(PAYLOAD);

  /** What is declared; "EXACT" and "RAW" stand for the right hashes, in capitals after "^". */
  private static String declaration(String text) {
    String filled = text.replace("EXACT", EXACT).replace("RAW", RAW);
    int capitals = filled.indexOf('^');
    return capitals < 0
        ? filled
        : filled.substring(0, capitals)
            + filled.substring(capitals + 1).toUpperCase(java.util.Locale.ROOT);
  }

  @ParameterizedTest
  @CsvSource({
    // declared, rule read, mismatch, unverifiable
    "jcs-exact/1:EXACT, jcs-exact/1, false, false",
    "jcs-exact/1:^EXACT, jcs-exact/1, false, false",
    "EXACT, jcs-exact/1, false, false",
    "^EXACT, jcs-exact/1, false, false",
    "raw-bytes/1:RAW, raw-bytes/1, false, false",
    "jcs-exact/1:RAW, jcs-exact/1, true, false",
    "raw-bytes/1:EXACT, raw-bytes/1, true, false",
    "RAW, jcs-exact/1, true, false",
    "h7, jcs-exact/1, true, false",
    "'', jcs-exact/1, true, false",
    "md5:00ff, md5, false, true",
    "sha256:RAW, sha256, false, true",
    "fields/1:EXACT, fields/1, false, true",
    "jcs-exact/2:EXACT, jcs-exact/2, false, true",
    "jcs-exact/1:xyz, jcs-exact/1, true, false",
  })
  void declaredHashesAreCheckedUnderTheirOwnRule(
      String declared, String rule, boolean mismatch, boolean unverifiable) throws Exception {
    Reception reception =
        reader("").payload(PAYLOAD).with("payload_hash", declaration(declared)).read();
    assertThat(reception.payloadHash()).isEqualTo(declaration(declared));
    ContentHash content = reception.content();
    assertThat(content.rule()).isEqualTo("jcs-exact/1");
    assertThat(content.value()).isEqualTo(EXACT);
    assertThat(content.declaredRule()).isEqualTo(rule);
    assertThat(content.mismatch())
        .isEqualTo(mismatch ? rule.equals("raw-bytes/1") ? RAW : EXACT : null);
    assertThat(content.unverifiable()).isEqualTo(unverifiable);
  }

  @ParameterizedTest
  @CsvSource({
    // what is declared; the rule and the hash that is read
    "md5:0189afAF, md5, 0189afAF",
    "fields/1:0189afAF, fields/1, 0189afaf",
    "x.Y-z_1/12:00, x.Y-z_1/12, 00",
    "md5:0/, jcs-exact/1, md5:0/",
    "md5:0@, jcs-exact/1, md5:0@",
    "md5:0G, jcs-exact/1, md5:0G",
    "md5:0`, jcs-exact/1, md5:0`",
    "md5:0g, jcs-exact/1, md5:0g",
    "md5:0:, jcs-exact/1, md5:0:",
    "md5:, jcs-exact/1, md5:",
    "fields/1:, jcs-exact/1, fields/1:",
    ":AB, jcs-exact/1, :AB",
    "a b:AB, jcs-exact/1, a b:AB",
    "AB, jcs-exact/1, AB",
    "^RAW, jcs-exact/1, RAW",
    "^RAWf, jcs-exact/1, ^RAWf",
    "fields/1:^RAWf, fields/1, RAWf",
    "md5:^RAW, md5, ^RAW",
  })
  void aDeclarationIsReadAsWhatItClaimsToBe(String text, String rule, String hash)
      throws Exception {
    Reception reception =
        reader("").payload(PAYLOAD).with("payload_hash", declaration(text)).read();
    assertThat(reception.content().declaredRule()).isEqualTo(rule);
    assertThat(reception.content().declared()).isEqualTo(declaration(hash));
    assertThat(reception.payloadHash()).isEqualTo(declaration(text));
  }

  @Test
  void whatDeclaresNothingIsNotUnverifiable() throws MalformedJsonException {
    Reception reception = reader("").payload(PAYLOAD).read();
    assertThat(reception.payloadHash()).isNull();
    assertThat(reception.content().unverifiable()).isFalse();
    assertThat(reception.content().declared()).isNull();
  }

  private static final String JCS = "hash: jcs/1";
  private static final String UNSAFE = "{\"id\":9007199254740993}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // C53: a double makes one number of two
        "{\"id\":9007199254740992} | {\"id\":9007199254740993} | DIFFERENT",
        "{\"id\":9007199254740993} | {\"id\":9007199254740992} | DIFFERENT",
        "{\"id\":9007199254740993} | {\"id\":9007199254740995} | DIFFERENT",
        "{\"id\":9007199254740993} | {\"id\":9007199254740993.0} | SAME",
        "{\"id\":1e400} | {\"id\":1e401} | DIFFERENT",
        "{\"id\":1e400} | {\"id\":10e399} | SAME",
        "{\"id\":1e-400} | {\"id\":0} | DIFFERENT",
        // C54
        "{\"w\":136.0,\"z\":-0,\"d\":\"1.10\"} | {\"w\":1.36E2,\"z\":0,\"d\":\"1.10\"} | SAME",
        "{\"w\":0.1} | {\"w\":0.10} | SAME",
        "{\"a\":1,\"b\":2} | {\"b\":2,\"a\":1} | SAME",
      })
  void contentsCompareUnderRfc8785AsByValue(String first, String second, Comparison expected)
      throws MalformedJsonException {
    assertThat(hash(JCS, first).compare(hash(JCS, second))).isEqualTo(expected);
    // whatever both declare, a hash that cannot tell them apart makes them no duplicate
    ContentHash declaredFirst =
        reader(JCS).payload(first).with("payload_hash", "jcs/1:" + EXACT).read().content();
    ContentHash declaredSecond =
        reader(JCS).payload(second).with("payload_hash", "jcs/1:" + EXACT).read().content();
    assertThat(declaredFirst.compare(declaredSecond)).isEqualTo(expected);
  }

  @Test
  void aNumberThatADoubleWouldChangeIsHashedExactly() throws MalformedJsonException {
    ContentHash safe = hash(JCS, "{\"b\":1e2,\"a\":0.10}");
    assertThat(safe.rule()).isEqualTo("jcs/1");
    assertThat(safe.value()).isEqualTo(sha256("{\"a\":0.1,\"b\":100}"));
    assertThat(safe.unsafeNumber()).isFalse();

    ContentHash unsafe = hash(JCS, UNSAFE);
    assertThat(unsafe).isEqualTo(withUnsafeNumber(hash("", UNSAFE)));
  }

  private static ContentHash withUnsafeNumber(ContentHash of) {
    return new ContentHash(
        of.rule(),
        of.value(),
        of.recomputed(),
        of.declaredRule(),
        of.declared(),
        of.mismatch(),
        of.unverifiable(),
        true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // contract, payload, hashed text, mismatch, unverifiable, unsafe
        "hash: jcs/1 | {\"b\":1e2} | {\"b\":100} | false | false | false",
        "hash: jcs/1 | {\"b\":1e2} | {\"b\":1e2} | true | false | false",
        "hash: jcs-exact/1 | {\"b\":1e2} | {\"b\":100} | false | false | false",
        "hash: raw-bytes/1 | {\"b\":1e2} | {\"b\":1e2} | true | false | false",
        "hash: raw-bytes/1 | no json | no json | false | true | false",
        // neither what a double makes of it nor what stands there proves anything
        "hash: jcs/1 | {\"id\":9007199254740993} | {\"id\":9007199254740992} | false | true | true",
        "hash: jcs/1 | {\"id\":9007199254740993} | {\"id\":9007199254740993} | false | true | true",
        "hash: jcs-exact/1 | {\"id\":9007199254740993} | {\"id\":1} | false | true | true",
        "hash: raw-bytes/1 | {\"id\":1e400} | {\"id\":1} | false | true | true",
      })
  void aHashDeclaredUnderRfc8785IsCheckedWhereItProvesAnything(
      String contract,
      String payload,
      String hashed,
      boolean mismatch,
      boolean unverifiable,
      boolean unsafe)
      throws MalformedJsonException {
    ContentHash content =
        reader(contract)
            .payload(payload)
            .with("payload_hash", "jcs/1:" + sha256(hashed))
            .read()
            .content();

    assertThat(content.recomputed()).isTrue();
    assertThat(content.declaredRule()).isEqualTo("jcs/1");
    assertThat(content.mismatch() != null).isEqualTo(mismatch);
    assertThat(content.unverifiable()).isEqualTo(unverifiable);
    assertThat(content.unsafeNumber()).isEqualTo(unsafe);
  }

  @Test
  void underRfc8785ContentIsJson() {
    assertThatThrownBy(() -> hash(JCS, "not json")).isInstanceOf(MalformedJsonException.class);
  }

  @Test
  void theBytesOfANestedPayloadAreGone() throws MalformedJsonException {
    // C55: HASH_UNVERIFIABLE, not PAYLOAD_HASH_MISMATCH
    ContentHash content =
        reader("").nested(PAYLOAD).with("payload_hash", "raw-bytes/1:00").read().content();
    assertThat(content.mismatch()).isNull();
    assertThat(content.unverifiable()).isTrue();
    assertThat(content.value()).isEqualTo(EXACT);
    ContentHash raw = reader("hash: raw-bytes/1").nested(PAYLOAD).read().content();
    assertThat(raw.rule()).isEqualTo(ContentHash.NO_RULE);
    assertThat(raw.compare(raw)).isEqualTo(Comparison.NOT_COMPARABLE);
    ContentHash claimed =
        reader("hash: raw-bytes/1").nested(PAYLOAD).with("payload_hash", "ab").read().content();
    assertThat(claimed.rule()).isEqualTo("raw-bytes/1");
    assertThat(claimed.value()).isEqualTo("ab");
    assertThat(claimed.compare(claimed)).isEqualTo(Comparison.SAME_AS_DECLARED);
  }

  @Test
  void contentThatDoesNotTellNullFromAbsentIsVerifiedByEqualHashesOnly()
      throws MalformedJsonException {
    Payload ambiguous = new Payload(PAYLOAD.getBytes(UTF_8), true, true, false);
    ContentHash undeclared = reader("").with("payload", ambiguous).read().content();
    assertThat(undeclared.value()).isEqualTo(EXACT);
    assertThat(undeclared.unverifiable()).isTrue();
    assertThat(undeclared.compare(undeclared)).isEqualTo(Comparison.SAME_AS_DECLARED);

    ContentHash other =
        reader("").with("payload", ambiguous).with("payload_hash", "00").read().content();
    assertThat(other.value()).isEqualTo("00");
    assertThat(other.mismatch()).isNull();
    assertThat(other.unverifiable()).isTrue();
    assertThat(other.compare(undeclared)).isEqualTo(Comparison.DIFFERENT_AS_DECLARED);

    ContentHash equal =
        reader("")
            .with("payload", ambiguous)
            .with("payload_hash", "jcs-exact/1:" + EXACT)
            .read()
            .content();
    assertThat(equal.recomputed()).isTrue();
    assertThat(equal.unverifiable()).isFalse();
  }

  @Test
  void aPayloadWithWhatIsNoNumberIsMarked() throws MalformedJsonException {
    Payload named = new Payload("{\"px\":\"NaN\"}".getBytes(UTF_8), true, false, true);
    assertThat(reader("").with("payload", named).read().nonFinite()).isTrue();
    assertThat(reader("").nested("{\"px\":\"NaN\"}").read().nonFinite()).isFalse();
  }

  @Test
  void aClaimOfARuleThatTheContentDoesNotFitIsUnverifiable() throws MalformedJsonException {
    ContentHash content =
        reader("hash: raw-bytes/1")
            .payload("not json")
            .with("payload_hash", "jcs-exact/1:00")
            .read()
            .content();
    assertThat(content.unverifiable()).isTrue();
    assertThat(content.recomputed()).isTrue();
  }

  @Test
  void withoutAPayloadTheDeclaredHashStands() throws MalformedJsonException {
    ContentHash content = reader("").with("payload_hash", "h7").read().content();
    assertThat(content)
        .isEqualTo(new ContentHash("jcs-exact/1", "h7", false, "jcs-exact/1", "h7", null, true));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "ingestion_id, i9, true",
        "replay_id, R, true",
        "original_event_id, e0, true",
        "topic, t, false",
        "topic, '', false",
        "partition, p1, false",
        "source_event_id, e2, false",
        "schema_version, 2, false",
      })
  void fieldsHashSaysWhatHappened(String column, String value, boolean same) throws Exception {
    ContentHash before = reader("").read().content();
    assertThat(before.rule()).isEqualTo("fields/1");
    assertThat(before.recomputed()).isTrue();
    ContentHash after = reader("").with(column, value).read().content();
    assertThat(after.value().equals(before.value())).isEqualTo(same);
    Instant later = RECEIVED.plusSeconds(9);
    assertThat(reader("").with("received_at", later).read().content()).isEqualTo(before);
    assertThat(reader("").with("occurred_at", later).read().content()).isNotEqualTo(before);
    assertThat(reader("").with("source_sequence", -1L).read().content()).isNotEqualTo(before);
  }

  @Test
  void theFieldsHashIsThatOfEveryColumnThatHasAValue() throws Exception {
    assertThat(reader("").with("source_sequence", -1L).with("topic", "t").read().content().value())
        .isEqualTo(
            sha256(
                "{\"occurred_at\":\"2026-01-05T10:00:00Z\",\"source\":\"S\","
                    + "\"source_event_id\":\"e1\",\"source_sequence\":\"18446744073709551615\","
                    + "\"topic\":\"t\"}"));
  }

  private static final String BUILT = "{\"pay\":\"p1\",\"amt\":\"5\",\"built_at\":\"10:00:00.1\"}";
  private static final String REBUILT =
      "{\"amt\":\"5\",\"pay\":\"p1\",\"built_at\":\"10:00:08.7\"}";
  private static final String FP_2 =
      "identity: {fingerprint: {rule: fp/2, fields: [/payload/pay, /payload/amt]}}";

  private static EventKey anonymous(String contract, String payload) throws Exception {
    return reader(contract).with("source_event_id", null).payload(payload).read().key();
  }

  @Test
  void aFingerprintCoversWhatItsRuleSays() throws Exception {
    // C06
    assertThat(anonymous("", BUILT)).isNotEqualTo(anonymous("", REBUILT));
    assertThat(anonymous("", BUILT).fingerprintRule()).isEqualTo("fp/1");
    assertThat(anonymous("", BUILT).heuristic()).isTrue();
    EventKey declared = anonymous(FP_2, BUILT);
    assertThat(declared).isEqualTo(anonymous(FP_2, REBUILT));
    assertThat(declared.fingerprintRule()).isEqualTo("fp/2");
    assertThat(declared.fingerprint())
        .isEqualTo(sha256("{\"/payload/pay\":\"p1\",\"/payload/amt\":\"5\"}"));
    assertThat(anonymous(FP_2, "{\"pay\":\"p1\",\"amt\":5}")).isNotEqualTo(declared);
  }

  @Test
  void aFingerprintMayBeOfColumns() throws Exception {
    Reader reader =
        reader("identity: {fingerprint: {rule: fp/3, fields: [topic, source_sequence, partition]}}")
            .with("source_event_id", null)
            .with("source_sequence", -1L)
            .with("topic", "a\"b");
    EventKey key = reader.read().key();
    assertThat(key.fingerprintRule()).isEqualTo("fp/3");
    assertThat(key.fingerprint())
        .isEqualTo(
            sha256(
                "{\"topic\":\"a\\\"b\",\"source_sequence\":\"18446744073709551615\","
                    + "\"partition\":null}"));
  }

  @Test
  void whatHasNoneOfTheFieldsIsToldApartByEveryColumn() throws Exception {
    for (String payload : java.util.Arrays.asList("{}", "{\"pay\":null}", null)) {
      EventKey key = anonymous(FP_2, payload);
      assertThat(key.fingerprintRule()).isEqualTo("fp/1");
      assertThat(key).isEqualTo(anonymous("", payload));
    }
    assertThat(anonymous(FP_2, "{\"pay\":0}").fingerprintRule()).isEqualTo("fp/2");
    assertThat(anonymous("hash: raw-bytes/1", "not json"))
        .isEqualTo(anonymous("hash: raw-bytes/1", "not json"))
        .isNotEqualTo(anonymous("hash: raw-bytes/1", "nor this"));
  }

  @Test
  void theFingerprintOfEveryColumnLeavesOutWhatReceptionAdds() throws Exception {
    EventKey before = anonymous("", "{\"a\":1}");
    assertThat(anonymous("", "{ \"a\":1.0}")).isEqualTo(before);
    for (String column : List.of("ingestion_id", "payload_hash", "replay_id")) {
      assertThat(
              reader("")
                  .with("source_event_id", null)
                  .payload("{\"a\":1}")
                  .with(column, "x")
                  .read()
                  .key())
          .as(column)
          .isEqualTo(before);
    }
    assertThat(
            reader("")
                .with("source_event_id", null)
                .payload("{\"a\":1}")
                .with("topic", "x")
                .read()
                .key())
        .isNotEqualTo(before);
  }

  @Test
  void theKeyIsTheIdInItsScope() throws Exception {
    Reader reader =
        reader("identity: {scope: [instrument, partition], revision: /payload/rev}")
            .payload("{\"rev\":2.0}")
            .with("instrument", "AAA");
    assertThat(reader.read().key())
        .isEqualTo(
            EventKey.ofId("S", "e1", java.util.Arrays.asList("AAA", null), Revision.of("2")));
    assertThat(reader.with("original_event_id", "e0").read().key().id()).isEqualTo("e0");
    assertThat(reader.read().sourceEventId()).isEqualTo("e1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "{\"rev\":1} | 1",
        "{\"rev\":\"1.0\"} | 1",
        "{\"rev\":\"b\"} | b",
        "{\"rev\":null} | -",
        "{} | -",
      })
  void aRevisionMayBeAnything(String payload, String text) throws Exception {
    EventKey key = reader("identity: {revision: /payload/rev}").payload(payload).read().key();
    assertThat(key.revision().text()).isEqualTo(text);
  }

  @Test
  void anEmptyIdIsAnId() throws Exception {
    EventKey key = reader("").with("source_event_id", "").read().key();
    assertThat(key.heuristic()).isFalse();
    assertThat(key.id()).isEmpty();
  }

  @Test
  void fieldsAreTakenFromWhereTheContractSays() throws Exception {
    Reception reception =
        reader(
                "fields: {business_key: /payload/o/symbol, topic: aggregate_id, partition: "
                    + "/payload/none}, withdrawn: {field: /payload/removed, equals: true}")
            .payload("{\"o\":{\"symbol\":12.50},\"removed\":true}")
            .with("aggregate_id", "agg")
            .with("partition", "p0")
            .read();
    assertThat(reception.businessKey()).isEqualTo("12.50");
    assertThat(reception.topic()).isEqualTo("agg");
    assertThat(reception.partition()).isNull();
    assertThat(reception.withdrawn()).isTrue();
    Reader bare =
        reader(
            "fields: {business_key: /payload/o, topic: source_sequence, partition: occurred_at},"
                + " withdrawn: {field: aggregate_id, equals: gone}");
    Reception columns = bare.with("source_sequence", -1L).with("aggregate_id", "gone").read();
    assertThat(columns.businessKey()).isNull();
    assertThat(columns.topic()).isEqualTo("18446744073709551615");
    assertThat(columns.partition()).isEqualTo("2026-01-05T10:00:00Z");
    assertThat(columns.withdrawn()).isTrue();
    assertThat(bare.with("aggregate_id", "true").read().withdrawn()).isFalse();
    assertThat(bare.with("aggregate_id", null).read().withdrawn()).isFalse();
  }

  private static Reader projecting(String contract) {
    return new Reader(
        contract,
        """
        projections:
          - name: volume
            versions:
              - version: "1"
                kind: windowed
                key: /payload/symbol
                window: {fixed: PT10M}
                allowed_lateness: PT5M
                aggregates: {n: count, total: {sum: /qty}, top: {max: /a}}
        """);
  }

  @Test
  void whatProjectionsLookAtIsTakenAlong() throws Exception {
    Reader reader = projecting("").payload("{\"qty\":1.50,\"symbol\":2.50,\"a\":\"x\"}");
    assertThat(reader.read().projected()).containsExactly("\"x\"", "15e-1", "2.50");
    assertThat(reader.payload("{\"qty\":null}").read().projected())
        .containsExactly(null, "null", null);
    assertThat(reader.payload(null).read().projected()).containsExactly(null, null, null);
    assertThat(reader("").read().projected()).isEmpty();
  }

  @Test
  void columnsBeyondTheContractAreTakenAlong() throws Exception {
    Reader reader = reader("identity: {scope: [venue, instrument]}");
    assertThat(reader.with("instrument", "AAA").read().named())
        .hasSize(2)
        .containsOnlyOnce("AAA")
        .containsOnlyOnce((String) null);
    assertThat(reader("").read().named()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"removed\":true} | true",
        "{\"removed\":\"true\"} | false",
        "{\"removed\":false} | false",
        "{} | false",
      })
  void aWithdrawalIsMarkedByValueAndType(String payload, boolean withdrawn) throws Exception {
    assertThat(
            reader("withdrawn: {field: /payload/removed, equals: true}")
                .payload(payload)
                .read()
                .withdrawn())
        .isEqualTo(withdrawn);
  }

  @Test
  void aReceptionComesBack() throws Exception {
    Reader reader =
        projecting("identity: {scope: [instrument], revision: /payload/rev}")
            .payload("{\"rev\":\"-1.50\",\"symbol\":\"AA\",\"qty\":1}")
            .with("instrument", "A\0A")
            .with("source_sequence", -1L)
            .with("replay_id", "")
            .with("supersedes", "e0");
    comesBack(reader.with("payload_hash", "raw-bytes/1:00").read());
    comesBack(reader.with("payload_hash", "raw-bytes/1:AB").read());
    comesBack(reader.with("original_event_id", "e0").read());
    comesBack(reader.with("source_event_id", null).read());
    comesBack(reader.payload(null).read());
  }

  private static void comesBack(Reception reception) {
    KeyWriter group = new KeyWriter();
    reception.key().writeGroup(group);
    KeyWriter within = new KeyWriter();
    reception.key().writeWithinGroup(within);
    EventKey key =
        EventKey.read(new KeyReader(group.toBytes()), new KeyReader(within.toBytes()), 1);
    assertThat(key).isEqualTo(reception.key());
    KeyWriter out = new KeyWriter();
    reception.writeArrival(out);
    assertThat(out.size()).isEqualTo(Reception.ARRIVAL_BYTES);
    reception.writeContent(out);
    int named = reception.named().size();
    int projected = reception.projected().size();
    assertThat(Reception.read(key, "i1", new KeyReader(out.toBytes()), named, projected))
        .isEqualTo(reception);
    reception.key().write(out.clear());
    assertThat(EventKey.read(new KeyReader(out.toBytes()), 1)).isEqualTo(reception.key());
  }

  @Test
  void aFingerprintComesBack() throws Exception {
    EventKey key = anonymous("", BUILT);
    KeyWriter group = new KeyWriter();
    key.writeGroup(group);
    KeyWriter within = new KeyWriter();
    key.writeWithinGroup(within);
    assertThat(EventKey.read(new KeyReader(group.toBytes()), new KeyReader(within.toBytes()), 0))
        .isEqualTo(key);
    KeyWriter whole = new KeyWriter();
    key.write(whole);
    assertThat(EventKey.read(new KeyReader(whole.toBytes()), 0)).isEqualTo(key);
  }

  @Test
  void aRecordedDecisionIsReadAndComesBack() {
    Object[] row = new Object[Input.DECISIONS.columns().size()];
    row[Input.DECISIONS.indexOf("ingestion_id")] = "i1";
    row[Input.DECISIONS.indexOf("decision")] = "ACCEPTED";
    row[Input.DECISIONS.indexOf("reason")] = "why";
    row[Input.DECISIONS.indexOf("rule_version")] = "v1";
    row[Input.DECISIONS.indexOf("decided_at")] = RECEIVED;
    Place place = new Place(Input.DECISIONS.ordinal(), 0, 0, 7, 0);
    RecordedDecision recorded = RecordedDecision.of(new Row(row, place, null));
    assertThat(recorded)
        .isEqualTo(new RecordedDecision("i1", "ACCEPTED", "why", "v1", RECEIVED, place));
    KeyWriter out = new KeyWriter();
    recorded.writeContent(out);
    assertThat(RecordedDecision.read("i1", new KeyReader(out.toBytes()))).isEqualTo(recorded);
  }
}
