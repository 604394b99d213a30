package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.spec.FieldRef;
import dev.constat.rules.spec.HashRule;
import dev.constat.rules.spec.Lateness;
import dev.constat.rules.spec.SourceContract;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyPatternTest {

  private static final List<String> NAMED = List.of("revision", "updated_at");

  @Test
  void aRowHasTheRevisionInTheColumnThatTheSourceKeepsItIn() {
    KeyPattern pattern =
        KeyPattern.of(row(null, "v2"), contract("updated_at"), NAMED, column -> false);
    assertThat(pattern.fits(key("v2"))).isTrue();
    assertThat(pattern.fits(key("v1"))).isFalse();
  }

  @Test
  void aColumnCalledRevisionGoesFirst() {
    KeyPattern pattern =
        KeyPattern.of(row("v1", "v2"), contract("updated_at"), NAMED, column -> false);
    assertThat(pattern.fits(key("v1"))).isTrue();
    assertThat(pattern.fits(key("v2"))).isFalse();
  }

  @Test
  void aRevisionInsideThePayloadIsOnlyInAColumnCalledRevision() {
    SourceContract contract = contract("/payload/updated_at");
    assertThat(KeyPattern.of(row("1.0", null), contract, NAMED, column -> false).fits(key("1")))
        .isTrue();
    assertThat(KeyPattern.of(row(null, "v2"), contract, NAMED, column -> false).fits(key("v1")))
        .isTrue();
  }

  @Test
  void aRowWithoutARevisionFitsAny() {
    KeyPattern pattern =
        KeyPattern.of(row(null, null), contract("updated_at"), NAMED, column -> false);
    assertThat(pattern.fits(key("v1"))).isTrue();
    assertThat(pattern.fits(key("v2"))).isTrue();
  }

  private static EventKey key(String revision) {
    return EventKey.ofId("usgs", "e1", List.of(), Revision.of(revision));
  }

  private static SourceContract contract(String revision) {
    return new SourceContract(
        SourceContract.ANY,
        ImmutableList.of(),
        null,
        FieldRef.parse(revision),
        HashRule.JCS_EXACT_1,
        null,
        ImmutableMap.of(),
        null,
        null,
        Lateness.DEFAULT,
        SourceContract.DEFAULT.futureTolerance());
  }

  private static OutboxRow row(String revision, String updatedAt) {
    return new OutboxRow(
        "o1",
        "usgs",
        "e1",
        "publish",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        Revision.NONE,
        null,
        Arrays.asList(revision, updatedAt),
        null);
  }

  @Test
  void aColumnThatTheInputHasSaysNullToo() {
    KeyPattern pattern =
        KeyPattern.of(row(null, null), contract("updated_at"), NAMED, "updated_at"::equals);
    assertThat(pattern.names(key(null))).isTrue();
    assertThat(pattern.names(key("v1"))).isFalse();
    KeyPattern silent = KeyPattern.of(row(null, null), contract("updated_at"), NAMED, c -> false);
    assertThat(silent.names(key(null))).isFalse();
  }
}
