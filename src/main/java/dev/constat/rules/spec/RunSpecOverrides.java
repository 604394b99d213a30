package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.spec.TextShape.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of the command line that take the place of what a run spec says. Each is the text
 * that the user gave, or null.
 *
 * @param asOf {@code --as-of}
 * @param from {@code --from}: subjects are judged from here (inclusive)
 * @param to {@code --to}: subjects are judged up to here (exclusive)
 * @param failOn {@code --fail-on}
 */
public record RunSpecOverrides(String asOf, String from, String to, String failOn) {

  /**
   * The run spec with these arguments applied.
   *
   * @throws SpecException if an argument cannot be read, or {@code from} is not before {@code to}
   */
  public RunSpec applyTo(RunSpec spec) {
    List<SpecProblem> problems = new ArrayList<>();
    Instant newAsOf = read("--as-of", asOf, Notations.INSTANT::parse, spec.asOf(), problems);
    Instant newFrom = read("--from", from, Notations.INSTANT::parse, spec.from(), problems);
    Instant newTo = read("--to", to, Notations.INSTANT::parse, spec.to(), problems);
    RunSpec.FailOn newFailOn =
        read("--fail-on", failOn, RunSpecShape.LEVEL::parse, spec.failOn(), problems);
    if (newFrom != null && newTo != null && !newFrom.isBefore(newTo)) {
      problems.add(
          problem(
              "--from",
              newFrom.toString(),
              "%s is not before --to %s".formatted(newFrom, newTo),
              "--from is where judging begins, --to where it ends"));
    }
    if (!problems.isEmpty()) {
      throw new SpecException(ImmutableList.copyOf(problems));
    }
    return spec.withArguments(newAsOf, newFrom, newTo, newFailOn);
  }

  static <T> T read(
      String option, String text, Rule<T> rule, T otherwise, List<SpecProblem> problems) {
    if (text == null) {
      return otherwise;
    }
    try {
      return rule.parse(text);
    } catch (Refusal refusal) {
      String problem = Reading.quoted(text) + " " + refusal.getMessage();
      problems.add(problem(option, text, problem, refusal.remedy()));
      return otherwise;
    }
  }

  static SpecProblem problem(String option, String value, String problem, String remedy) {
    return new SpecProblem(option, 0, 0, option, value, problem, remedy);
  }
}
