package dev.constat.rules.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.findings.Tally;
import dev.constat.rules.replay.Replay.Scope;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the registry knows, and what a replay was meant to republish. */
final class ReplayRegistryTest {

  static Tally tally(Registered... rows) {
    Tally tally = new Tally();
    for (Registered row : rows) {
      ReplayRegistry.add(row.get(), tally);
    }
    return Tally.fromBytes(tally.toBytes());
  }

  @Test
  void rowsComeBackAsTheyWere() {
    Registered all =
        Registered.of("r1")
            .topic("t")
            .between("08:00:00", "10:00:00?")
            .version("3")
            .ownKeys()
            .started("11:00:00")
            .line(4);
    ReplayRegistry registry = ReplayRegistry.of(tally(all, Registered.of("r2")));

    assertThat(registry.replays()).containsExactly(all.get(), Registered.of("r2").get());
    assertThat(registry.replay("r3")).isNull();
    assertThat(registry.rows()).isEqualTo(2);
    assertThat(registry.copies()).isZero();
  }

  @Test
  void equalRowsAreCopies() {
    ReplayRegistry registry =
        ReplayRegistry.of(
            tally(
                Registered.of("r1").topic("t").line(3),
                Registered.of("r1").topic("t").line(1),
                Registered.of("r1").topic("t").line(2)));

    assertThat(registry.replays()).containsExactly(Registered.of("r1").topic("t").line(1).get());
    assertThat(registry.rows()).isEqualTo(1);
    assertThat(registry.copies()).isEqualTo(2);
    assertThat(registry.superseded()).isEmpty();
  }

  @Test
  void ofUnequalRowsTheOneStartedLastHolds() {
    Registered never = Registered.of("r1").topic("z").authorised().line(1);
    Registered early = Registered.of("r1").topic("y").authorised().started("08:00:00").line(2);
    Registered late = Registered.of("r1").topic("a").started("09:00:00").line(3);
    Registered greater = Registered.of("r1").topic("b").started("09:00:00").line(4);
    ReplayRegistry registry = ReplayRegistry.of(tally(greater, late, never, early));

    assertThat(registry.replay("r1")).isEqualTo(greater.get());
    assertThat(registry.superseded())
        .containsExactlyInAnyOrder(never.get(), early.get(), late.get());
    assertThat(registry.rows()).isEqualTo(4);
  }

  static Stream<Arguments> scopes() {
    Registered since = Registered.of("r").between("08:00:00", null);
    Registered until = Registered.of("r").between(null, "10:00:00");
    Registered topical = Registered.of("r").topic("t");
    return Stream.of(
        arguments(Registered.of("r"), "00:00:00", "t", Scope.INSIDE),
        arguments(since, "08:00:00", null, Scope.INSIDE),
        arguments(since, "07:59:59.999999999", null, Scope.BEFORE),
        arguments(until, "10:00:00", null, Scope.INSIDE),
        arguments(until, "10:00:00.000000001", null, Scope.AFTER),
        arguments(topical, "09:00:00", "u", Scope.OTHER_TOPIC),
        arguments(topical, "09:00:00", "", Scope.OTHER_TOPIC),
        arguments(topical, "09:00:00", null, Scope.INSIDE),
        arguments(topical, "09:00:00", "t", Scope.INSIDE),
        arguments(
            Registered.of("r").between("08:00:00?", "10:00:00"), "11:00:00", "t", Scope.UNKNOWN),
        arguments(
            Registered.of("r").topic("t").between("08:00:00?", null),
            "11:00:00",
            "u",
            Scope.OTHER_TOPIC),
        // an interval that ends before it begins holds nothing
        arguments(
            Registered.of("r").between("10:00:00", "08:00:00"), "09:00:00", null, Scope.BEFORE));
  }

  @ParameterizedTest
  @MethodSource("scopes")
  void intervalsAreInclusive(Registered replay, String createdAt, String topic, Scope scope) {
    assertThat(replay.get().scopeOf(Registered.at(createdAt), topic)).isEqualTo(scope);
  }

  @Test
  void segmentsTellEndsFromWhatLiesBetween() {
    ReplayIntervals intervals =
        ReplayRegistry.of(
                tally(
                    Registered.of("a").between("08:00:00", "10:00:00"),
                    Registered.of("b").between("10:00:00", null),
                    Registered.of("c").between("11:00:00?", null)))
            .intervals();

    assertThat(
            Stream.of("07:00:00", "08:00:00", "09:00:00", "10:00:00", "11:00:00")
                .map(Registered::at)
                .map(intervals::segment))
        .containsExactly(0, 1, 2, 3, 4);
    assertThat(IntStream.range(0, 5).mapToObj(intervals::holding))
        .extracting(holding -> holding.stream().map(Replay::replayId).toList().toString())
        .containsExactly("[]", "[a]", "[a]", "[a, b]", "[b]");
  }

  @Test
  void whatNobodySawNeedNotBeFollowed() {
    Tally tally = tally(Registered.of("r1"), Registered.of("r2"));
    ReplaysSeen.Noter noter = new ReplaysSeen.Noter(tally);
    noter.note(null);
    noter.note("r1");
    assertThat(ReplayRegistry.of(tally).seen("r1")).isTrue();
    assertThat(ReplayRegistry.of(tally).seen("r2")).isFalse();
    for (int i = 0; i <= ReplaysSeen.MAX_IDS; i++) {
      noter.note("x" + i);
    }
    assertThat(ReplayRegistry.of(tally).seen("r2")).isTrue();
  }

  @Test
  void whatIsListedDoesNotDependOnHowHistoryWasSplit() {
    Tally whole = tally(Registered.of("zz"));
    Tally parts = tally(Registered.of("zz"));
    ReplayRegistry registry = ReplayRegistry.of(whole);
    ReplayActivity one = new ReplayActivity(registry);
    ReplayActivity[] many = {
      new ReplayActivity(registry), new ReplayActivity(registry), new ReplayActivity(registry)
    };
    int ids = 2 * ReplayActivity.MAX_UNREGISTERED;
    for (int i = 0; i < 3 * ids; i++) {
      String id = "u" + (i * 7919L % ids);
      one.count(id, ReplayActivity.What.ACKS, 1, Registered.at("09:00:00"));
      many[i % 3].count(id, ReplayActivity.What.ACKS, 1, Registered.at("09:00:00"));
    }
    one.count("zz", ReplayActivity.What.ROWS, 1, null);
    many[1].count("zz", ReplayActivity.What.ROWS, 1, null);
    one.addTo(whole);
    for (ReplayActivity activity : many) {
      activity.addTo(parts);
    }

    assertThat(ReplayActivity.listed(registry, whole))
        .hasSize(ReplayActivity.MAX_UNREGISTERED + 1)
        .contains("zz")
        .isEqualTo(ReplayActivity.listed(registry, parts))
        .allSatisfy(
            id ->
                assertThat(ReplayActivity.sum(whole, id, ReplayActivity.What.ACKS))
                    .isEqualTo(ReplayActivity.sum(parts, id, ReplayActivity.What.ACKS)));
  }
}
