package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CompileTimeConstant;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.outbox.StateClass;
import dev.constat.rules.replay.ReplayRegistry;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Closes the books of a run (spec section 6): the left sides come from other stages than the lines.
 */
public final class Books {

  private static final String KEPT = "kept";
  private static final ImmutableList<String> TIME_LINES =
      ImmutableList.of("ON_TIME", "LATE", "FUTURE", "replayed");
  private static final ImmutableList<String> CELL_LINES =
      ImmutableList.of("ON_TIME", "REFINES", "TOO_LATE", "not projected");
  private static final ImmutableList<String> EFFECT_LINES =
      ImmutableList.of(
          "matched", "MISSING_OUTBOX", "IN_FLIGHT", "OUT_OF_HORIZON", "not expected", "not judged");
  private static final ImmutableList<String> OUTBOX_LINES =
      ImmutableList.of(
          "matched",
          "SURPLUS",
          "ORPHAN",
          "replay",
          "undeclared",
          "not judged",
          "IN_FLIGHT",
          "OUT_OF_HORIZON");
  private static final ImmutableList<String> ACK_LINES =
      ImmutableList.of(
          "first effects",
          "repeats",
          "further keys",
          "not applied",
          "replay",
          "not judged",
          "ORPHAN",
          "IN_FLIGHT",
          "OUT_OF_HORIZON");
  private static final ImmutableList<String> DEAD_LINES =
      ImmutableList.of(DeadLetters.RECEIVED, DeadLetters.NEVER_RECEIVED, DeadLetters.NOT_JUDGED);
  private static final ImmutableList<String> CONSUMER_LINES =
      ImmutableList.of("acked", "MISSING_ACK", "IN_FLIGHT", "OUT_OF_HORIZON", "not judged");

  private final Tally tally;
  private final ImmutableList.Builder<Book> books = ImmutableList.builder();

  private Books(Tally tally) {
    this.tally = tally;
  }

  /** The books of a run. */
  public static ImmutableList<Book> of(RunSpec spec, Tally tally) {
    Books books = new Books(tally);
    for (Input input : spec.archives().keySet()) {
      books.input(input);
    }
    books.events();
    if (spec.plan() == null) {
      books.time();
    }
    spec.effects().stream().map(Effect::type).distinct().sorted().forEach(books::effects);
    if (spec.archives().containsKey(Input.OUTBOX)) {
      books.outbox();
      books.deadLetters();
    }
    if (spec.archives().containsKey(Input.ACKNOWLEDGEMENTS)) {
      books.acks();
    }
    if (spec.archives().containsKey(Input.REPLAYS)) {
      books.add("replays of effects", books.book("acks", "replay"), books.replayLines());
    }
    spec.projections().stream().filter(ProjectionRule::windowed).forEach(books::cells);
    return books.books.build();
  }

  private void cells(ProjectionRule rule) {
    ImmutableList.Builder<Book.Line> lines = ImmutableList.builder();
    for (String line : CELL_LINES) {
      lines.add(
          new Book.Line(line, tally.sum(CheckTally.BOOK, CheckTally.CELLS, rule.title(), line)));
    }
    add(
        Sentence.of("cells of ").configured(rule.title()),
        tally.sum(CheckTally.CELLS, rule.title()),
        lines.build());
  }

  private ImmutableList<Book.Line> replayLines() {
    return lines(ReplayBook.LINES, ReplayBook.BOOK);
  }

  private void input(Input input) {
    String key = input.key();
    ReplayRegistry registry = input == Input.REPLAYS ? ReplayRegistry.of(tally) : null;
    List<Book.Line> lines =
        List.of(
            new Book.Line("unreadable", tally.sum(ReadTally.UNREADABLE_ROWS, key)),
            new Book.Line("undecided", tally.sum(ReadTally.UNDECIDED, key)),
            new Book.Line("AFTER_AS_OF", tally.sum(ReadTally.AFTER_AS_OF, key)),
            new Book.Line("before look-back", tally.sum(ReadTally.BEFORE_LOOK_BACK, key)),
            new Book.Line(
                "ARCHIVE_COPY", registry == null ? book(key, "ARCHIVE_COPY") : registry.copies()),
            new Book.Line(KEPT, registry == null ? kept(input) : registry.rows()));
    add(Sentence.ofConfigured(key).and(" read"), tally.sum(ReadTally.ROWS, key), lines);
  }

  private long kept(Input input) {
    return input == Input.EVENTS ? keptEvents() : book(input.key(), KEPT);
  }

  private long keptEvents() {
    long kept = 0;
    for (Decision decision : Decision.values()) {
      kept += decision == Decision.ARCHIVE_COPY ? 0 : book(Input.EVENTS.key(), decision.name());
    }
    return kept;
  }

  private void events() {
    String key = Input.EVENTS.key();
    long kept = tally.sum(ReadTally.USABLE, key) - book(key, Decision.ARCHIVE_COPY.name());
    ImmutableList.Builder<Book.Line> lines = ImmutableList.builder();
    for (Decision decision : Decision.values()) {
      if (decision != Decision.ARCHIVE_COPY) {
        lines.add(new Book.Line(decision.name(), book(key, decision.name())));
      }
    }
    add("events kept", kept, lines.build());
    add(
        "events accepted",
        book(key, "keys"),
        List.of(
            new Book.Line("ACCEPTED", book(key, Decision.ACCEPTED.name())),
            new Book.Line("CORRECTION", book(key, Decision.CORRECTION.name()))));
  }

  private void time() {
    ImmutableList.Builder<Book.Line> times = ImmutableList.builder();
    for (String line : TIME_LINES) {
      times.add(
          new Book.Line(
              line,
              tally.sumsUnder(CheckTally.TIMELINESS).entrySet().stream()
                  .filter(count -> count.getKey().get(2).equals(line))
                  .mapToLong(Map.Entry::getValue)
                  .sum()));
    }
    add("events in time", book(Input.EVENTS.key(), "keys"), times.build());
  }

  private void effects(String type) {
    ImmutableList.Builder<Book.Line> lines = ImmutableList.builder();
    for (String line : EFFECT_LINES) {
      lines.add(new Book.Line(line, tally.sum(CheckTally.BOOK, "effects", type, line)));
    }
    add(
        Sentence.of("effects ").value("effect_type", type),
        book(Input.EVENTS.key(), "keys"),
        lines.build());
  }

  private void outbox() {
    long rows = book(Input.OUTBOX.key(), "rows");
    add(
        "outbox kept",
        book(Input.OUTBOX.key(), KEPT),
        List.of(
            new Book.Line("rows", rows),
            new Book.Line("older versions", book(Input.OUTBOX.key(), "older versions"))));
    add("outbox rows", rows, lines(OUTBOX_LINES, "outbox row"));
    ImmutableList.Builder<Book.Line> states = ImmutableList.builder();
    for (StateClass state : StateClass.values()) {
      states.add(new Book.Line(state.name(), book("states", state.name())));
    }
    add("outbox states", rows, states.build());
  }

  private void deadLetters() {
    tally
        .sumsUnder(CheckTally.DEAD)
        .forEach(
            (path, rows) -> {
              String type = Tally.step(path, 0);
              String consumer = Tally.step(path, 1);
              ImmutableList.Builder<Book.Line> lines = ImmutableList.builder();
              for (String line : DEAD_LINES) {
                lines.add(
                    new Book.Line(
                        line, tally.sum(CheckTally.BOOK, CheckTally.DEAD, type, consumer, line)));
              }
              add(
                  Sentence.of("dead letters of ")
                      .value("effect_type", type)
                      .and(" for ")
                      .value("consumer", consumer),
                  rows,
                  lines.build());
            });
  }

  private void acks() {
    add(
        "acknowledgements kept",
        book(Input.ACKNOWLEDGEMENTS.key(), KEPT),
        lines(ACK_LINES, "acks"));
    Map<String, String[]> consumers = new TreeMap<>();
    tally
        .sumsUnder(CheckTally.BOOK, "awaited")
        .keySet()
        .forEach(
            path ->
                consumers.put(
                    path.get(0) + " by " + path.get(1),
                    new String[] {Tally.step(path, 0), Tally.step(path, 1)}));
    consumers.forEach(
        (name, unit) -> {
          ImmutableList.Builder<Book.Line> lines = ImmutableList.builder();
          for (String line : CONSUMER_LINES) {
            lines.add(
                new Book.Line(
                    line, tally.sum(CheckTally.BOOK, "consumers", unit[0], unit[1], line)));
          }
          add(
              Sentence.of("deliveries of ")
                  .value("effect_type", unit[0])
                  .and(" by ")
                  .value("consumer", unit[1]),
              tally.sum(CheckTally.BOOK, "awaited", unit[0], unit[1]),
              lines.build());
        });
  }

  private ImmutableList<Book.Line> lines(List<String> names, String book) {
    return names.stream()
        .map(name -> new Book.Line(name, book(book, name)))
        .collect(ImmutableList.toImmutableList());
  }

  private long book(String book, String line) {
    return tally.sum(CheckTally.BOOK, book, line);
  }

  private void add(@CompileTimeConstant String title, long total, List<Book.Line> lines) {
    add(Sentence.of(title), total, lines);
  }

  private void add(Sentence title, long total, List<Book.Line> lines) {
    books.add(new Book(title, total, ImmutableList.copyOf(lines)));
  }
}
