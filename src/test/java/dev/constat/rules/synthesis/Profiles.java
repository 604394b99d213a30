package dev.constat.rules.synthesis;

import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import dev.constat.rules.spec.ProfileParser;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Profiles that tests plant from. */
final class Profiles {

  private Profiles() {}

  /** One fault in every event. */
  static Profile always(Fault fault) {
    return of(fault.key() + ": {one_in: 1}");
  }

  /** All faults, each at a rate of its own. */
  static Profile all() {
    return of(
        Stream.of(Fault.values())
            .map(fault -> fault.key() + ": {one_in: " + (101 + 2 * fault.ordinal()) + "}")
            .collect(Collectors.joining(", ")));
  }

  static Profile of(String faults) {
    return ProfileParser.parse("{profile: 1, name: test, faults: {" + faults + "}}", "test");
  }
}
