package dev.constat.rules.projection;

import static dev.constat.rules.disclosure.Disclosure.HASHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProjectionTablesTest {

  private static ProjectionRule ofKind(String kind) {
    return new ProjectionRule(
        "p",
        "1",
        kind,
        Fixture.KEY,
        null,
        Duration.ZERO,
        ImmutableMap.of(),
        null,
        ImmutableList.of(),
        ImmutableMap.of());
  }

  private static List<String> columns(ProjectionRule rule) {
    return ProjectionTables.of(rule).columns().stream()
        .map(column -> column.name() + " " + column.type())
        .toList();
  }

  @Test
  void aVersionHasATableWithAColumnPerAggregate() {
    ProjectionRule rule = Fixture.fixed("n COUNT", "d DISTINCT /v", "sum SUM /v", "l LAST /v");
    assertThat(ProjectionTables.of(rule).name()).isEqualTo("projections/p/version=1");
    assertThat(columns(rule))
        .containsExactly(
            "business_key TEXT",
            "window_start TIME",
            "window_end TIME",
            "n LONG",
            "d LONG",
            "sum TEXT",
            "l TEXT",
            "on_time LONG",
            "refined LONG",
            "too_late LONG",
            "flags TEXTS",
            "candidates TEXTS");
  }

  @Test
  void otherKindsHaveTheirOwnColumns() {
    assertThat(columns(Fixture.current("/v"))).contains("value TEXT").hasSize(9);
    assertThat(columns(Fixture.longestGap())).contains("gap_ms LONG", "ended_by TEXT").hasSize(10);
  }

  @Test
  void columnsOfOneNameAreWrittenAlikeEverywhere() {
    TableSchema table = ProjectionTables.of(Fixture.fixed("key FIRST /v", "reason FIRST /v"));
    assertThat(table.columns())
        .contains(
            new Column("key", Type.TEXT, true).as(HASHED),
            new Column("reason", Type.TEXT, false).as(HASHED));
  }

  @Test
  void noTwoColumnsHaveOneName() {
    assertThatThrownBy(() -> ProjectionTables.of(Fixture.fixed("on_time COUNT")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("p version 1 has two columns on_time");
  }

  @Test
  void anUnknownKindIsToldWhatThereIs() {
    assertThatThrownBy(() -> ProjectionTables.of(ofKind("longest-gop")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "There is no projection of kind longest-gop; built in: windowed, current; found:"
                + " longest-gap");
    assertThat(Projections.named("longest-gap")).isInstanceOf(LongestGap.class);
  }
}
