package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.replay.ReplayRegistry;
import dev.constat.rules.spec.RunSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/**
 * What is known of the inputs once all of them are read and before anything is judged: how far they
 * reach, which are empty, which have errors.
 */
public final class RunFacts {

  private final RunSpec spec;
  private final Map<Input, InputFacts> inputs;
  private final Instant asOf;
  private final boolean statesKnown;
  private final byte[] lastDispatched;
  private final Tally read;
  private final ReplayRegistry replays;

  /**
   * What is known of one input.
   *
   * @param rows records read, unreadable ones included
   * @param unreadable records or files that could not be read
   * @param undecided records without a required time that has a zone
   * @param usable records that are neither unreadable nor dropped for their time
   * @param first the smallest time in it, or null
   * @param last the largest, or null
   * @param start from when on it is complete, or null
   * @param cut up to when it reaches, or null where it has no row and none is declared
   * @param cutInferred whether the cut was taken from the data
   * @param retentionKnown whether its retention is declared
   */
  public record InputFacts(
      long rows,
      long unreadable,
      long undecided,
      long usable,
      Instant first,
      Instant last,
      Instant start,
      Instant cut,
      boolean cutInferred,
      boolean retentionKnown) {}

  private RunFacts(
      RunSpec spec,
      Map<Input, InputFacts> inputs,
      Instant asOf,
      boolean statesKnown,
      byte[] lastDispatched,
      Tally read) {
    this.read = read;
    this.replays = ReplayRegistry.of(read);
    this.spec = spec;
    this.inputs = inputs;
    this.asOf = asOf;
    this.statesKnown = statesKnown;
    this.lastDispatched = lastDispatched;
  }

  /** What the tally of all that was read says. */
  public static RunFacts of(RunSpec spec, Tally read) {
    ImmutableMap.Builder<Input, InputFacts> inputs = ImmutableMap.builder();
    Instant smallestCut = null;
    boolean statesKnown = true;
    for (Map.Entry<Input, RunSpec.Archive> entry : spec.archives().entrySet()) {
      Input input = entry.getKey();
      RunSpec.Archive archive = entry.getValue();
      Instant last = instant(read.max(ReadTally.LAST, input.key()));
      // A registry says what was meant, not how far anything reaches.
      boolean inferred = archive.cut() == null && input != Input.REPLAYS;
      Instant reach = inferred ? last : archive.cut();
      boolean later = spec.asOf() != null && reach != null && reach.isAfter(spec.asOf());
      Instant cut = later ? spec.asOf() : reach;
      if (cut != null && (smallestCut == null || cut.isBefore(smallestCut))) {
        smallestCut = cut;
      }
      if (input == Input.OUTBOX) {
        statesKnown = !later;
      }
      Instant start = archive.start();
      if (archive.retention() != null && cut != null) {
        start = later(start, cut.minus(archive.retention()));
      }
      if (spec.from() != null) {
        start = later(start, spec.from().minus(spec.lookBack()));
      }
      inputs.put(
          input,
          new InputFacts(
              read.sum(ReadTally.ROWS, input.key()),
              read.sum(ReadTally.UNREADABLE, input.key()),
              read.sum(ReadTally.UNDECIDED, input.key()),
              read.sum(ReadTally.USABLE, input.key()),
              instant(read.min(ReadTally.FIRST, input.key())),
              last,
              start,
              cut,
              inferred,
              archive.retention() != null));
    }
    return new RunFacts(
        spec,
        inputs.build(),
        spec.asOf() != null ? spec.asOf() : smallestCut,
        statesKnown,
        read.max(ReadTally.LAST_DISPATCHED),
        read);
  }

  private static Instant instant(byte[] encoded) {
    return encoded == null ? null : new KeyReader(encoded).instant();
  }

  private static Instant later(Instant a, Instant b) {
    return a == null || a.isBefore(b) ? b : a;
  }

  /** The run spec. */
  public RunSpec spec() {
    return spec;
  }

  /** What is known of an input, or null where it is not configured. */
  public InputFacts input(Input input) {
    return inputs.get(input);
  }

  /**
   * Whether an input is configured and has a usable row: what a check of two inputs asks of both.
   */
  public boolean has(Input input) {
    InputFacts facts = inputs.get(input);
    return facts != null && facts.usable() > 0;
  }

  /** The registry of replays; empty where none is given. */
  public ReplayRegistry replays() {
    return replays;
  }

  /** Whether any record of an input has a column, be it without a value. */
  public boolean has(Input input, String column) {
    return read.max(ReadTally.PRESENT, input.key(), column) != null;
  }

  /** Whether any recorded cell is of a rule, given by its place among the projections. */
  public boolean records(int rule) {
    return read.sum(ReadTally.RECORDED_CELLS, Integer.toString(rule)) > 0;
  }

  /** Whether any recorded cell of a rule says which events it consumed. */
  public boolean recordsConsumedEvents(int rule) {
    return read.sum(ReadTally.RECORDED_EVENTS, Integer.toString(rule)) > 0;
  }

  /** Why a check that needs an input cannot be made, or null where it can. */
  public String whyNot(Input input) {
    InputFacts facts = inputs.get(input);
    if (facts == null) {
      return input.key() + " not configured";
    }
    return facts.usable() > 0 ? null : input.key() + " input empty";
  }

  /** Whether something of an input could not be read. */
  public boolean incomplete(Input input) {
    InputFacts facts = inputs.get(input);
    return facts != null && facts.unreadable() + facts.undecided() > 0;
  }

  /** The moment that ages are counted from: as given, else the smallest cut; null without any. */
  public Instant asOf() {
    return asOf;
  }

  /** Whether the states of outbox rows are those at the outbox's cut. */
  public boolean statesKnown() {
    return statesKnown;
  }

  /**
   * Whether an outbox row that stands later in (created_at, outbox_id) than the given one is
   * DISPATCHED.
   *
   * @param position (created_at, outbox_id), encoded
   */
  public boolean dispatchedBehind(byte[] position) {
    return lastDispatched != null && Arrays.compareUnsigned(lastDispatched, position) > 0;
  }

  /** Whether a subject of this time is among those that {@code --from/--to} choose. */
  public boolean judged(Instant time) {
    return (spec.from() == null || !time.isBefore(spec.from()))
        && (spec.to() == null || time.isBefore(spec.to()));
  }
}
