package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;
import static dev.constat.pipelines.fuzz.Claims.same;

import dev.constat.rules.spec.SpecException;
import dev.constat.rules.spec.SpecProblem;
import java.util.function.Consumer;

/** What the refusal of a file that users write must say. */
final class Refusals {

  private Refusals() {}

  /**
   * It says the same twice, and each problem names the file, a line that is there and a remedy, on
   * one line.
   *
   * @param parser reads the text once more
   */
  static void explain(SpecException refusal, String text, String file, Consumer<String> parser) {
    same("what is said twice", refusal.getMessage(), again(text, parser).getMessage());
    long lines = text.chars().filter(c -> c == '\n' || c == '\r' || c > 0x7F).count() + 1;
    holds(!refusal.problems().isEmpty(), "says nothing", refusal);
    for (SpecProblem problem : refusal.problems()) {
      String message = problem.message();
      holds(problem.line() >= 1 && problem.line() <= lines, "no line of the file", message);
      holds(message.startsWith(file + ":" + problem.line() + ":"), "does not name it", message);
      holds(!problem.remedy().isBlank(), "has no remedy", message);
      holds(message.indexOf('\n') < 0, "is not one line", message);
    }
  }

  private static SpecException again(String text, Consumer<String> parser) {
    try {
      parser.accept(text);
      throw new AssertionError("refused once, and accepted now");
    } catch (SpecException e) {
      return e;
    }
  }
}
