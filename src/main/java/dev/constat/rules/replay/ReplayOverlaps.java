package dev.constat.rules.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * REPLAY_OVERLAP (spec section 6): two replays that may both have effects, or that feed one version
 * of a projection, and whose scopes have an event in common, whose effect or contribution therefore
 * came twice. Intervals are inclusive on both sides, so that two of them that share an instant have
 * the events of that instant in common. One finding per pair.
 */
public final class ReplayOverlaps {

  private static final String RULE = "replay-overlaps/1";

  private ReplayOverlaps() {}

  /**
   * The findings of a run, from what its stages counted; says in the tally how many were judged.
   */
  public static List<Finding> of(ReplayRegistry registry, Tally tally) {
    List<Finding> findings = new ArrayList<>();
    ScopeCounts scopes = new ScopeCounts(registry.intervals(), tally);
    ImmutableList<Replay> replays = registry.replays();
    for (int i = 0; i < replays.size(); i++) {
      for (int j = i + 1; j < replays.size(); j++) {
        Replay a = replays.get(i);
        Replay b = replays.get(j);
        if (!interfere(a, b)) {
          continue;
        }
        if (!a.intervalKnown() || !b.intervalKnown()) {
          Coverage.notJudged(tally, Kind.REPLAY_OVERLAP, FollowedReplay.NO_ZONE);
          continue;
        }
        Coverage.judged(tally, Kind.REPLAY_OVERLAP);
        ScopeCounts.Found common = scopes.inBoth(a, b);
        if (common.count() > 0) {
          findings.add(overlap(a, b, common));
        }
      }
    }
    return findings;
  }

  /** Whether what the two do to one event would be done twice. */
  private static boolean interfere(Replay a, Replay b) {
    return (a.topic() == null || b.topic() == null || a.topic().equals(b.topic()))
        && (a.effectsAuthorised() && b.effectsAuthorised()
            || a.projectionVersion() != null
                && Objects.equals(a.projectionVersion(), b.projectionVersion()));
  }

  private static Finding overlap(Replay a, Replay b, ScopeCounts.Found common) {
    boolean effects = a.effectsAuthorised() && b.effectsAuthorised();
    return Statement.of(Kind.REPLAY_OVERLAP, new JsonObject().put("replay_ids", ids(a, b)))
        .because(
            effects
                ? "Two replays that may have effects republish the same events"
                : "Two replays that feed one version of a projection republish the same events")
        .sides(
            new JsonObject().put("events", 0),
            new JsonObject()
                .put("events", common.count())
                .put("created_from", common.first())
                .put("created_to", common.last())
                .put("effects_authorised", effects)
                .put(
                    "projection_version",
                    Objects.equals(a.projectionVersion(), b.projectionVersion())
                        ? a.projectionVersion()
                        : null))
        .under(RULE)
        .seenAt(a.place(), b.place(), common.place())
        .when(common.first(), common.last())
        .times(common.count())
        .finding();
  }

  private static List<String> ids(Replay a, Replay b) {
    return Stream.of(a.replayId(), b.replayId())
        .sorted(Comparator.comparing(id -> id.getBytes(UTF_8), Arrays::compareUnsigned))
        .toList();
  }
}
