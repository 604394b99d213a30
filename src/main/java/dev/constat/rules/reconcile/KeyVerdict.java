package dev.constat.rules.reconcile;

import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.time.Timeliness;
import java.time.Instant;
import java.util.EnumSet;

/**
 * What identity says of a key once all its receptions are seen.
 *
 * @param key the key
 * @param text its canonical text
 * @param first its first reception, or null where every one is in conflict with the archive itself
 * @param decision ACCEPTED or CORRECTION, or null without a first reception
 * @param flags of the first reception
 * @param contested whether an ingestion_id of it came with several contents
 * @param duplicates exact duplicates that are no replays
 * @param lastReceivedAt when the first reception or its last exact duplicate came, where there is
 *     one
 * @param timeliness of the first reception, or null where it is not known or has none
 * @param forgottenAt when the first repeat came that the live system took for new, or null
 */
public record KeyVerdict(
    EventKey key,
    String text,
    Reception first,
    Decision decision,
    EnumSet<Flag> flags,
    boolean contested,
    long duplicates,
    Instant lastReceivedAt,
    Timeliness timeliness,
    Instant forgottenAt) {

  /** Whether history holds the key only because a replay brought it back. */
  public boolean knownByReplaysAlone() {
    return first != null && first.replayed();
  }

  /** The same of an event of which this is known besides. */
  public KeyVerdict with(Timeliness known) {
    return new KeyVerdict(
        key,
        text,
        first,
        decision,
        flags,
        contested,
        duplicates,
        lastReceivedAt,
        known,
        forgottenAt);
  }
}
