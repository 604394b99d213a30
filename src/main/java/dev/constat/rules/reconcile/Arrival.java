package dev.constat.rules.reconcile;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import java.time.Instant;
import java.util.EnumSet;

/**
 * One reception as identity decided it, on its way to its place in time.
 *
 * @param reception the reception
 * @param decision what becomes of it
 * @param eventKey its key
 * @param key the canonical text of its key
 * @param hash what its content is compared by, or null
 * @param hashRule the rule of {@code hash}, or null
 * @param against ingestion_id of the reception that it was judged against, or null
 * @param repeats exact repeats of a first reception, else 0
 * @param lastReceivedAt of a first reception: when it or its last exact repeat came, else null
 * @param flags what a reader should know besides
 * @param reason why, in words, or null
 * @param contested whether its content is disputed: its key has a deviating version, or it is one
 * @param recorded what the live system recorded about a first reception that only time can confirm:
 *     LATE or FUTURE; else null
 * @param sequence name of the sequence that its number means something in, or null
 * @param recordedAs the decision that the live system recorded about the reception, or null
 */
public record Arrival(
    Reception reception,
    Decision decision,
    EventKey eventKey,
    String key,
    String hash,
    String hashRule,
    String against,
    long repeats,
    Instant lastReceivedAt,
    EnumSet<Flag> flags,
    Sentence reason,
    boolean contested,
    RecordedDecision recorded,
    String sequence,
    String recordedAs) {}
