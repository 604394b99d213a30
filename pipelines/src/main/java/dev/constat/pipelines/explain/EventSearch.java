package dev.constat.pipelines.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.archive.TableFile;
import dev.constat.rules.explain.EffectFacts;
import dev.constat.rules.explain.ReceptionFacts;
import dev.constat.rules.explain.TableRow;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Finds an event in the tables of a run. Of every file only the columns that name events are read;
 * of the rows that they tell, all. What is held is bounded: of an event with more rows than {@link
 * #LIMIT}, these are kept and the others counted.
 */
final class EventSearch {

  /** How many rows of a table about one event are shown. */
  static final int LIMIT = 200;

  /** How many rows of one file are looked at. */
  private static final int LIMIT_OF_FILE = 10_000;

  /** What history holds comes first, so that it is kept whatever is dropped. */
  private static final Comparator<ReceptionFacts> FIRST_IN_HISTORY =
      Comparator.comparing(ReceptionFacts::inHistory)
          .reversed()
          .thenComparing(
              ReceptionFacts::receivedAt, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(ReceptionFacts::ingestionId);

  /** Rows stay in the order of the table, but for what only counts repeats. */
  private static final Comparator<EffectFacts> IN_ORDER =
      Comparator.comparing(row -> row.outcome().equals("SUPPRESSED"));

  /** How many steps along a chain of corrections are gone. */
  private static final int STEPS = 64;

  /**
   * Rows about an event.
   *
   * @param rows those that were kept
   * @param total how many there are
   */
  record Rows<T>(ImmutableList<T> rows, long total) {

    /** How many were not kept. */
    long dropped() {
      return total - rows.size();
    }
  }

  private final FinishedRun run;
  private final String source;
  private final String id;

  EventSearch(FinishedRun run, String source, String id) {
    this.run = run;
    this.source = source;
    this.id = id;
  }

  /** Its receptions: those whose key has the id, and those that came under it; by time. */
  Rows<ReceptionFacts> receptions() throws BrokenRunException {
    byte[] ofSource = source.getBytes(UTF_8);
    byte[] ofId = id.getBytes(UTF_8);
    StringBuilder quoted = new StringBuilder("\"source_event_id\":");
    CanonicalJson.quote(id, quoted);
    byte[] inKey = quoted.toString().getBytes(UTF_8);
    Rows<ReceptionFacts> found =
        find(
            Tables.DECISIONS,
            List.of("source", "source_event_id", "key"),
            texts ->
                Arrays.equals(texts[0], ofSource)
                    && (Arrays.equals(texts[1], ofId) || contains(texts[2], inKey)),
            ReceptionFacts::of,
            FIRST_IN_HISTORY);
    return new Rows<>(
        ImmutableList.sortedCopyOf(
            Comparator.comparing(
                    ReceptionFacts::receivedAt, Comparator.nullsLast(Comparator.naturalOrder()))
                .thenComparing(ReceptionFacts::ingestionId),
            found.rows()),
        found.total());
  }

  /** Its rows of the effects table. */
  Rows<EffectFacts> effects() throws BrokenRunException {
    byte[] ofSource = source.getBytes(UTF_8);
    byte[] ofId = id.getBytes(UTF_8);
    return find(
        Tables.EFFECTS,
        List.of("source", "source_event_id"),
        texts -> Arrays.equals(texts[0], ofSource) && Arrays.equals(texts[1], ofId),
        EffectFacts::of,
        IN_ORDER);
  }

  /**
   * The other events of the chains of corrections that it stands in: what it supersedes, what
   * supersedes it, and so on.
   *
   * @param own its receptions
   */
  ImmutableList<ReceptionFacts> chain(Collection<ReceptionFacts> own) throws BrokenRunException {
    byte[] ofSource = source.getBytes(UTF_8);
    TreeMap<String, ReceptionFacts> links = new TreeMap<>();
    Set<String> known = new HashSet<>(Set.of(id));
    Set<ByteBuffer> firstTargets = new HashSet<>();
    Set<ByteBuffer> firstCorrected = new HashSet<>(Set.of(ByteBuffer.wrap(id.getBytes(UTF_8))));
    own.forEach(reception -> add(reception.supersedes(), known, firstTargets, firstCorrected));
    Set<ByteBuffer> targets = firstTargets;
    Set<ByteBuffer> corrected = firstCorrected;
    for (int step = 0; step < STEPS && !(targets.isEmpty() && corrected.isEmpty()); step++) {
      Set<ByteBuffer> asked = targets;
      Set<ByteBuffer> behind = corrected;
      Rows<ReceptionFacts> found =
          find(
              Tables.DECISIONS,
              asked.isEmpty()
                  ? List.of("source", "supersedes")
                  : List.of("source", "supersedes", "source_event_id"),
              texts ->
                  Arrays.equals(texts[0], ofSource)
                      && (texts[1] != null && behind.contains(ByteBuffer.wrap(texts[1]))
                          || texts.length > 2
                              && texts[2] != null
                              && asked.contains(ByteBuffer.wrap(texts[2]))),
              ReceptionFacts::of,
              FIRST_IN_HISTORY);
      targets = new HashSet<>();
      corrected = new HashSet<>();
      for (ReceptionFacts link : found.rows()) {
        if (!id.equals(link.sourceEventId()) && link.inHistory() && links.size() < LIMIT) {
          links.put(link.receivedAt() + " " + link.ingestionId(), link);
          add(link.sourceEventId(), known, targets, corrected);
          add(link.supersedes(), known, targets, corrected);
        }
      }
    }
    return ImmutableList.copyOf(links.values());
  }

  private static void add(
      String link, Set<String> known, Set<ByteBuffer> targets, Set<ByteBuffer> corrected) {
    if (link != null && known.add(link)) {
      targets.add(ByteBuffer.wrap(link.getBytes(UTF_8)));
      corrected.add(ByteBuffer.wrap(link.getBytes(UTF_8)));
    }
  }

  /** What may have been meant, where the run does not have the event: each half a sentence. */
  ImmutableList<String> hints() throws BrokenRunException {
    ImmutableList<String> sources = run.sources();
    List<String> hints = new ArrayList<>();
    if (!sources.contains(source)) {
      hints.add("the run has no source %s; it has %s".formatted(source, some(sources)));
    }
    byte[] ofId = id.getBytes(UTF_8);
    Set<String> elsewhere = new TreeSet<>();
    Rows<ReceptionFacts> sameId =
        find(
            Tables.DECISIONS,
            List.of("source_event_id", "ingestion_id"),
            texts -> Arrays.equals(texts[0], ofId) || Arrays.equals(texts[1], ofId),
            ReceptionFacts::of,
            FIRST_IN_HISTORY);
    for (ReceptionFacts reception : sameId.rows()) {
      elsewhere.add(
          id.equals(reception.ingestionId())
              ? "it is the ingestion_id of a reception of " + reception.key()
              : "another source has the id: " + reception.key());
    }
    Rows<EffectFacts> rows =
        find(
            Tables.EFFECTS,
            List.of("outbox_id"),
            texts -> Arrays.equals(texts[0], ofId),
            EffectFacts::of,
            IN_ORDER);
    for (EffectFacts row : rows.rows()) {
      elsewhere.add(
          "it is the outbox_id of a row of " + (row.key() == null ? "no known event" : row.key()));
    }
    elsewhere.stream().limit(3).forEach(hints::add);
    if (hints.isEmpty()) {
      Neighbours neighbours = new Neighbours(id);
      byte[] ofSource = source.getBytes(UTF_8);
      find(
          Tables.DECISIONS,
          List.of("source", "source_event_id"),
          texts -> {
            if (Arrays.equals(texts[0], ofSource) && texts[1] != null) {
              neighbours.next(texts[1]);
            }
            return false;
          },
          ReceptionFacts::of,
          FIRST_IN_HISTORY);
      ImmutableList<String> near = neighbours.get();
      if (!near.isEmpty()) {
        hints.add("the nearest ids of %s are %s".formatted(source, some(near)));
      }
    }
    return ImmutableList.copyOf(hints);
  }

  private static String some(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(5, names.size())))
        + (names.size() > 5 ? ", ..." : "");
  }

  /** Rows of a table; its files are searched side by side. */
  private <T> Rows<T> find(
      TableSchema table,
      List<String> columns,
      TableFile.Choice choice,
      Function<TableRow, T> read,
      Comparator<T> order)
      throws BrokenRunException {
    record Found(TableFile file, TableFile.Found rows) {}
    try {
      List<Found> found =
          run.files(table).parallelStream()
              .map(
                  file -> {
                    try {
                      return new Found(file, file.find(columns, choice, LIMIT_OF_FILE));
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  })
              .toList();
      List<T> rows = new ArrayList<>();
      long total = 0;
      for (Found part : found) {
        total += part.rows().total();
        part.file()
            .read(part.rows().numbers(), row -> rows.add(read.apply(new TableRow(table, row))));
        rows.sort(order);
        if (rows.size() > LIMIT) {
          rows.subList(LIMIT, rows.size()).clear();
        }
      }
      return new Rows<>(ImmutableList.copyOf(rows), total);
    } catch (UncheckedIOException e) {
      throw broken(e.getCause());
    } catch (IOException | IllegalArgumentException e) {
      throw broken(e);
    }
  }

  private BrokenRunException broken(Exception cause) {
    return new BrokenRunException(
        "%s: %s; run again to replace the run".formatted(run.path(), cause.getMessage()), cause);
  }

  private static boolean contains(byte[] text, byte[] part) {
    if (text == null) {
      return false;
    }
    for (int i = 0; i <= text.length - part.length; i++) {
      if (text[i] == part[0] && Arrays.equals(text, i, i + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }
}
