package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Texts of run specs around the part that a test is about. */
final class Specs {

  /** Two lines: the smallest run spec. */
  static final String SMALLEST = "constat: 1\narchives: {events: {files: e}}\n";

  private Specs() {}

  /** The part stands in line 3, column 1. */
  static String top(String part) {
    return SMALLEST + part + "\n";
  }

  /** The part stands in line 5, column 5. */
  static String events(String part) {
    return "constat: 1\narchives:\n  events:\n    files: e\n    " + part + "\n";
  }

  /** The part stands in line 6, column 5. */
  static String archive(String input, String part) {
    return "constat: 1\narchives:\n  events: {files: e}\n  %s:\n    files: x\n    %s\n"
        .formatted(input, part);
  }

  /** The part stands in line 5, column 5. */
  static String source(String part) {
    return top("sources:\n  - source: s\n    " + part);
  }

  /** The part stands in line 5, column 5. */
  static String effect(String part) {
    return top("effects:\n  - type: t\n    " + part);
  }

  /** The part of a version stands in line 7, column 5. */
  static String projection(String part) {
    return top("projections:\n  name: p\n  versions:\n    version: '1'\n    " + part);
  }

  /** The part of a windowed version stands in line 8, column 5. */
  static String windowed(String part) {
    return projection("kind: windowed\n    " + part);
  }

  static RunSpec parse(String text) {
    return RunSpecParser.parse(text, "constat.yaml", "folder");
  }

  /** What the parser says about a run spec that it refuses. */
  static String messages(String text) {
    return failure(text).getMessage();
  }

  static SpecException failure(String text) {
    SpecException failure = catchThrowableOfType(SpecException.class, () -> parse(text));
    if (failure == null) {
      throw new AssertionError("accepted:\n" + text);
    }
    return failure;
  }
}
