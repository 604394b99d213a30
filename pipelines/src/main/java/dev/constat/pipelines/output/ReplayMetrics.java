package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** The metrics of replays: their scope, and what they left behind. */
final class ReplayMetrics {

  private ReplayMetrics() {}

  static List<MetricFamily> of(RunReport report) {
    MetricFamily receptions = replay("receptions", "Receptions that carry a replay's id.");
    MetricFamily from = replay("from_timestamp_seconds", "First instant of a replay's scope.");
    MetricFamily to =
        replay("to_timestamp_seconds", "Last instant of a replay's scope, inclusive.");
    MetricFamily first = replay("first_timestamp_seconds", "When a replay first left something.");
    MetricFamily last = replay("last_timestamp_seconds", "When a replay last left something.");
    MetricFamily registered = replay("registered", "1 if the registry knows the replay, else 0.");
    MetricFamily authorised =
        replay("effects_authorised", "1 if the registry lets the replay have effects, else 0.");
    MetricFamily rows = replay("outbox_rows", "Outbox rows that carry a replay's id.");
    MetricFamily acks =
        replay(
            "acknowledgements",
            "Acknowledgements of replays that were judged, by what they turned out to be.");
    MetricFamily restarts = replay("restarts", "How often a replay began again.");
    MetricFamily scope = replay("scope_events", "Accepted events in a replay's scope.");
    MetricFamily seen = replay("seen_events", "Those of which the replay left a trace.");
    for (RunReport.ReplayFacts facts : report.replays()) {
      String[] labels = {"replay_id", facts.replayId(), "topic", facts.topic()};
      RunReport.ReplayActivityFacts activity = facts.activity();
      receptions.add(activity.receptions(), labels);
      MetricsText.addTime(from, facts.from(), labels);
      MetricsText.addTime(to, facts.to(), labels);
      MetricsText.addTime(first, activity.firstAt(), labels);
      MetricsText.addTime(last, activity.lastAt(), labels);
      registered.add(facts.registered() ? 1 : 0, labels);
      if (facts.authorised() != null) {
        authorised.add(facts.authorised() ? 1 : 0, labels);
      }
      rows.add(activity.rows(), labels);
      outcome(acks, activity.effects(), "effect", facts);
      outcome(acks, activity.redeliveries(), "redelivery", facts);
      outcome(acks, activity.furtherEffects(), "further_effect", facts);
      outcome(acks, activity.unauthorised(), "unauthorised", facts);
      restarts.add(activity.restarts(), labels);
      if (facts.scopeEvents() != null) {
        scope.add(facts.scopeEvents(), labels);
      }
      seen.add(facts.seenEvents(), labels);
    }
    return ImmutableList.of(
        receptions,
        from,
        to,
        first,
        last,
        registered,
        authorised,
        rows,
        acks,
        restarts,
        scope,
        seen);
  }

  private static MetricFamily replay(String name, String help) {
    return MetricFamily.gauge("constat_replay_" + name, help);
  }

  private static void outcome(
      MetricFamily family, long count, String outcome, RunReport.ReplayFacts facts) {
    family.add(count, "outcome", outcome, "replay_id", facts.replayId(), "topic", facts.topic());
  }
}
