package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.plan.PlanLine;
import dev.constat.rules.plan.PlanTally;
import dev.constat.rules.plan.ReplayPlanner;
import dev.constat.rules.spec.ReplayPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a replay of topic t, from 10:00:00 to 11:00:00, takes of an event. */
class ReplayPlannerTest {

  private static final String NOTIFY = "{type: notify, consumers: [c1, c2], replayable: true}";

  private final List<PlanLine> lines = new ArrayList<>();
  private final Tally tally = new Tally();

  private Story story(Run run) {
    return Story.in(run)
        .planning(
            facts ->
                new ReplayPlanner(
                    facts,
                    new ReplayPlan("t", Times.at("10:00:00"), Times.at("11:00:00"), "r"),
                    lines::add,
                    () -> tally));
  }

  private static Receptions e1() {
    return Receptions.of("i1").at("10:30:00").topic("t");
  }

  private String line() {
    if (lines.isEmpty()) {
      return "-";
    }
    assertThat(lines).hasSize(1);
    PlanLine line = lines.get(0);
    return line.table().name().equals("withheld")
        ? "withheld " + line.value("reason")
        : line.value("created_at").toString().substring(11, 19)
            + " "
            + line.value("topic")
            + " "
            + line.value("effects")
            + " withheld "
            + line.value("withheld");
  }

  private static Arguments of(String what, UnaryOperator<Story> told, String line) {
    return arguments(what, told, line);
  }

  static Stream<Arguments> events() {
    String none =
        " t [{\"already_acknowledged\":[],\"consumers\":[\"c1\",\"c2\"],"
            + "\"effect_type\":\"notify\"}] withheld []";
    return Stream.of(
        of("its first reception dates it", story -> story.receive(e1()), "10:30:00" + none),
        of(
            "its smallest row dates it",
            story ->
                story
                    .receive(e1())
                    .rows(
                        Rows.of("b").created("10:20:00"),
                        Rows.of("a").type("other").created("10:10:00")),
            "10:10:00" + none),
        of(
            "a row of a replay dates nothing",
            story -> story.receive(e1()).rows(Rows.of("a").created("10:10:00").replay("r1")),
            "10:30:00" + none),
        of(
            "its row brings it into the interval",
            story -> story.receive(e1().at("11:00:01")).rows(Rows.of("a").created("11:00:00")),
            "11:00:00" + none),
        of(
            "its row takes it out of the interval",
            story -> story.receive(e1()).rows(Rows.of("a").created("09:59:59")),
            "-"),
        of(
            "the first instant is in it",
            story -> story.receive(e1().at("10:00:00")),
            "10:00:00" + none),
        of(
            "the last instant is in it",
            story -> story.receive(e1().at("11:00:00")),
            "11:00:00" + none),
        of("what is before is not", story -> story.receive(e1().at("09:59:59")), "-"),
        of("another topic", story -> story.receive(e1().topic("u")), "-"),
        of("no topic", story -> story.receive(e1().topic(null)), "-"),
        of(
            "the topic of its smallest row that has one",
            story ->
                story
                    .receive(e1().topic(null))
                    .rows(
                        Rows.of("a").created("10:30:00"),
                        Rows.of("b").type("other").created("10:31:00").topic("t"),
                        Rows.of("c").type("third").created("10:32:00").topic("u")),
            "10:30:00" + none),
        of(
            "its own topic comes first",
            story -> story.receive(e1().topic("u")).rows(Rows.of("a").topic("t")),
            "-"),
        of(
            "who acknowledged it before",
            story ->
                story
                    .receive(e1())
                    .rows(
                        Rows.of("a")
                            .created("10:30:00")
                            .acks(
                                Acks.at("10:31:00", "k").by("c2"),
                                Acks.at("10:32:00", "k").by("c1").applied(false),
                                Acks.at("10:33:00", "k").by("c1").replay("r1"))),
            "10:30:00 t [{\"already_acknowledged\":[\"c2\"],\"consumers\":[\"c1\",\"c2\"],"
                + "\"effect_type\":\"notify\"}] withheld []"),
        of(
            "a duplicate is no event",
            story -> story.receive(e1(), Receptions.of("i2").at("10:40:00").topic("t")),
            "10:30:00" + none),
        of(
            "of two contents the first stands",
            story ->
                story.receive(e1(), Receptions.of("i2").at("10:40:00").topic("t").hash("other")),
            "10:30:00" + none),
        of(
            "an id with two contents",
            story ->
                story.receive(
                    e1(), e1().at("10:40:00"), Receptions.of("i9").at("10:50:00").topic("t")),
            "withheld ARCHIVE_CONFLICT"),
        of(
            "known from a replay alone",
            story -> story.receive(e1().replay("r1", "e1")),
            "withheld ORIGINAL_ABSENT"),
        of("without an id", story -> story.receive(e1().fingerprint("f")), "withheld NO_EVENT_ID"),
        of(
            "a row names several events",
            story -> story.receive(e1()).ambiguous(),
            "withheld AMBIGUOUS_EVENT"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("events")
  void eventsOfTheTopicAndIntervalArePublished(
      String what, UnaryOperator<Story> told, String line) {
    told.apply(story(Run.undecided().effect(NOTIFY))).tell();
    assertThat(line()).as(what).isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {type: notify, replayable: true}            | 1 0 1 0 0
          {type: notify, consumers: [c1, c2], replayable: true} | 1 2 0 1 0
          {type: notify, consumers: [c2], replayable: true} | 1 1 0 0 0
          {type: notify, consumers: [c1, c2]}         | 0 0 0 0 1
          {type: notify, consumers: [c1], replayable: true, when: {topic: u}} | 0 0 0 0 0
          {type: notify, consumers: [c1], replayable: true, when: {topic: t}} | 1 1 0 1 0
          """)
  void effectsArePredicted(String entry, String counts) {
    story(Run.undecided().effect(entry))
        .receive(e1())
        .rows(Rows.of("a").created("10:30:00").acks(Acks.at("10:31:00", "k")))
        .tell();
    List<String> lines =
        Arrays.stream(PlanTally.Line.values())
            .map(line -> Long.toString(tally.sum(PlanTally.EFFECTS, "notify", line.name())))
            .toList();
    assertThat(String.join(" ", lines)).isEqualTo(counts);
  }

  @Test
  void withoutAcknowledgementsNobodyKnowsWhatWasAcknowledged() {
    story(Run.undecided().effect(NOTIFY).without(Input.ACKNOWLEDGEMENTS)).receive(e1()).tell();
    assertThat(line()).contains("\"already_acknowledged\":null");
  }

  @Test
  void aReplayedMessageSaysSo() {
    story(Run.undecided().effect(NOTIFY)).receive(e1()).tell();
    PlanLine line = lines.get(0);
    assertThat(
            List.of(
                line.value("headers.x-replay"),
                line.value("headers.x-replay-batch-id"),
                line.value("headers.x-original-event-id")))
        .containsExactly("true", "r", "e1");
    assertThat(line.value("key")).isEqualTo("{\"source\":\"S\",\"source_event_id\":\"e1\"}");
  }

  @Test
  void acceptedEventsWithoutTopicAreCounted() {
    story(Run.undecided().effect(NOTIFY)).receive(e1().topic(null)).tell();
    assertThat(tally.sum(PlanTally.WITHOUT_TOPIC)).isEqualTo(1);
  }
}
