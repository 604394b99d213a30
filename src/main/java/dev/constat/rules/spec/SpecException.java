package dev.constat.rules.spec;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;

/**
 * A run spec that cannot be used. Its message is one line per problem, in the order of the file.
 */
public final class SpecException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ImmutableList<SpecProblem> problems;

  SpecException(Iterable<SpecProblem> problems) {
    this(ImmutableList.sortedCopyOf(SpecProblem.ORDER, problems));
  }

  private SpecException(ImmutableList<SpecProblem> problems) {
    super(problems.stream().map(SpecProblem::message).collect(joining("\n")));
    this.problems = problems;
  }

  /** All that is wrong, in the order of the file. */
  public ImmutableList<SpecProblem> problems() {
    return problems;
  }
}
