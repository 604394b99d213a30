package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.replay.FollowedReplay;
import dev.constat.rules.replay.Replay;
import dev.constat.rules.replay.ReplayActivity;
import dev.constat.rules.replay.ReplayActivity.What;
import dev.constat.rules.replay.ReplayRegistry;
import dev.constat.rules.replay.ScopeCounts;

/** Lists the replays of a run for its report: those of the registry, and those that were seen. */
final class ReplayListing {

  private final ReplayRegistry registry;
  private final Tally tally;
  private final boolean given;
  private final ScopeCounts scopes;

  private ReplayListing(RunFacts facts, Tally tally) {
    this.registry = facts.replays();
    this.tally = tally;
    this.given = facts.has(Input.REPLAYS);
    this.scopes = new ScopeCounts(registry.intervals(), tally);
  }

  /** The replays, by id. */
  static ImmutableList<RunReport.ReplayFacts> of(RunFacts facts, Tally tally) {
    ReplayListing listing = new ReplayListing(facts, tally);
    return ReplayActivity.listed(facts.replays(), tally).stream()
        .map(listing::replay)
        .collect(ImmutableList.toImmutableList());
  }

  private RunReport.ReplayFacts replay(String id) {
    Replay replay = registry.replay(id);
    if (replay == null) {
      return new RunReport.ReplayFacts(
          id, null, null, null, false, given ? false : null, null, activity(id), null, 0);
    }
    return new RunReport.ReplayFacts(
        id,
        replay.topic(),
        replay.from().orNull(),
        replay.to().orNull(),
        true,
        replay.effectsAuthorised(),
        replay.ownKeys() ? "own" : "original",
        activity(id),
        replay.intervalKnown() ? scopes.in(replay).count() : null,
        FollowedReplay.seenEvents(tally, id));
  }

  private RunReport.ReplayActivityFacts activity(String id) {
    return new RunReport.ReplayActivityFacts(
        ReplayActivity.sum(tally, id, What.RECEPTIONS),
        ReplayActivity.sum(tally, id, What.ROWS),
        ReplayActivity.sum(tally, id, What.ACKS),
        ReplayActivity.sum(tally, id, What.EFFECTS),
        ReplayActivity.sum(tally, id, What.REDELIVERIES),
        ReplayActivity.sum(tally, id, What.FURTHER_EFFECTS),
        ReplayActivity.sum(tally, id, What.UNAUTHORISED),
        FollowedReplay.restarts(tally, id),
        ReplayActivity.first(tally, id),
        ReplayActivity.last(tally, id));
  }
}
