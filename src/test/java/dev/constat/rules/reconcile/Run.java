package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.replay.Registered;
import dev.constat.rules.replay.ReplayRegistry;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecOverrides;
import dev.constat.rules.spec.RunSpecParser;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of a run before anything is judged. What is left out: every input that can be read
 * is configured, has one usable row and is cut at 12:00.
 */
final class Run {

  private static final String CUT = "cut: 2026-01-05T12:00:00Z";

  private final Map<Input, String> archives = new EnumMap<>(Input.class);
  private final Set<Input> empty = EnumSet.noneOf(Input.class);
  private final Tally tally = new Tally();
  private final List<String> effects = new ArrayList<>();
  private final List<String> sources = new ArrayList<>();
  private final StringBuilder top = new StringBuilder();
  private String from;
  private String to;

  private Run() {
    for (Input input :
        List.of(Input.EVENTS, Input.OUTBOX, Input.ACKNOWLEDGEMENTS, Input.DECISIONS)) {
      archives.put(input, CUT);
    }
  }

  static Run standard() {
    return new Run();
  }

  /** Without recorded decisions. */
  static Run undecided() {
    return new Run().without(Input.DECISIONS);
  }

  /** Other keys of an archive than its cut at 12:00. */
  Run archive(Input input, String keys) {
    archives.put(input, keys);
    return this;
  }

  Run cut(Input input, String time) {
    return archive(input, "cut: " + Times.at(time));
  }

  Run without(Input input) {
    archives.remove(input);
    return this;
  }

  Run empty(Input input) {
    empty.add(input);
    return this;
  }

  Run incomplete(Input input) {
    tally.add(1, ReadTally.UNREADABLE, input.key());
    return this;
  }

  /** The times that an input reaches from and to. */
  Run reaches(Input input, String first, String last) {
    KeyWriter out = new KeyWriter();
    tally.min(out.instant(Times.at(first)).toBytes(), ReadTally.FIRST, input.key());
    tally.max(out.clear().instant(Times.at(last)).toBytes(), ReadTally.LAST, input.key());
    return this;
  }

  Run effect(String entry) {
    effects.add(entry);
    return this;
  }

  Run source(String contract) {
    sources.add(contract);
    return this;
  }

  /** A registry of replays. */
  Run replays(Registered... registry) {
    archives.put(Input.REPLAYS, "allow_empty: true");
    for (Registered replay : registry) {
      ReplayRegistry.add(replay.get(), tally);
    }
    return registry.length == 0 ? empty(Input.REPLAYS) : this;
  }

  Run asOf(String time) {
    top.append("as_of: ").append(Times.at(time)).append('\n');
    return this;
  }

  Run lookBack(String duration) {
    top.append("look_back: ").append(duration).append('\n');
    return this;
  }

  Run judging(String fromTime, String toTime) {
    from = fromTime;
    to = toTime;
    return this;
  }

  Tally tally() {
    return tally;
  }

  RunSpec spec() {
    StringBuilder text = new StringBuilder("constat: 1\n").append(top).append("archives:\n");
    archives.forEach(
        (input, keys) ->
            text.append("  ")
                .append(input.key())
                .append(": {files: x")
                .append(keys.isEmpty() ? "" : ", " + keys)
                .append("}\n"));
    list(text, "effects", effects);
    list(text, "sources", sources);
    RunSpec spec = RunSpecParser.parse(text.toString(), "constat.yaml", "folder");
    return new RunSpecOverrides(null, text(from), text(to), null).applyTo(spec);
  }

  private static String text(String time) {
    return time == null ? null : Times.at(time).toString();
  }

  private static void list(StringBuilder text, String key, List<String> items) {
    if (!items.isEmpty()) {
      text.append(key).append(":\n");
      items.forEach(item -> text.append("  - ").append(item).append('\n'));
    }
  }

  RunFacts facts() {
    RunSpec spec = spec();
    for (Input input : spec.archives().keySet()) {
      if (!empty.contains(input)) {
        tally.add(1, ReadTally.ROWS, input.key());
        tally.add(1, ReadTally.USABLE, input.key());
      }
    }
    return RunFacts.of(spec, tally);
  }
}
