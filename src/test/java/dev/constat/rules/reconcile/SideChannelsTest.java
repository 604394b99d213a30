package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.outbox.Claims;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Acknowledgements past the outbox, and effect types that nothing writes. */
class SideChannelsTest {

  private static SideChannels told(Run run, Notes notes) {
    return DeliveryReport.of(run.facts().spec(), notes.tally()).sideChannels();
  }

  private static List<Finding> unexpected(Run run, Notes notes) {
    return VersionFindings.of(run.facts(), notes.tally()).stream()
        .filter(finding -> finding.kind() == Kind.UNEXPECTED_CONSUMER)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "'{type: notify, consumers: [c1]}', c9, true",
        "'{type: notify, consumers: [c1]}', -,  true",
        "'{type: notify, consumers: [c1]}', c1, false",
        "'{type: notify}',                  c9, false",
      })
  void aConsumerWithoutRowsMayBeUnexpected(String effect, String consumer, boolean found) {
    Run run = Run.undecided().effect(effect);
    Notes notes = new Notes();
    EffectJudge judge = new EffectJudge(run.facts(), notes);
    judge.orphanAck(Acks.at("10:00:02", "k").by(consumer).get("gone"));
    judge.orphanAck(Acks.at("10:00:09", "k").by(consumer).get("gone too"));
    List<Finding> unexpected = unexpected(run, notes);
    assertThat(unexpected).hasSize(found ? 1 : 0);
    if (found) {
      Finding finding = unexpected.get(0);
      assertThat(finding.subject())
          .isEqualTo(
              "{\"consumer\":"
                  + (consumer == null ? "null" : '"' + consumer + '"')
                  + ",\"effect_type\":null}");
      assertThat(finding.reason())
          .isEqualTo("A consumer that no entry names acknowledges what no row announces");
      assertThat(finding.occurrences()).isEqualTo(2);
    }
    SideChannels.OfConsumer channel = Iterables.getOnlyElement(told(run, notes).consumers());
    assertThat(channel)
        .isEqualTo(
            new SideChannels.OfConsumer(
                consumer, "c1".equals(consumer), 2, Times.at("10:00:02"), Times.at("10:00:09")));
  }

  @Test
  void onlyOrphansGoPastTheOutbox() {
    Run run = Run.undecided().effect("{type: notify, consumers: [c1]}");
    Notes notes = new Notes();
    EffectJudge judge = new EffectJudge(run.facts(), notes);
    judge.orphanAck(Acks.at("10:00:02", "k").by("c9").replay("R").get("gone"));
    judge.orphanAck(Acks.at("11:59:00", "k").by("c9").get("gone")); // in flight
    assertThat(told(run, notes).consumers()).isEmpty();
    assertThat(unexpected(run, notes)).isEmpty();
  }

  @Test
  void aTypeThatNothingWritesShows() {
    Run run =
        Run.undecided()
            .effect("{type: notify, consumers: [c1]}")
            .effect("{type: mail}")
            .effect("{type: never, when: {topic: other}}");
    Notes notes =
        Story.in(run)
            .receive(Receptions.of("i1").at("10:00:00"))
            .rows(Rows.of("o1"), Rows.of("o2").type("stray"))
            .tell();
    DeliveryTimes times = new DeliveryTimes(type -> java.time.Duration.ZERO);
    for (Rows row : List.of(Rows.of("o1"), Rows.of("o2").type("stray"))) {
      times.row(row.row(), new Claims(), null, true);
    }
    times.row(Rows.of("o3").type("mail").replay("R").row(), new Claims(), null, true);
    times.flush(notes.tally());
    SideChannels told = told(run, notes);
    assertThat(told.types())
        .containsExactly(
            new SideChannels.OfType("mail", true, 1, 0, null),
            new SideChannels.OfType("never", true, 0, 0, null),
            new SideChannels.OfType("notify", true, 1, 1, Times.at("10:00:01")),
            new SideChannels.OfType("stray", false, 0, 1, Times.at("10:00:01")));
    assertThat(
            told.types().stream()
                .filter(SideChannels.OfType::unwritten)
                .map(SideChannels.OfType::effectType))
        .containsExactly("mail");
  }
}
