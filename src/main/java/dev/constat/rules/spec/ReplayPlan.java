package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events that a replay of a topic would publish.
 *
 * @param topic the topic
 * @param from first instant of created_at (inclusive), or null where it has no beginning
 * @param to last instant of created_at (inclusive), or null where it has no end
 * @param batchId what the replay goes by: {@code x-replay-batch-id}
 */
public record ReplayPlan(String topic, Instant from, Instant to, String batchId) implements Plan {

  private static final int DIGITS = 16;

  /**
   * A plan as the arguments of the command line ask for it; each is the text that the user gave, or
   * null.
   *
   * @param spec what it is planned for
   * @param batchId its id, or null for one that follows from run spec, topic and interval
   * @throws SpecException if an argument cannot be read, or {@code from} is after {@code to}
   */
  public static ReplayPlan of(RunSpec spec, String topic, String from, String to, String batchId) {
    List<SpecProblem> problems = new ArrayList<>();
    Instant first = RunSpecOverrides.read("--from", from, Notations.INSTANT::parse, null, problems);
    Instant last = RunSpecOverrides.read("--to", to, Notations.INSTANT::parse, null, problems);
    if (first != null && last != null && first.isAfter(last)) {
      problems.add(
          RunSpecOverrides.problem(
              "--from",
              first.toString(),
              "%s is after --to %s".formatted(first, last),
              "--from is the first created_at that is replayed, --to the last"));
    }
    if (!problems.isEmpty()) {
      throw new SpecException(ImmutableList.copyOf(problems));
    }
    ReplayPlan unnamed = new ReplayPlan(topic, first, last, null);
    return batchId == null
        ? new ReplayPlan(topic, first, last, idOf(spec.planning(unnamed)))
        : new ReplayPlan(topic, first, last, batchId);
  }

  private static String idOf(RunSpec unnamed) {
    return "replay-"
        + Hashing.sha256()
            .hashString(unnamed.withoutLayout().canonical(), StandardCharsets.UTF_8)
            .toString()
            .substring(0, DIGITS);
  }

  /** Whether an event created then is in the interval. */
  public boolean holds(Instant createdAt) {
    return (from == null || !createdAt.isBefore(from)) && (to == null || !createdAt.isAfter(to));
  }

  @Override
  public String name() {
    return "replay_plan";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("topic", topic);
    settings.put("from", from == null ? null : from.toString());
    settings.put("to", to == null ? null : to.toString());
    settings.put("batch_id", batchId);
    return settings;
  }
}
