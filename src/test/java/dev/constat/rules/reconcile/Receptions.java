package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.ContentHash;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.Revision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Receptions as cases.md writes them. What is left out: source S, partition p0, schema_version 1,
 * occurred_at a second before received_at, a hash that was recomputed.
 */
final class Receptions {

  private final String ingestionId;
  private String source = "S";
  private String id = "e1";
  private List<String> scope = List.of();
  private Revision revision = Revision.NONE;
  private String fingerprint;
  private String received = "10:00:01";
  private String occurred;
  private String schemaVersion = "1";
  private String partition = "p0";
  private String topic;
  private String aggregateId = "a1";
  private String businessKey;
  private String supersedes;
  private String replayId;
  private String originalEventId;
  private String copy = "";
  private List<String> named = new ArrayList<>();
  private ContentHash content = Hashes.recomputed("h");

  private Receptions(String ingestionId) {
    this.ingestionId = ingestionId;
  }

  static Receptions of(String ingestionId) {
    return new Receptions(ingestionId);
  }

  Receptions source(String value) {
    source = value;
    return this;
  }

  /** Its source_event_id, which is also its key. */
  Receptions event(String value) {
    id = value;
    return this;
  }

  Receptions scope(String... values) {
    scope = Arrays.asList(values);
    return this;
  }

  Receptions revision(String value) {
    revision = Revision.of(value);
    return this;
  }

  Receptions fingerprint(String value) {
    fingerprint = value;
    id = null;
    return this;
  }

  Receptions at(String time) {
    received = time;
    return this;
  }

  Receptions occurred(String time) {
    occurred = time;
    return this;
  }

  Receptions schema(String version) {
    schemaVersion = version;
    return this;
  }

  Receptions partition(String value) {
    partition = value;
    return this;
  }

  Receptions topic(String value) {
    topic = value;
    return this;
  }

  Receptions aggregate(String value) {
    aggregateId = value;
    return this;
  }

  Receptions businessKey(String value) {
    businessKey = value;
    return this;
  }

  Receptions supersedes(String value) {
    supersedes = value;
    return this;
  }

  Receptions replay(String replay, String original) {
    replayId = replay;
    originalEventId = original;
    return this;
  }

  Receptions named(String... values) {
    named = Arrays.asList(values);
    return this;
  }

  Receptions hash(String value) {
    return content(Hashes.recomputed(value));
  }

  Receptions content(ContentHash value) {
    content = value;
    return this;
  }

  /** Another record of the same attempt, at another place. */
  Receptions copy(String which) {
    copy = which;
    return this;
  }

  Place place() {
    return Places.of(Input.EVENTS, ingestionId + copy);
  }

  EventKey key() {
    return id == null
        ? EventKey.ofFingerprint(source, "fp/1", fingerprint)
        : EventKey.ofId(source, originalEventId == null ? id : originalEventId, scope, revision);
  }

  Reception get() {
    return new Reception(
        key(),
        ingestionId,
        id,
        null,
        partition,
        occurred == null ? Times.at(received).minusSeconds(1) : Times.at(occurred),
        null,
        Times.at(received),
        schemaVersion,
        null,
        businessKey,
        topic,
        "acct",
        aggregateId,
        supersedes,
        null,
        OptionalTime.ABSENT,
        replayId,
        originalEventId,
        named,
        List.of(),
        false,
        false,
        content,
        place());
  }
}
