package dev.constat.rules.time;

import dev.constat.rules.findings.Coverage;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.spec.Sequence;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is stated about the numbers of one source and scope once all of them were seen (spec section
 * 4): SEQUENCE_GAP and SEQUENCE_RESET where the contract says that they are dense; counts for all.
 */
public final class SequenceFindings {

  private static final String OUTSIDE = "outside --from/--to";
  private static final String IN_FLIGHT = "IN_FLIGHT";
  private static final String RULE = "sequences/1";
  private static final String EPOCH = "epoch";
  private static final String FIRST_MISSING = "first_missing";
  private static final String INGESTION_ID = "ingestion_id";

  private final String source;
  private final Sequence contract;
  private final List<String> scope;

  /**
   * For one sequence.
   *
   * @param source its source
   * @param contract what is documented of that source
   * @param scope values of the scope columns, in the contract's order; each may be null
   */
  public SequenceFindings(String source, Sequence contract, List<String> scope) {
    this.source = source;
    this.contract = contract;
    this.scope = scope;
  }

  /**
   * Counts and states. Of a dense sequence each number is a subject: whether what comes before it
   * came.
   *
   * @param settled the last received_at of an upper neighbour that settles a gap
   */
  public void state(Sequences sequences, Instant settled, Tally tally, Consumer<Finding> findings) {
    tally.add(sequences.seen(), TimeTally.NUMBERS, source);
    tally.add(sequences.holes(), TimeTally.HOLES, source);
    tally.add(sequences.missing(TimeTally.MISSING_LIMIT), TimeTally.MISSING, source);
    tally.add(sequences.resets().size(), TimeTally.RESETS, source);
    if (!contract.dense()) {
      return;
    }
    tally.add(sequences.seen() - sequences.holes(), Coverage.JUDGED, Kind.SEQUENCE_GAP.name());
    sequences.gaps(
        gap -> {
          if (!gap.upper().judged()) {
            Coverage.notJudged(tally, Kind.SEQUENCE_GAP, OUTSIDE);
          } else if (gap.upper().receivedAt().isAfter(settled)) {
            Coverage.silent(tally, Kind.SEQUENCE_GAP, IN_FLIGHT);
          } else {
            Coverage.judged(tally, Kind.SEQUENCE_GAP);
            findings.accept(about(gap));
          }
        });
    for (Reset reset : sequences.resets()) {
      if (reset.first().judged()) {
        Coverage.judged(tally, Kind.SEQUENCE_RESET);
        findings.accept(about(reset));
      } else {
        Coverage.notJudged(tally, Kind.SEQUENCE_RESET, OUTSIDE);
      }
    }
  }

  private Finding about(Gap gap) {
    String firstMissing = Long.toUnsignedString(gap.firstMissing());
    long count = gap.count();
    return Statement.of(Kind.SEQUENCE_GAP, subject(gap.epoch()).put(FIRST_MISSING, firstMissing))
        .because("Numbers are missing from a sequence that is documented as dense")
        .sides(
            new JsonObject().put("next", firstMissing),
            new JsonObject()
                .put("next", Long.toUnsignedString(gap.upper().number()))
                .put("missing", Long.toUnsignedString(count))
                .put("last_missing", Long.toUnsignedString(gap.lastMissing()))
                .put("lower", gap.lower().ingestionId())
                .put("upper", gap.upper().ingestionId()))
        .under(RULE)
        .seenAt(gap.lower().place(), gap.upper().place())
        .when(gap.upper().receivedAt())
        .times(count < 0 ? Long.MAX_VALUE : count)
        .finding();
  }

  private Finding about(Reset reset) {
    return Statement.of(
            Kind.SEQUENCE_RESET,
            subject(reset.epoch()).put(INGESTION_ID, reset.first().ingestionId()))
        .because("The numbers of a sequence begin anew")
        .sides(
            new JsonObject()
                .put("largest", Long.toUnsignedString(reset.largest().number()))
                .put(INGESTION_ID, reset.largest().ingestionId()),
            new JsonObject()
                .put("number", Long.toUnsignedString(reset.first().number()))
                .put(INGESTION_ID, reset.first().ingestionId()))
        .under(RULE)
        .seenAt(reset.largest().place(), reset.first().place())
        .when(reset.first().receivedAt())
        .finding();
  }

  /** Scope columns go by their names, unless something else of the subject does. */
  private JsonObject subject(long epoch) {
    JsonObject subject = new JsonObject();
    for (int i = 0; i < scope.size(); i++) {
      String column = contract.scope().get(i);
      boolean taken = List.of("source", EPOCH, FIRST_MISSING, INGESTION_ID).contains(column);
      subject.put(taken ? "scope." + column : column, scope.get(i));
    }
    return subject.put("source", source).put(EPOCH, epoch);
  }
}
