package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of the history that is rebuilt of projections. Of versions with windows it is the cells
 * whose window meets it, of all others what happened in it. Identity, clocks and chains know no
 * part: they are those of all that is read.
 *
 * @param from its first instant (inclusive), or null where it has no beginning
 * @param to its end (exclusive), or null where it has none
 */
public record Rebuild(Instant from, Instant to) implements Task {

  private static final String PROJECTION = "--projection";
  private static final String VERSION = "--version";

  /** Whether an instant lies in it. */
  public boolean holds(Instant instant) {
    return (from == null || !instant.isBefore(from)) && (to == null || instant.isBefore(to));
  }

  /** Whether a window [start, end) has an instant in common with it. */
  public boolean meets(Instant start, Instant end) {
    return (from == null || end.isAfter(from)) && (to == null || start.isBefore(to));
  }

  @Override
  public String command() {
    return "rebuild";
  }

  @Override
  public String name() {
    return "rebuild";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("from", from == null ? null : from.toString());
    settings.put("to", to == null ? null : to.toString());
    return settings;
  }

  /** Some versions of a projection in the order in which they are asked for, else of the file. */
  static ImmutableList<ProjectionRule> choose(
      ImmutableList<ProjectionRule> rules, String projection, List<String> versions) {
    ImmutableList<ProjectionRule> known =
        rules.stream()
            .filter(rule -> rule.name().equals(projection))
            .collect(ImmutableList.toImmutableList());
    if (known.isEmpty()) {
      throw unknown(
          PROJECTION,
          projection,
          "is no projection of the run spec",
          rules.stream().map(ProjectionRule::name).collect(ImmutableSet.toImmutableSet()));
    }
    if (versions.isEmpty()) {
      return known;
    }
    ImmutableSet.Builder<ProjectionRule> chosen = ImmutableSet.builder();
    for (String version : versions) {
      chosen.add(
          known.stream()
              .filter(rule -> rule.version().equals(version))
              .findFirst()
              .orElseThrow(
                  () ->
                      unknown(
                          VERSION,
                          version,
                          "is no version of " + projection,
                          known.stream()
                              .map(ProjectionRule::version)
                              .collect(ImmutableSet.toImmutableSet()))));
    }
    return chosen.build().asList();
  }

  private static SpecException unknown(
      String option, String value, String problem, ImmutableSet<String> known) {
    String remedy =
        known.isEmpty()
            ? "it has none; give it projections"
            : "use " + String.join(" or ", known) + nearest(value, known);
    return new SpecException(
        ImmutableList.of(
            new SpecProblem(
                option, 0, 0, option, value, Reading.quoted(value) + " " + problem, remedy)));
  }

  private static String nearest(String value, ImmutableSet<String> known) {
    return known.size() > 1 ? " (nearest: " + NearestName.of(value, known) + ")" : "";
  }
}
