package dev.constat.rules.spec;

import static dev.constat.rules.spec.Key.optional;
import static dev.constat.rules.spec.Key.required;
import static dev.constat.rules.spec.Key.withDefault;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.spec.GroupShape.Values;
import dev.constat.rules.spec.Profile.Delay;
import dev.constat.rules.spec.Profile.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a profile of {@code generate} may hold. */
final class ProfileShape {

  /** The delay of any event is shorter, so that a slice of arrival time needs no more than that. */
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  private static final int MICROS_PER_SECOND = 1_000_000;

  private static final Key<Profile, Integer> CONTRACT =
      required(
          "profile",
          IntegerShape.only("1", ImmutableList.of(1)),
          profile -> 1,
          1,
          "Version of this notation.");

  private static final Key<Profile, String> NAME =
      required("name", TextShape.TEXT, Profile::name, "mine", "Its name.");

  private static final Key<Profile, Instant> START =
      withDefault(
          "start",
          Notations.INSTANT,
          Profile::start,
          Instant.parse("2026-01-04T00:00:00Z"),
          "When the first event happens.");

  private static final Key<Profile, Integer> EVENTS_PER_SECOND =
      withDefault(
          "events_per_second",
          IntegerShape.from(1),
          Profile::eventsPerSecond,
          70,
          "How many events happen per second.");

  private static final Key<Profile, Integer> SOURCES =
      withDefault("sources", IntegerShape.from(1), Profile::sources, 4, "How many sources.");

  private static final Key<Profile, Integer> PARTITIONS =
      withDefault(
          "partitions", IntegerShape.from(1), Profile::partitions, 16, "How many partitions.");

  private static final Key<Profile, Integer> BUSINESS_KEYS =
      withDefault(
          "business_keys",
          IntegerShape.from(1),
          Profile::businessKeys,
          500,
          "How many business keys, which are aggregates too.");

  private static final Key<Profile, String> SCHEMA_VERSION =
      withDefault(
          "schema_version",
          TextShape.TEXT,
          Profile::schemaVersion,
          "1",
          "The version of the payload that is known.");

  private static final Key<Delay, Integer> PERCENT =
      required("percent", IntegerShape.from(1), Delay::percent, 90, "Share of the events.");

  private static final Key<Delay, Duration> FROM =
      withDefault(
          "from", Notations.DURATION, Delay::from, Duration.ZERO, "The shortest of its delays.");

  private static final Key<Delay, Duration> TO =
      required("to", Notations.POSITIVE_DURATION, Delay::to, Duration.ofSeconds(3), "The longest.");

  private static final Key<Profile, ImmutableList<Delay>> DELAYS =
      withDefault(
          "delays",
          ListShape.nonEmpty(
                  new GroupShape<>(ImmutableList.of(PERCENT, FROM, TO), ProfileShape::bindDelay))
              .distinctBy(delay -> List.of(delay.from(), delay.to()), "repeats %s"),
          Profile::delays,
          ImmutableList.of(
              new Delay(90, Duration.ofMillis(200), Duration.ofSeconds(3)),
              new Delay(8, Duration.ZERO, Duration.ofMinutes(1)),
              new Delay(2, Duration.ZERO, Duration.ofMinutes(15))),
          "How long after it happened an event is received; percentages add up to 100.");

  private static final Key<Rate, Integer> ONE_IN =
      required(
          "one_in",
          IntegerShape.from(1),
          Rate::oneIn,
          1_000,
          "It is planted in one event out of so many.");

  private static final Key<Rate, Integer> AT_MOST =
      optional(
          "at_most",
          IntegerShape.from(1),
          Rate::atMost,
          100,
          "It is not planted more often than this. Default: no bound.");

  private static final GroupShape<Rate> RATE =
      new GroupShape<>(
          ImmutableList.of(ONE_IN, AT_MOST),
          values -> new Rate(values.get(ONE_IN), values.get(AT_MOST)));

  private static final ImmutableMap<Fault, Key<Map<Fault, Rate>, Rate>> BY_FAULT =
      Stream.of(Fault.values())
          .collect(
              ImmutableMap.toImmutableMap(
                  fault -> fault,
                  fault ->
                      optional(
                          fault.key(),
                          RATE,
                          faults -> faults.get(fault),
                          new Rate(1_000, null),
                          fault.doc())));

  private static final Key<Profile, Map<Fault, Rate>> FAULTS =
      withDefault(
          "faults",
          new GroupShape<Map<Fault, Rate>>(
              ImmutableList.copyOf(BY_FAULT.values()), ProfileShape::bindFaults),
          Profile::faults,
          ImmutableMap.of(),
          "What is planted. Default: nothing.");

  /** The whole file. */
  static final GroupShape<Profile> PROFILE =
      new GroupShape<>(
          ImmutableList.of(
              CONTRACT,
              NAME,
              START,
              EVENTS_PER_SECOND,
              SOURCES,
              PARTITIONS,
              BUSINESS_KEYS,
              SCHEMA_VERSION,
              DELAYS,
              FAULTS),
          ProfileShape::bind);

  private ProfileShape() {}

  private static Delay bindDelay(Values<Delay> values) {
    Delay delay = new Delay(values.get(PERCENT), values.get(FROM), values.get(TO));
    if (delay.from().compareTo(delay.to()) >= 0) {
      values.problem(" has a from that is not shorter than its to", "give a longer to");
    } else if (delay.to().compareTo(LONGEST_DELAY) > 0) {
      values.problem(" has a to that is longer than an hour", "give at most PT1H");
    }
    return delay;
  }

  private static Map<Fault, Rate> bindFaults(Values<Map<Fault, Rate>> values) {
    Map<Fault, Rate> faults = new EnumMap<>(Fault.class);
    BY_FAULT.forEach(
        (fault, key) -> {
          if (values.has(key)) {
            faults.put(fault, values.get(key));
          }
        });
    for (Rate rate : faults.values()) {
      long asOften =
          faults.values().stream().filter(other -> other.oneIn() <= rate.oneIn()).count();
      if (asOften > rate.oneIn()) {
        values.problem(
            " plants " + asOften + " faults at least once in every " + rate.oneIn() + " events",
            "an event takes one fault; plant them less often");
        break;
      }
    }
    return ImmutableMap.copyOf(faults);
  }

  private static Profile bind(Values<Profile> values) {
    Profile profile =
        new Profile(
            values.get(NAME),
            values.get(START),
            values.get(EVENTS_PER_SECOND),
            values.get(SOURCES),
            values.get(PARTITIONS),
            values.get(BUSINESS_KEYS),
            values.get(SCHEMA_VERSION),
            values.get(DELAYS),
            ImmutableMap.copyOf(values.get(FAULTS)));
    if (profile.eventsPerSecond() > MICROS_PER_SECOND) {
      values.problem(" has more than a million events_per_second", "give at most 1000000");
    }
    int percent = profile.delays().stream().mapToInt(Delay::percent).sum();
    if (percent != 100) {
      values.problem(
          " has delays whose percentages add up to " + percent, "let them add up to 100");
    }
    return profile;
  }
}
