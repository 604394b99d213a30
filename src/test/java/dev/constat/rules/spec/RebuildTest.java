package dev.constat.rules.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.envelope.Input;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of a run spec when a projection is rebuilt. */
class RebuildTest {

  private static final String VERSION =
      "{version: '%s', kind: windowed, key: business_key, window: {fixed: PT10M}, "
          + "aggregates: {n: count}}";
  private static final RunSpec SPEC =
      Specs.parse(
          """
          constat: 1
          archives:
            events: {files: e}
            outbox: {files: o}
          effects: {type: t}
          checks: {identity_drift: true}
          projections:
            - name: volume
              versions: [%s, %s, %s]
            - name: last
              versions: {version: '1', kind: current, key: business_key, value: /status}
          """
              .formatted(VERSION.formatted("1"), VERSION.formatted("2"), VERSION.formatted("2b")));

  @Test
  void eventsAndTheProjectionAreLeft() {
    RunSpec rebuild = SPEC.rebuilding("volume", List.of());
    assertThat(rebuild.archives()).containsOnlyKeys(Input.EVENTS);
    assertThat(rebuild.effects()).isEmpty();
    assertThat(rebuild.identityDrift()).isFalse();
    assertThat(versions(rebuild)).containsExactly("1", "2", "2b");
    assertThat(rebuild.sources()).isEqualTo(SPEC.sources());
    assertThat(SPEC.rebuild()).isNull();
    assertThat(SPEC.comparesVersions()).isFalse();
  }

  @Test
  void versionsStandAsTheyAreAskedForEachOnce() {
    RunSpec rebuild = SPEC.rebuilding("volume", List.of("2b", "1", "2b"));
    assertThat(versions(rebuild)).containsExactly("2b", "1");
    assertThat(rebuild.comparesVersions()).isTrue();
    assertThat(SPEC.rebuilding("volume", List.of("2")).comparesVersions()).isFalse();
  }

  private static List<String> versions(RunSpec spec) {
    return spec.projections().stream().map(ProjectionRule::version).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          volum  | 1 | --projection: 'volum' is no projection of the run spec; \
          use volume or last (nearest: volume)
          volume | 3 | --version: '3' is no version of volume; use 1 or 2 or 2b (nearest: 1)
          last   | 2 | --version: '2' is no version of last; use 1
          """)
  void whatIsNotThereIsRefused(String projection, String version, String message) {
    assertThatThrownBy(() -> SPEC.rebuilding(projection, List.of(version)))
        .isInstanceOf(SpecException.class)
        .hasMessage(message);
  }

  @Test
  void withoutProjectionsThereIsNothingToRebuild() {
    assertThatThrownBy(() -> Specs.parse(Specs.SMALLEST).rebuilding("volume", List.of()))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "--projection: 'volume' is no projection of the run spec; it has none;"
                + " give it projections");
  }

  @Test
  void everyPartOfTheWorkHasAnotherText() {
    List<String> texts =
        Stream.of(
                SPEC,
                SPEC.rebuilding("volume", List.of()),
                SPEC.rebuilding("volume", List.of("1", "2")),
                SPEC.rebuilding("volume", List.of("2", "1")),
                SPEC.rebuilding("last", List.of()),
                new RunSpecOverrides(null, "2026-01-05T10:00:00Z", null, null)
                    .applyTo(SPEC)
                    .rebuilding("volume", List.of()),
                new RunSpecOverrides(null, null, "2026-01-05T10:00:00Z", null)
                    .applyTo(SPEC)
                    .rebuilding("volume", List.of()))
            .map(RunSpec::canonical)
            .toList();
    assertThat(texts).doesNotHaveDuplicates();
  }

  @Test
  void aRangeLimitsWhatIsRebuiltAndNotWhatIsRead() {
    RunSpec rebuild =
        new RunSpecOverrides(null, "2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z", null)
            .applyTo(SPEC)
            .rebuilding("volume", List.of());
    assertThat(rebuild.from()).isNull();
    assertThat(rebuild.to()).isNull();
    assertThat(rebuild.rebuild())
        .isEqualTo(
            new Rebuild(
                Instant.parse("2026-01-05T10:00:00Z"), Instant.parse("2026-01-05T11:00:00Z")));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          10, 20,  0, 10, false
          10, 20,  0, 11, true
          10, 20, 12, 15, true
          10, 20, 19, 30, true
          10, 20, 20, 30, false
          -,  20,  0,  1, true
          -,  20, 20, 21, false
          10,  -,  0, 10, false
          10,  -, 90, 91, true
          -,   -,  0,  1, true
          """)
  void aWindowIsInItWhereItHasAnInstantOfIt(
      Long from, Long to, long start, long end, boolean meets) {
    assertThat(new Rebuild(at(from), at(to)).meets(at(start), at(end))).isEqualTo(meets);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          10, 20,  9, false
          10, 20, 10, true
          10, 20, 19, true
          10, 20, 20, false
          -,  20,  0, true
          10,  -, 99, true
          """)
  void anInstantIsInItFromItsBeginningUpToItsEnd(Long from, Long to, long instant, boolean holds) {
    assertThat(new Rebuild(at(from), at(to)).holds(at(instant))).isEqualTo(holds);
  }

  private static Instant at(Long seconds) {
    return seconds == null ? null : Instant.ofEpochSecond(seconds);
  }
}
