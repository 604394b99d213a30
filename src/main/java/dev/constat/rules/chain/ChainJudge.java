package dev.constat.rules.chain;

import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** States where corrections do not form chains (spec sections 5 and 6). */
public final class ChainJudge {

  /** How many members of a fork or cycle a finding names at most. */
  public static final int MAX_NAMED = 10;

  /** Under what standing corrections are counted whose target happened before the extract. */
  public static final String UNRESOLVED_OUT_OF_HORIZON = "UNRESOLVED_OUT_OF_HORIZON";

  private static final String IN_FLIGHT = "IN_FLIGHT";
  private static final String OUTSIDE = "outside --from/--to";
  private static final String POSSIBLY_BEFORE_START = "POSSIBLY_BEFORE_START";
  private static final String RULE = "chains/1";

  private final List<String> scopeColumns;
  private final Instant start;
  private final Instant settled;
  private final Predicate<Instant> judged;
  private final Tally tally;
  private final Consumer<Finding> findings;

  /**
   * A judge of the chains of a source.
   *
   * @param scopeColumns names of the scope columns of the source's keys, in the contract's order
   * @param start from when on the extract of events is complete, or null where that is unknown
   * @param settled up to when what was received must have its target: the cut of events less the
   *     grace
   * @param judged whether events first received then are judged
   * @param tally where to count
   * @param findings what takes findings
   */
  public ChainJudge(
      List<String> scopeColumns,
      Instant start,
      Instant settled,
      Predicate<Instant> judged,
      Tally tally,
      Consumer<Finding> findings) {
    this.scopeColumns = scopeColumns;
    this.start = start;
    this.settled = settled;
    this.judged = judged;
    this.tally = tally;
    this.findings = findings;
  }

  /** Judges the chains of one scope. */
  public void judge(Chains chains) {
    BitSet told = new BitSet();
    for (int member = 0; member < chains.size(); member++) {
      Link link = chains.link(member);
      if (chains.broken(member)) {
        broken(link);
      } else if (chains.target(member) != Chains.NONE) {
        judged(link, Kind.BROKEN_CHAIN);
        if (!chains.inCycle(member)) {
          judged(link, Kind.CORRECTION_CYCLE);
          order(link, chains.link(chains.target(member)));
        } else if (!told.get(member)) {
          cycle(chains, member, told);
        }
      }
      if (chains.firstSuccessor(member) != Chains.NONE
          && judged(link, Kind.CORRECTION_FORK)
          && chains.fork(member)) {
        fork(chains, member);
      }
    }
  }

  private void broken(Link link) {
    if (!judged.test(link.receivedAt())) {
      Coverage.notJudged(tally, Kind.BROKEN_CHAIN, OUTSIDE);
      return;
    }
    Instant target = link.supersedesOccurredAt().orNull();
    if (start != null && target != null && target.isBefore(start)) {
      Coverage.silent(tally, Kind.BROKEN_CHAIN, UNRESOLVED_OUT_OF_HORIZON);
      return;
    }
    if (link.receivedAt().isAfter(settled)) {
      Coverage.silent(tally, Kind.BROKEN_CHAIN, IN_FLIGHT);
      return;
    }
    Coverage.judged(tally, Kind.BROKEN_CHAIN);
    boolean own = link.supersedes() == null || link.supersedes().equals(link.key().id());
    findings.accept(
        about(Kind.BROKEN_CHAIN, link)
            .because(
                own
                    ? Sentence.of("Corrects a smaller revision that is nowhere in the archive")
                    : Sentence.of("Corrects ")
                        .value("supersedes", link.supersedes())
                        .and(", which is nowhere in the archive"))
            .sides(
                new JsonObject().put("target", "present"),
                new JsonObject()
                    .put("target", "absent")
                    .put("supersedes", link.supersedes())
                    .put("supersedes_occurred_at", target))
            .when(link.receivedAt())
            .hint(start != null && target == null, POSSIBLY_BEFORE_START)
            .finding());
  }

  private void order(Link link, Link target) {
    if (!judged(link, Kind.CORRECTION_BEFORE_TARGET) || !link.arrivedBefore(target)) {
      return;
    }
    findings.accept(
        about(Kind.CORRECTION_BEFORE_TARGET, link)
            .because("Received before what it corrects")
            .sides(
                new JsonObject().put("order", "target first"),
                new JsonObject()
                    .put("received_at", link.receivedAt())
                    .put("ingestion_id", link.ingestionId())
                    .put("target", name(target))
                    .put("target_received_at", target.receivedAt())
                    .put("target_ingestion_id", target.ingestionId()))
            .seenAt(target.place())
            .when(link.receivedAt(), target.receivedAt())
            .finding());
  }

  /** States a cycle at its smallest member, which is met first. */
  private void cycle(Chains chains, int member, BitSet told) {
    Link link = chains.link(member);
    Statement statement = about(Kind.CORRECTION_CYCLE, link);
    List<String> names = new ArrayList<>();
    long members = 0;
    int at = member;
    do {
      told.set(at);
      members++;
      Link next = chains.link(at);
      statement.when(next.receivedAt());
      if (names.size() < MAX_NAMED) {
        names.add(name(next));
        statement.seenAt(next.place());
      }
      at = chains.target(at);
    } while (at != member);
    if (!judged(link, Kind.CORRECTION_CYCLE)) {
      return;
    }
    findings.accept(
        statement
            .because(
                members == 1
                    ? "Corrects itself; nothing is in force"
                    : "Corrections of each other, all round; none is in force")
            .sides(
                new JsonObject().put("members", 0),
                new JsonObject().put("members", members).put("cycle", names))
            .finding());
  }

  private void fork(Chains chains, int member) {
    Link link = chains.link(member);
    Statement statement = about(Kind.CORRECTION_FORK, link).when(link.receivedAt());
    List<String> names = new ArrayList<>();
    long branches = 0;
    int branch = chains.firstSuccessor(member);
    while (branch != Chains.NONE) {
      branches++;
      Link next = chains.link(branch);
      statement.when(next.receivedAt());
      if (names.size() < MAX_NAMED) {
        names.add(name(next));
        statement.seenAt(next.place());
      }
      branch = chains.nextSuccessor(branch);
    }
    findings.accept(
        statement
            .because("Several corrections of one event; none of them is applied")
            .sides(
                new JsonObject().put("corrections", 1),
                new JsonObject().put("corrections", branches).put("branches", names))
            .finding());
  }

  /** Counts a subject of a check that reception time chooses; whether it is judged. */
  private boolean judged(Link link, Kind check) {
    boolean chosen = judged.test(link.receivedAt());
    if (chosen) {
      Coverage.judged(tally, check);
    } else {
      Coverage.notJudged(tally, check, OUTSIDE);
    }
    return chosen;
  }

  private String name(Link link) {
    return link.key().text(scopeColumns);
  }

  private Statement about(Kind kind, Link link) {
    return Statement.of(kind, link.key().describe(new JsonObject(), scopeColumns))
        .under(RULE)
        .seenAt(link.place());
  }
}
