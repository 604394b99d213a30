package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import java.time.Instant;

/**
 * What a replay would publish.
 *
 * @param topic the topic
 * @param from first created_at (inclusive), or null for all before
 * @param to last created_at (inclusive), or null for all behind
 * @param batchId the id that it would go by
 * @param events events that it would publish
 * @param withheld events of the topic and interval that it would not, by reason
 * @param withoutTopic accepted events of the interval that no topic is known of
 * @param effects one per effect type of the run spec
 */
public record ReplayPlanReport(
    String topic,
    Instant from,
    Instant to,
    String batchId,
    long events,
    ImmutableSortedMap<String, Long> withheld,
    long withoutTopic,
    ImmutableList<Effect> effects)
    implements TaskReport {

  /**
   * What would happen again of an effect type.
   *
   * @param type the type
   * @param replayable whether any entry of the run spec lets replays have it
   * @param events events that would have it again
   * @param predicted effects of these, one for each consumer
   * @param consumersUnknown events among them whose consumers are not configured
   * @param alreadyAcknowledged predicted effects that their consumer acknowledged before; null
   *     where acknowledgements are not known
   * @param withheld events that have it and would not have it again
   */
  public record Effect(
      String type,
      boolean replayable,
      long events,
      long predicted,
      long consumersUnknown,
      Long alreadyAcknowledged,
      long withheld) {}
}
