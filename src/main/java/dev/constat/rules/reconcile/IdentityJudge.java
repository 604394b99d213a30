package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.ContentHash;
import dev.constat.rules.identity.ContentHash.Comparison;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.Sequence;
import dev.constat.rules.spec.SourceContract;
import dev.constat.rules.time.Sequences;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides the receptions of one key after the other (spec section 3). The receptions of a key come
 * in the order of arrival: those without a replay mark first, by (received_at, ingestion_id). Only
 * the first one is kept; every other leaves its decision as it passes.
 */
public final class IdentityJudge {

  /** What comparing a record with those of the same ingestion_id found. */
  public enum Copies {
    /** The only content of its ingestion_id; this is its first record. */
    SINGLE,
    /** Equal to a record that came before. */
    COPY,
    /** One of several contents. */
    CONFLICT
  }

  /** The reason of most receptions. */
  static final String FIRST = "first reception of its key";

  private static final String IDENTITY_RULE = "identity/1";
  private static final String COPIES_RULE = "archive-copies/1";

  private final RunFacts facts;
  private final Horizons horizons;
  private final Ledger ledger;
  private final List<String> named;
  private final EventColumns columns;
  private final boolean separatesCorrections;
  private final Duration grace;
  private final DedupMemory memory;

  private final KeyWriter times = new KeyWriter();

  // by source, of keys that are no fingerprints
  private final Map<String, String> rules = new HashMap<>();

  // by source, then schema version
  private final Map<String, Map<String, Extent>> extents = new HashMap<>();

  private EventKey key;
  private SourceContract contract;
  private String keyText;
  private String rule;
  private boolean afterSmallerRevision;
  private Reception first;
  private EnumSet<Flag> firstFlags;
  private Decision firstDecision;
  private boolean firstQuarantined;
  private boolean contested;
  private long repeats;
  private long duplicates;
  private Instant lastReceivedAt;
  private RecordedDecision recordedOfFirst;
  private String firstRecordedAs;
  private String recordedAs;

  /** A judge of the events of a run. */
  public IdentityJudge(RunFacts facts, Ledger ledger) {
    RunSpec spec = facts.spec();
    RunSpec.Archive decisions = spec.archives().get(Input.DECISIONS);
    this.facts = facts;
    this.horizons = new Horizons(facts);
    this.ledger = ledger;
    this.named = spec.namedColumns(Input.EVENTS).asList();
    this.columns = new EventColumns(spec);
    this.separatesCorrections =
        decisions != null
            && decisions.values().containsValue(Decision.ACCEPTED.name())
            && decisions.values().containsValue(Decision.CORRECTION.name());
    this.grace = new EffectPolicy(spec).largestGrace();
    this.memory = new DedupMemory(spec, ledger.tally());
  }

  /**
   * Begins a key.
   *
   * @param next the key
   * @param sourceContract the contract of its source
   * @param smallerRevisionInHistory whether history holds a smaller revision of the same id
   */
  public void begin(
      EventKey next, SourceContract sourceContract, boolean smallerRevisionInHistory) {
    key = next;
    contract = sourceContract;
    keyText = next.text(contract.scope());
    rule =
        next.heuristic()
            ? rule(true, next.fingerprintRule(), contract)
            : rules.computeIfAbsent(next.source(), source -> rule(false, null, sourceContract));
    afterSmallerRevision = smallerRevisionInHistory;
    first = null;
    firstFlags = null;
    firstDecision = null;
    firstQuarantined = false;
    contested = false;
    repeats = 0;
    duplicates = 0;
    lastReceivedAt = null;
    recordedOfFirst = null;
    memory.begin();
    firstRecordedAs = null;
  }

  /**
   * The rule that makes receptions one event, in words that fit a column.
   *
   * @param heuristic whether its key is a fingerprint
   * @param fingerprintRule the rule of that
   */
  static String rule(boolean heuristic, String fingerprintRule, SourceContract contract) {
    if (heuristic) {
      return contract.fingerprint() == null
          ? fingerprintRule
          : fingerprintRule
              + contract.fingerprint().fields().stream().map(field -> field.text()).toList();
    }
    StringBuilder columns = new StringBuilder("key/1[source");
    contract.scope().forEach(column -> columns.append(", ").append(column));
    columns.append(", source_event_id");
    return columns.append(contract.revision() == null ? "]" : ", revision]").toString();
  }

  /**
   * The next reception.
   *
   * @param reception the reception
   * @param copies what is known of its ingestion_id
   * @param recorded what the live system decided, or null
   */
  public void next(Reception reception, Copies copies, RecordedDecision recorded) {
    recordedAs = recorded == null ? null : recorded.decision();
    switch (copies) {
      case COPY ->
          decide(
              reception,
              Decision.ARCHIVE_COPY,
              "a copy of one reception attempt",
              flags(reception));
      case CONFLICT -> conflictInArchive(reception, recorded);
      case SINGLE -> {
        checkDeclaredHash(reception);
        if (first == null) {
          accept(reception, recorded);
        } else {
          repeat(reception, recorded);
        }
      }
    }
  }

  private void conflictInArchive(Reception reception, RecordedDecision recorded) {
    contested = true;
    checkDeclaredHash(reception);
    decide(
        reception,
        Decision.ARCHIVE_CONFLICT,
        "ingestion_id " + reception.ingestionId() + " came with several contents",
        flags(reception));
    quarantine(reception, Quarantined.DEVIATING, COPIES_RULE);
    if (recorded != null) {
      CheckTally.notJudged(tally(), Kind.DECISION_MISMATCH, "several contents of the ingestion_id");
    }
    if (judged(reception, Kind.ARCHIVE_CONFLICT)) {
      ledger.finding(
          Statement.of(
                  Kind.ARCHIVE_CONFLICT,
                  new JsonObject().put("ingestion_id", reception.ingestionId()))
              .because("One reception attempt stands in the archive with several contents")
              .sides(
                  new JsonObject().put("contents", 1),
                  hashSide(new JsonObject().put("key", keyText), reception.content()))
              .under(COPIES_RULE)
              .seenAt(reception.place())
              .when(reception.receivedAt())
              .finding());
    }
  }

  private void accept(Reception reception, RecordedDecision recorded) {
    first = reception;
    firstRecordedAs = recordedAs;
    firstDecision =
        reception.supersedes() != null || afterSmallerRevision
            ? Decision.CORRECTION
            : Decision.ACCEPTED;
    firstFlags = flags(reception);
    if (reception.supersedes() != null && reception.supersedeReason() == null) {
      firstFlags.add(Flag.NO_REASON);
    }
    if (reception.replayed()) {
      firstFlags.add(Flag.ORIGINAL_ABSENT);
    }
    lastReceivedAt = reception.receivedAt();
    compareRecorded(reception, firstDecision, recorded);
  }

  private void repeat(Reception reception, RecordedDecision recorded) {
    Comparison comparison =
        key.heuristic() ? Comparison.SAME : first.content().compare(reception.content());
    EnumSet<Flag> flags = flags(reception);
    if (comparison == Comparison.SAME_AS_DECLARED
        || comparison == Comparison.DIFFERENT_AS_DECLARED) {
      flags.add(Flag.HASH_UNVERIFIABLE);
    }
    boolean same = comparison == Comparison.SAME || comparison == Comparison.SAME_AS_DECLARED;
    countRepeat(reception, same);
    if (!reception.replayed()) {
      memory.repeat(first, reception, recorded);
    }
    if (same) {
      repeats++;
      if (reception.receivedAt().isAfter(lastReceivedAt)) {
        lastReceivedAt = reception.receivedAt();
      }
      duplicates += reception.replayed() ? 0 : 1;
      decide(
          reception,
          Decision.EXACT_DUPLICATE,
          (key.heuristic() ? "same fingerprint as " : "same key and hash as ")
              + first.ingestionId(),
          flags);
      compareRecorded(reception, Decision.EXACT_DUPLICATE, recorded);
      return;
    }
    String reason =
        comparison == Comparison.NOT_COMPARABLE
            ? "no comparable hash"
            : "same key as " + first.ingestionId() + ", another hash";
    decide(reception, Decision.CONFLICTING_DUPLICATE, reason, flags);
    compareRecorded(reception, Decision.CONFLICTING_DUPLICATE, recorded);
    if (!firstQuarantined) {
      firstQuarantined = true;
      tally().add(1, CheckTally.CONFLICTING_KEYS, first.source(), first.schemaVersion());
      quarantine(first, Quarantined.ACCEPTED, IDENTITY_RULE);
    }
    quarantine(reception, Quarantined.DEVIATING, IDENTITY_RULE);
    if (judged(reception, Kind.CONFLICTING_DUPLICATE)) {
      JsonObject subject = key.describe(new JsonObject(), contract.scope());
      ledger.finding(
          Statement.of(
                  Kind.CONFLICTING_DUPLICATE,
                  subject.put("deviating_hash", hash(reception.content())))
              .because(
                  comparison == Comparison.NOT_COMPARABLE
                      ? "Two receptions of one key have no comparable hash"
                      : "Two receptions of one key differ in content")
              .sides(side(first), side(reception))
              .under(rule + " " + first.content().rule())
              .seenAt(first.place(), reception.place())
              .when(first.receivedAt(), reception.receivedAt())
              .hint(flags.contains(Flag.HASH_UNVERIFIABLE), Flag.HASH_UNVERIFIABLE.name())
              .finding());
    }
  }

  /** Completes the key. */
  public KeyVerdict end() {
    if (first != null) {
      if (contested) {
        firstFlags.add(Flag.ARCHIVE_CONTESTED);
      }
      arrive(first, firstDecision, reasonOfFirst(), firstFlags, null);
      countFirst();
    }
    return new KeyVerdict(
        key,
        keyText,
        first,
        firstDecision,
        first == null ? EnumSet.noneOf(Flag.class) : firstFlags,
        contested,
        duplicates,
        lastReceivedAt,
        null,
        memory.forgottenAt());
  }

  private String reasonOfFirst() {
    if (first.supersedes() != null) {
      return "first reception of its key, supersedes " + first.supersedes();
    }
    return firstDecision == Decision.CORRECTION
        ? "first reception of its revision, supersedes a smaller one"
        : FIRST;
  }

  private EnumSet<Flag> flags(Reception reception) {
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    if (key.heuristic()) {
      flags.add(Flag.HEURISTIC);
    }
    if (reception.content().unverifiable()) {
      flags.add(Flag.HASH_UNVERIFIABLE);
    }
    if (reception.content().unsafeNumber()) {
      flags.add(Flag.HASH_UNSAFE_NUMBER);
    }
    if ((reception.replayId() == null) != (reception.originalEventId() == null)) {
      flags.add(Flag.REPLAY_MARK_INCOMPLETE);
    }
    if (contract.schemaVersions() != null
        && (reception.schemaVersion() == null
            || !contract.schemaVersions().contains(reception.schemaVersion()))) {
      flags.add(Flag.UNKNOWN_SCHEMA_VERSION);
    }
    return flags;
  }

  private void checkDeclaredHash(Reception reception) {
    ContentHash content = reception.content();
    if (content.declared() == null) {
      return;
    }
    if (content.unverifiable()) {
      CheckTally.notJudged(tally(), Kind.PAYLOAD_HASH_MISMATCH, "declared hash not verifiable");
    } else if (judged(reception, Kind.PAYLOAD_HASH_MISMATCH) && content.mismatch() != null) {
      ledger.finding(
          Statement.of(
                  Kind.PAYLOAD_HASH_MISMATCH,
                  new JsonObject().put("ingestion_id", reception.ingestionId()))
              .because("The declared hash is not that of the content under its own rule")
              .sides(
                  new JsonObject()
                      .put("hash_rule", content.declaredRule())
                      .put("hash", content.declared()),
                  new JsonObject()
                      .put("hash_rule", content.declaredRule())
                      .put("hash", content.mismatch())
                      .put("key", keyText))
              .under(content.declaredRule())
              .seenAt(reception.place())
              .when(reception.receivedAt())
              .finding());
    }
  }

  private void compareRecorded(
      Reception reception, Decision recomputed, RecordedDecision recorded) {
    String unavailable = facts.whyNot(Input.DECISIONS);
    if (unavailable != null) {
      CheckTally.notJudged(tally(), Kind.DECISION_MISMATCH, unavailable);
      if (facts.input(Input.DECISIONS) == null) {
        // Only where decisions are read does everything about an ingestion_id come together.
        CheckTally.notJudged(tally(), Kind.INGESTION_ID_REUSED, unavailable);
      }
      return;
    }
    if (recorded == null) {
      missingDecision(reception, recomputed);
      return;
    }
    judged(reception, Kind.DECISION_MISSING);
    if (!judged(reception, Kind.DECISION_MISMATCH)) {
      return;
    }
    if (recomputed.inHistory() && RecordedTimeliness.speaksOf(recorded)) {
      recordedOfFirst = recorded; // only its place in time can tell
      return;
    }
    if (agrees(recorded.decision(), recomputed)) {
      return;
    }
    JsonObject expected = new JsonObject().put("decision", recomputed.name()).put("key", keyText);
    if (!recomputed.inHistory()) {
      expected
          .put("against", first.ingestionId())
          .put("distance", Duration.between(first.receivedAt(), reception.receivedAt()).toString());
    }
    ledger.finding(
        RecordedTimeliness.mismatch(
            recorded, recomputed.name(), expected, reception.place(), reception.receivedAt()));
  }

  private void missingDecision(Reception reception, Decision recomputed) {
    if (!facts.judged(reception.receivedAt())) {
      CheckTally.notJudged(tally(), Kind.DECISION_MISSING, EffectJudge.OUTSIDE);
      return;
    }
    if (facts.input(Input.DECISIONS).cut() == null) {
      CheckTally.notJudged(tally(), Kind.DECISION_MISSING, "cut of decisions unknown");
      return;
    }
    Standing standing = horizons.decisionMissing(reception.receivedAt(), grace);
    if (!CheckTally.settled(tally(), Kind.DECISION_MISSING, standing)) {
      return;
    }
    ledger.finding(
        Statement.of(
                Kind.DECISION_MISSING,
                new JsonObject().put("ingestion_id", reception.ingestionId()))
            .because("No decision is recorded about this reception")
            .sides(
                new JsonObject().put("decision", recomputed.name()).put("key", keyText),
                new JsonObject().put("decision", (String) null))
            .under(RecordedTimeliness.RULE)
            .seenAt(reception.place())
            .when(reception.receivedAt())
            .hint(facts.incomplete(Input.DECISIONS), EffectJudge.INPUT_INCOMPLETE)
            .hint(!facts.input(Input.DECISIONS).retentionKnown(), EffectJudge.RETENTION_UNKNOWN)
            .finding());
  }

  private boolean agrees(String recorded, Decision recomputed) {
    if (recorded.equals(recomputed.name())) {
      return true;
    }
    boolean recordedInHistory =
        recorded.equals(Decision.ACCEPTED.name()) || recorded.equals(Decision.CORRECTION.name());
    return recordedInHistory && recomputed.inHistory() && !separatesCorrections;
  }

  /** Counts a subject of a check that reception time chooses; whether it is judged. */
  private boolean judged(Reception reception, Kind check) {
    boolean judged = facts.judged(reception.receivedAt());
    if (judged) {
      CheckTally.judged(tally(), check);
    } else {
      CheckTally.notJudged(tally(), check, EffectJudge.OUTSIDE);
    }
    return judged;
  }

  private void countFirst() {
    Tally tally = tally();
    String source = first.source();
    String version = first.schemaVersion();
    tally.add(1, CheckTally.BOOK, "events", "keys");
    if (!first.replayed()) {
      Duration lag = Duration.between(first.occurredAt(), first.receivedAt());
      tally.add(1, CheckTally.LAG, source, version, Integer.toString(LagBuckets.of(lag)));
      tally.add(LagBuckets.millis(lag), CheckTally.LAG_MILLIS, source, version);
    }
    if (judged(first, Kind.UNKNOWN_SCHEMA_VERSION)
        && firstFlags.contains(Flag.UNKNOWN_SCHEMA_VERSION)) {
      tally.add(1, CheckTally.UNKNOWN_SCHEMA, source, version);
    }
    extents
        .computeIfAbsent(source, unseen -> new HashMap<>())
        .computeIfAbsent(version, unseen -> new Extent())
        .take(first);
  }

  /** From when to when the first receptions of one source and schema version were received. */
  private final class Extent {

    private Instant from;
    private Instant to;

    void take(Reception reception) {
      Instant time = reception.receivedAt();
      if (from == null || !time.isAfter(from)) {
        from = time;
        KeyWriter out = times.clear().instant(time).text(reception.ingestionId());
        reception.place().write(out);
        tally()
            .min(
                out.toBytes(),
                CheckTally.SCHEMA_FIRST,
                reception.source(),
                reception.schemaVersion());
      }
      if (to == null || time.isAfter(to)) {
        to = time;
        tally()
            .max(
                times.clear().instant(time).toBytes(),
                CheckTally.SCHEMA_LAST,
                reception.source(),
                reception.schemaVersion());
      }
    }
  }

  private void countRepeat(Reception reception, boolean same) {
    if (reception.replayed()) {
      return;
    }
    Tally tally = tally();
    String source = reception.source();
    tally.add(1, CheckTally.REPEATS, source);
    if (!same) {
      tally.add(1, CheckTally.CONFLICTS, source);
    }
    String path = same ? CheckTally.DUPLICATES_APART : CheckTally.CONFLICTS_APART;
    apart(path, "partition", first.partition(), reception.partition());
    apart(path, "topic", first.topic(), reception.topic());
    apart(path, "aggregate_type", first.aggregateType(), reception.aggregateType());
    apart(path, "aggregate_id", first.aggregateId(), reception.aggregateId());
    apart(path, "business_key", first.businessKey(), reception.businessKey());
    apart(path, "schema_version", first.schemaVersion(), reception.schemaVersion());
    for (int i = 0; i < named.size(); i++) {
      apart(path, named.get(i), first.named().get(i), reception.named().get(i));
    }
  }

  private void apart(String path, String column, String a, String b) {
    if (!Objects.equals(a, b)) {
      tally().add(1, path, first.source(), column);
    }
  }

  private void decide(Reception reception, Decision decision, String reason, EnumSet<Flag> flags) {
    String against =
        switch (decision) {
          case ARCHIVE_COPY, ARCHIVE_CONFLICT -> reception.ingestionId();
          case EXACT_DUPLICATE, CONFLICTING_DUPLICATE -> first.ingestionId();
          case ACCEPTED, CORRECTION -> null;
        };
    arrive(reception, decision, reason, flags, against);
  }

  private void arrive(
      Reception reception, Decision decision, String reason, EnumSet<Flag> flags, String against) {
    Tally tally = tally();
    tally.add(1, CheckTally.BOOK, "events", decision.name());
    if (decision != Decision.ARCHIVE_COPY) {
      tally.add(
          1,
          reception.replayed() ? CheckTally.REPLAYED : CheckTally.SOURCES,
          reception.source(),
          reception.schemaVersion(),
          decision.name());
    }
    boolean inHistory = decision.inHistory();
    ledger.decision(
        new Arrival(
            reception,
            decision,
            key,
            keyText,
            hash(reception.content()),
            hashRule(reception.content()),
            against,
            inHistory ? repeats : 0L,
            inHistory ? lastReceivedAt : null,
            flags,
            reason,
            inHistory ? contested || firstQuarantined : disputes(decision),
            inHistory ? recordedOfFirst : null,
            sequence(reception),
            inHistory ? firstRecordedAs : recordedAs));
  }

  /** The name of the sequence that its number means something in, or null. */
  private String sequence(Reception reception) {
    Sequence sequence = contract.sequence();
    if (sequence == null || reception.sourceSequence() == null) {
      return null;
    }
    List<String> scope = new ArrayList<>();
    sequence.scope().forEach(column -> scope.add(columns.value(column, reception)));
    return Sequences.name(reception.source(), scope);
  }

  /** Whether a reception that history does not hold says something else than the one it holds. */
  private static boolean disputes(Decision decision) {
    return decision == Decision.CONFLICTING_DUPLICATE || decision == Decision.ARCHIVE_CONFLICT;
  }

  private void quarantine(Reception reception, String side, String foundBy) {
    KeyWriter time = new KeyWriter().instant(reception.receivedAt());
    String version = reception.schemaVersion();
    tally().add(1, CheckTally.QUARANTINED, reception.source(), version);
    tally().min(time.toBytes(), CheckTally.QUARANTINED_FIRST, reception.source(), version);
    ledger.quarantine(
        new Quarantined(
            reception.place(),
            keyText,
            reception.ingestionId(),
            side,
            hash(reception.content()),
            hashRule(reception.content()),
            reception.receivedAt(),
            foundBy));
  }

  private String hash(ContentHash content) {
    if (key.heuristic()) {
      return key.fingerprint();
    }
    return content.rule().equals(ContentHash.NO_RULE) ? null : content.value();
  }

  private String hashRule(ContentHash content) {
    if (key.heuristic()) {
      return key.fingerprintRule();
    }
    return content.rule().equals(ContentHash.NO_RULE) ? null : content.rule();
  }

  private JsonObject side(Reception reception) {
    return hashSide(
        new JsonObject()
            .put("ingestion_id", reception.ingestionId())
            .put("received_at", reception.receivedAt()),
        reception.content());
  }

  private JsonObject hashSide(JsonObject side, ContentHash content) {
    return side.put("hash", hash(content)).put("hash_rule", hashRule(content));
  }

  private Tally tally() {
    return ledger.tally();
  }
}
