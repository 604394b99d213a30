package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.plan.PlanLine;
import dev.constat.rules.plan.RepairDesk;
import dev.constat.rules.plan.RepairPlanner;
import dev.constat.rules.spec.RepairPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which messages mend the errors of an event, and which had better not be sent. */
class RepairPlannerTest {

  private static final String NOTIFY = "{type: notify, consumers: [c1, c2]}";
  private static final String ORDERED = "{type: notify, consumers: [c1, c2], order: aggregate}";

  private final List<String> said = new ArrayList<>();

  private final class Desk implements RepairDesk {

    @Override
    public void message(PlanLine line) {
      said.add(text(line));
    }

    @Override
    public void ordered(Aggregate aggregate, PlanLine line, boolean unlessHeld) {
      said.add("in " + aggregate.id() + (unlessHeld ? " unless held: " : ": ") + text(line));
    }

    @Override
    public void head(Aggregate aggregate, String outboxId) {
      said.add("head " + outboxId);
    }

    @Override
    public void delivered(Aggregate aggregate, String outboxId) {
      said.add("delivered " + outboxId);
    }
  }

  private static String text(PlanLine line) {
    String message =
        "%s %s %s to %s"
            .formatted(
                line.value("action"),
                line.value("outbox_id"),
                line.value("kind"),
                line.value("consumers"));
    if (!line.table().name().equals("withheld")) {
      return message
          + " "
          + line.value("idempotency_key_from")
          + " "
          + line.value("idempotency_key")
          + " acked "
          + line.value("already_acknowledged");
    }
    Object becauseOf = line.value("because_of");
    return "withheld "
        + line.value("reason")
        + (becauseOf == null ? "" : " of " + becauseOf)
        + ": "
        + message;
  }

  private Story story(Run run) {
    return story(run, Receptions.of("i1").at("10:00:00"));
  }

  private Story story(Run run, Receptions first) {
    return Story.in(run).planning(facts -> new RepairPlanner(facts, new Desk())).receive(first);
  }

  private static Arguments of(String what, UnaryOperator<Story> told, String... said) {
    return arguments(what, told, List.of(said));
  }

  private static Rows sent(String id) {
    return Rows.of(id).dispatched("10:00:02");
  }

  private static Rows stuck(String id) {
    return Rows.of(id).pending();
  }

  static Stream<Arguments> events() {
    return Stream.of(
        of(
            "all is well",
            story ->
                story.rows(
                    sent("o1")
                        .acks(
                            Acks.at("10:00:03", "k"), Acks.at("10:00:03", "k").by("c2").id("b")))),
        of(
            "no row",
            story -> story,
            "CREATE null MISSING_OUTBOX to [\"c1\",\"c2\"] source_event_id e1 acked []"),
        of(
            "no row, and an acknowledgement of one",
            story -> story.looseAck("a9"),
            "withheld ACKNOWLEDGED_WITHOUT_ROW of a9: CREATE null MISSING_OUTBOX to"
                + " [\"c1\",\"c2\"]"),
        of(
            "stuck",
            story -> story.rows(stuck("o1")),
            "SEND o1 STUCK_PENDING to [\"c1\",\"c2\"] source_event_id e1 acked []"),
        of(
            "no attempt left",
            story -> story.rows(stuck("o1").attempts(5L)),
            "SEND o1 IMPLICIT_DLQ to [\"c1\",\"c2\"] source_event_id e1 acked []"),
        of(
            "a lease that ended",
            story ->
                story.rows(Rows.of("o1").processing().claimed("10:01:00").lease("w", "10:02:00")),
            "SEND o1 STUCK_LEASE to [\"c1\",\"c2\"] source_event_id e1 acked []"),
        of("given up, which is no error", story -> story.rows(Rows.of("o1").status(Status.DLQ))),
        of(
            "one consumer never answered; the other shows the key",
            story -> story.rows(sent("o1").acks(Acks.at("10:00:03", "k"))),
            "SEND o1 MISSING_ACK to [\"c2\"] effect_key k acked [\"c1\"]"),
        of(
            "it refused: not applied is no effect, but shows the key",
            story ->
                story.rows(
                    sent("o1")
                        .acks(
                            Acks.at("10:00:03", "k"),
                            Acks.at("10:00:03", "k").by("c2").id("b").applied(false))),
            "SEND o1 MISSING_ACK to [\"c2\"] effect_key k acked [\"c1\"]"),
        of(
            "two keys are no key",
            story ->
                story.rows(sent("o1").acks(Acks.at("10:00:03", "k"), Acks.at("10:00:04", "l"))),
            "SEND o1 MISSING_ACK to [\"c2\"] source_event_id e1 acked [\"c1\"]"),
        of(
            "a replay delivered what the original did not: sent again, it would come twice",
            story ->
                story.rows(
                    sent("o1")
                        .acks(
                            Acks.at("10:00:03", "k").replay("r"),
                            Acks.at("10:00:03", "k").by("c2").id("b"))),
            "withheld DELIVERED_BY_REPLAY of r: SEND o1 MISSING_ACK to []"),
        of(
            "a replay delivered it to one of two, under its own key",
            story -> story.rows(sent("o1").acks(Acks.at("10:00:03", "k").replay("r"))),
            "SEND o1 MISSING_ACK to [\"c2\"] effect_key k acked []"),
        of(
            "nobody knows whose the acknowledgement is",
            story -> story.rows(sent("o1").acks(Acks.at("10:00:03", "k").by(null))),
            "withheld UNNAMED_CONSUMER of o1: SEND o1 MISSING_ACK to [\"c1\",\"c2\"]"),
        of(
            "the effect came through the surplus row",
            story ->
                story.rows(
                    stuck("o1"),
                    Rows.of("o2")
                        .created("10:00:05")
                        .dispatched("10:00:06")
                        .acks(Acks.at("10:00:07", "k"), Acks.at("10:00:07", "k").by("c2").id("b"))),
            "withheld ACKNOWLEDGED of o2: SEND o1 STUCK_PENDING to []"),
        of(
            "half of it did",
            story ->
                story.rows(
                    stuck("o1"),
                    Rows.of("o2")
                        .created("10:00:05")
                        .dispatched("10:00:06")
                        .acks(Acks.at("10:00:07", "k"))),
            "SEND o1 STUCK_PENDING to [\"c2\"] source_event_id e1 acked [\"c1\"]"),
        of(
            "both rows are stuck; one must not be sent",
            story -> story.rows(stuck("o1"), stuck("o2").created("10:00:05")),
            "withheld SURPLUS of o1: SEND o2 STUCK_PENDING to [\"c1\",\"c2\"]",
            "SEND o1 STUCK_PENDING to [\"c1\",\"c2\"] source_event_id e1 acked []"),
        of(
            "a row of a replay; the original is missing",
            story -> story.rows(stuck("o1").replay("r")),
            "CREATE null MISSING_OUTBOX to [\"c1\",\"c2\"] source_event_id e1 acked []",
            "withheld REPLAY: SEND o1 STUCK_PENDING to [\"c1\",\"c2\"]"),
        of(
            "a row that contradicts itself",
            story -> story.rows(stuck("o1").claimed("09:00:00")),
            "withheld IMPOSSIBLE_STATE: SEND o1 STUCK_PENDING to [\"c1\",\"c2\"]"),
        of(
            "an event of which nobody knows the content",
            story ->
                story
                    .receive(Receptions.of("i1").at("10:00:00").hash("other"))
                    .receive(Receptions.of("i2").at("10:01:00"))
                    .rows(stuck("o1")),
            "withheld ARCHIVE_CONFLICT: SEND o1 STUCK_PENDING to [\"c1\",\"c2\"]"),
        of(
            "settled just in time, and a row of a type that no entry names",
            story -> story.rows(sent("o1").dispatched("11:49:00"), stuck("x").type("other")),
            "SEND x STUCK_PENDING to null source_event_id e1 acked []",
            "SEND o1 MISSING_ACK to [\"c1\",\"c2\"] source_event_id e1 acked []"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("events")
  void aMessageMendsWhatItCanBeProvenFor(
      String what, UnaryOperator<Story> told, List<String> expected) {
    told.apply(story(Run.undecided().effect(NOTIFY))).tell();
    assertThat(said).as(what).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static Arguments of(UnaryOperator<Run> run, String reason) {
    return arguments(run, reason);
  }

  static Stream<Arguments> acknowledgements() {
    return Stream.of(
        of(run -> run, "SEND"),
        of(run -> run.without(Input.ACKNOWLEDGEMENTS), "ACKNOWLEDGEMENTS_NOT_CONFIGURED"),
        of(run -> run.empty(Input.ACKNOWLEDGEMENTS), "ACKNOWLEDGEMENTS_EMPTY"),
        of(run -> run.incomplete(Input.ACKNOWLEDGEMENTS), "ACKNOWLEDGEMENTS_INCOMPLETE"),
        of(run -> run.cut(Input.ACKNOWLEDGEMENTS, "10:10:00"), "ACKNOWLEDGEMENTS_END_TOO_EARLY"),
        of(
            run ->
                run.archive(
                    Input.ACKNOWLEDGEMENTS,
                    "cut: 2026-01-05T12:00:00Z, start: 2026-01-05T10:00:02Z"),
            "ACKNOWLEDGEMENTS_BEGIN_TOO_LATE"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("acknowledgements")
  void withoutAllAcknowledgementsNothingIsProven(UnaryOperator<Run> run, String reason) {
    story(run.apply(Run.undecided().effect(NOTIFY))).rows(stuck("o1")).tell();
    assertThat(said).hasSize(1);
    assertThat(said.get(0)).contains(reason);
  }

  @Test
  void whoeverTheConsumersAreNoneMayHaveAcknowledged() {
    story(Run.undecided().effect("{type: notify}"))
        .rows(
            stuck("o1"), Rows.of("o2").created("10:00:05").acks(Acks.at("10:00:07", "k").by("c9")))
        .tell();
    assertThat(said).containsExactly("withheld ACKNOWLEDGED of o2: SEND o1 STUCK_PENDING to null");
  }

  @Test
  void rowsOfNoEventAreWithheld() {
    Story.in(Run.undecided().effect(NOTIFY))
        .planning(facts -> new RepairPlanner(facts, new Desk()))
        .rows(stuck("o1"))
        .orphans(EffectJudge.UNKNOWN_EVENT);
    assertThat(said).containsExactly("withheld ORPHAN: SEND o1 STUCK_PENDING to [\"c1\",\"c2\"]");
  }

  @Test
  void whatKeepsOrderGoesToItsAggregate() {
    story(Run.undecided().effect(ORDERED))
        .rows(
            Rows.of("o1").processing().claimed("10:01:00").lease("w", "10:02:00"),
            stuck("o2").created("10:00:05"),
            sent("o3").created("10:00:06"))
        .tell();
    assertThat(said)
        .containsExactlyInAnyOrder(
            "head o1",
            "head o2",
            "delivered o3",
            "in a1 unless held: withheld SURPLUS of o1: SEND o2 STUCK_PENDING to [\"c1\",\"c2\"]",
            "in a1: SEND o1 STUCK_LEASE to [\"c1\",\"c2\"] source_event_id e1 acked []");
  }

  @Test
  void whatIsStuckUnlessHeldIsLeftToItsAggregate() {
    Notes notes = story(Run.undecided().effect(ORDERED)).rows(stuck("o1")).tell();
    assertThat(said)
        .containsExactlyInAnyOrder(
            "head o1",
            "in a1 unless held: SEND o1 STUCK_PENDING to [\"c1\",\"c2\"] source_event_id e1"
                + " acked []");
    assertThat(notes.findings(Kind.STUCK_PENDING)).isEmpty();
  }

  @Test
  void aMessageWithoutAggregateCannotKeepItsOrder() {
    story(Run.undecided().effect(ORDERED), Receptions.of("i1").at("10:00:00").aggregate(null))
        .tell();
    assertThat(said).hasSize(1);
    assertThat(said.get(0)).startsWith("withheld AGGREGATE_UNKNOWN: CREATE");
  }

  @Test
  void whatIsMended() {
    assertThat(Stream.of(Kind.values()).filter(RepairPlanner::mends))
        .containsExactlyInAnyOrder(
            Kind.MISSING_OUTBOX,
            Kind.STUCK_PENDING,
            Kind.STUCK_LEASE,
            Kind.IMPLICIT_DLQ,
            Kind.MISSING_ACK);
    assertThat(new RepairPlan().settings()).isEmpty();
  }
}
