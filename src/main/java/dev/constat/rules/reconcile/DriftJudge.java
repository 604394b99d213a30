package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks of accepted events of one source with equal business_key, occurred_at and hash whether the
 * source rewrote its ids (spec section 3.8): events with different ids, none of which supersedes
 * another of them. It only suspects; two equal events in one instant are legitimate.
 */
public final class DriftJudge {

  /**
   * Up to so many ids of a group are looked at; more of them are suspect whatever they supersede.
   */
  public static final int MAX_IDS = 1_000;

  private final String source;
  private final String businessKey;
  private final Instant occurredAt;
  private final TreeMap<String, String> supersedes = new TreeMap<>();
  private long further;
  private String lastFurther;
  private Place firstPlace;
  private Place secondPlace;
  private Instant firstReceived;
  private Instant lastReceived;

  /** For one group. */
  public DriftJudge(String source, String businessKey, Instant occurredAt) {
    this.source = source;
    this.businessKey = businessKey;
    this.occurredAt = occurredAt;
  }

  /** The next event, in the order of ids. */
  public void next(String id, String superseded, Instant receivedAt, Place place) {
    if (!supersedes.containsKey(id) && !id.equals(lastFurther)) {
      if (supersedes.size() < MAX_IDS) {
        supersedes.put(id, superseded);
      } else {
        further++;
        lastFurther = id;
      }
      if (firstPlace == null) {
        firstPlace = place;
      } else if (secondPlace == null) {
        secondPlace = place;
      }
    }
    firstReceived =
        firstReceived == null || receivedAt.isBefore(firstReceived) ? receivedAt : firstReceived;
    lastReceived =
        lastReceived == null || receivedAt.isAfter(lastReceived) ? receivedAt : lastReceived;
  }

  /** The finding, or null where there is nothing to suspect. */
  public Finding end() {
    long independent = further;
    for (Map.Entry<String, String> event : supersedes.entrySet()) {
      String superseded = event.getValue();
      boolean dependent =
          superseded != null
              && !superseded.equals(event.getKey())
              && supersedes.containsKey(superseded);
      independent += dependent ? 0 : 1;
    }
    if (independent < 2) {
      return null;
    }
    return Statement.of(
            Kind.SUSPECTED_IDENTITY_DRIFT,
            new JsonObject()
                .put("source", source)
                .put("business_key", businessKey)
                .put("occurred_at", occurredAt))
        .because("Several ids for what looks like one event; nothing was merged")
        .sides(
            new JsonObject().put("ids", 1),
            new JsonObject()
                .put("ids", independent)
                .put("source_event_ids", supersedes.keySet().stream().limit(5).toList()))
        .under("identity-drift/1")
        .seenAt(firstPlace, secondPlace)
        .when(firstReceived, lastReceived)
        .hint(true, "HEURISTIC")
        .times(independent)
        .finding();
  }
}
