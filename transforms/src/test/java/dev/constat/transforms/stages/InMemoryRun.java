package dev.constat.transforms.stages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.constat.rules.diff.DiffRecords;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.StatedGraver;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.projection.CellFold;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reconcile.Books;
import dev.constat.rules.reconcile.InputFindings;
import dev.constat.rules.reconcile.LineNumbers;
import dev.constat.rules.reconcile.Quarantined;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.reconcile.ScopeHints;
import dev.constat.rules.reconcile.VersionFindings;
import dev.constat.rules.replay.ReplayOverlaps;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.time.TimeFindings;
import dev.constat.transforms.buckets.BlockAppender;
import dev.constat.transforms.buckets.BlockStore;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.buckets.HeapSpillSpace;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.outputs.FindingSorter;
import dev.constat.transforms.scan.SlabMaxima;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The main job without Beam, a store or a file: records in memory go through the typing rules, the
 * router, both folds and the judges, in blocks, buckets and sorters as in a pipeline.
 */
final class InMemoryRun {

  private final RunSpec spec;
  private int buckets = 1;
  private Random chance;
  private int rowsPerPart = Integer.MAX_VALUE;
  private long slabSize = Long.MAX_VALUE;
  private long budget = RecordSorter.MIN_BUDGET;

  private InMemoryRun(RunSpec spec) {
    this.spec = spec;
  }

  /** A run in one bucket, every file in one part, records and blocks in the order they come in. */
  static InMemoryRun of(RunSpec spec) {
    return new InMemoryRun(spec);
  }

  /** The run in so many buckets. */
  InMemoryRun buckets(int count) {
    buckets = count;
    return this;
  }

  /** The run with files in small parts; parts, records and blocks in an order that chance gives. */
  InMemoryRun shuffledBy(long seed) {
    chance = new Random(seed);
    rowsPerPart = 1 + chance.nextInt(4);
    return this;
  }

  /** The run with partitions cut into slabs of so many receptions. */
  InMemoryRun slabs(long size) {
    slabSize = size;
    return this;
  }

  /** The run with so many bytes of memory for each sort. */
  InMemoryRun budget(long bytes) {
    budget = bytes;
    return this;
  }

  /** What comes of records; where one stands in its file follows from the order of the list. */
  RunOutcome run(List<ArchiveRecord> records) {
    try {
      return new Stages().run(records);
    } catch (IOException e) {
      throw new AssertionError("Heap space does not fail", e);
    }
  }

  private void shuffle(List<?> list) {
    if (chance != null) {
      Collections.shuffle(list, chance);
    }
  }

  /** A record with its place. */
  private record Placed(ArchiveRecord record, Place place) {}

  /** Blocks for a stage, by bucket. */
  private final class Blocks {

    private final List<List<byte[]>> byBucket = new ArrayList<>();
    private final BlockAppender appender =
        new BlockAppender(new Buckets(buckets), BlockStore.TRAVELLING);

    Blocks() {
      for (int bucket = 0; bucket < buckets; bucket++) {
        byBucket.add(new ArrayList<>());
      }
      appender.to((bucket, block) -> byBucket.get(bucket).add(block));
    }

    void append(KeyWriter group, KeyWriter order, int kind, KeyWriter body) {
      appender.append(group, order, kind, body);
    }

    /** Fills a sorter with the blocks of a bucket. */
    RecordSorter fill(RecordSorter sorter, int bucket) throws IOException {
      appender.flush();
      sorter.clear();
      shuffle(byBucket.get(bucket));
      for (byte[] block : byBucket.get(bucket)) {
        sorter.addBlock(BlockStore.TRAVELLING, block);
      }
      return sorter;
    }
  }

  private final class Stages {

    private final HeapSpillSpace space = new HeapSpillSpace();
    private final Tally tally = new Tally();
    private final Blocks addresses = new Blocks();
    private final Blocks events = new Blocks();
    private final Blocks accepted = new Blocks();
    private final Blocks numbers = new Blocks();
    private final Blocks replayed = new Blocks();
    private final Blocks claims = new Blocks();
    private final Blocks arrivals = new Blocks();
    private final Blocks inAggregates = new Blocks();
    private final Blocks chains = new Blocks();
    private final Blocks cells = new Blocks();
    private final Blocks differences = new Blocks();
    private final Blocks aggregates = new Blocks();
    private final Blocks lines = new Blocks();
    private final PlanRecords plans = new PlanRecords(lines::append, aggregates::append);
    private final SlabPlan plan = new SlabPlan(1, slabSize);
    private final Map<Input, List<String>> files = new HashMap<>();
    private final SortedMap<String, List<Object[]>> tables = new TreeMap<>();
    private final List<Quarantined> quarantine = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    RunOutcome run(List<ArchiveRecord> records) throws IOException {
      read(place(records));
      RunFacts facts = RunFacts.of(spec, new Tally().merge(tally));
      try (RecordSorter main = new RecordSorter(space, budget);
          RecordSorter judged = new RecordSorter(space, budget);
          RecordSorter held = new RecordSorter(space, budget);
          RecordSorter units = new RecordSorter(space, budget)) {
        for (int bucket = 0; bucket < buckets; bucket++) {
          new AddressFold(
                  facts, new EventRecords(events::append, spec), claimRecords(), tally, units)
              .fold(addresses.fill(main, bucket).sort());
          events.appender.flush();
        }
        Tally read = new Tally().merge(tally);
        for (int bucket = 0; bucket < buckets; bucket++) {
          Partitions partitions = Partitions.of(read, plan, new Buckets(buckets));
          EventExits exits =
              new EventExits(
                  new ArrivalRecords(arrivals::append, partitions, spec.integerOutboxIds()),
                  new SequenceRecords(numbers::append, spec),
                  aggregates(read),
                  claimRecords(),
                  FollowReplays.needed(spec)
                      ? new ReplayRecords(replayed::append, held, facts, tally)
                      : null,
                  quarantine::add,
                  verdict -> FindIdentityDrift.append(verdict, accepted::append));
          EventFold fold = new EventFold(facts, new Notes(), partitions, exits, judged, units);
          if (spec.plan() != null) {
            fold.planning(facts, plans);
          }
          fold.fold(events.fill(main, bucket).sort());
        }
        for (int bucket = 0; bucket < buckets; bucket++) {
          FollowClaims.fold(claims.fill(main, bucket).sort(), new Notes());
        }
        scan(facts, read, main, judged);
        for (int bucket = 0; bucket < buckets; bucket++) {
          FollowReplays.fold(facts, replayed.fill(main, bucket).sort(), new Notes());
        }
        if (spec.plan() != null) {
          plan(read, main);
        }
        if (spec.identityDrift()) {
          for (int bucket = 0; bucket < buckets; bucket++) {
            FindIdentityDrift.judge(accepted.fill(main, bucket).sort(), tally, findings::add);
          }
        }
      }
      List<Finding> merged = merge(facts);
      if (space.stillOpen() != 0) {
        throw new AssertionError(space.stillOpen() + " runs of spilled records were not dropped");
      }
      return new RunOutcome(
          tables, quarantine, merged, Books.of(spec, tally), tally, space.opened());
    }

    private void plan(Tally read, RecordSorter main) throws IOException {
      for (int bucket = 0; bucket < buckets; bucket++) {
        KeepOrder.fold(aggregates.fill(main, bucket).sort(), plans);
      }
      for (int bucket = 0; bucket < buckets; bucket++) {
        WritePlan.fold(
            lines.fill(main, bucket).sort(),
            new Notes(),
            (input, file) -> files.get(input).get(file),
            new LineNumbers(read));
      }
    }

    private void scan(RunFacts facts, Tally read, RecordSorter main, RecordSorter waiting)
        throws IOException {
      for (int bucket = 0; bucket < buckets; bucket++) {
        new SequenceFold(facts, new Notes()).fold(numbers.fill(main, bucket).sort());
      }
      SequenceTables sequences = SequenceTables.of(tally);
      SlabMaxima maxima = Partitions.of(read, plan, new Buckets(buckets)).maxima(tally);
      for (int bucket = 0; bucket < buckets; bucket++) {
        new ArrivalFold(
                spec,
                maxima,
                sequences,
                new Notes(),
                CellStage.partial(facts, sequences, cells::append),
                new ChainRecords(chains::append, spec),
                differences(),
                aggregates(read))
            .planning(plans)
            .fold(arrivals.fill(main, bucket).sort());
      }
      follow(facts, read, main);
      for (int bucket = 0; bucket < buckets; bucket++) {
        new ChainFold(
                facts,
                new Notes(),
                CellStage.partial(facts, sequences, cells::append),
                differences(),
                waiting)
            .fold(chains.fill(main, bucket).sort());
      }
      for (int bucket = 0; bucket < buckets; bucket++) {
        ProjectCells.fold(
            cells.fill(main, bucket).sort(),
            new CellFold(
                Projector.all(spec.projections()),
                sequences.gaps()::meets,
                new CellNotes(facts, new Notes(), differences())));
      }
      if (spec.comparesVersions()) {
        for (int bucket = 0; bucket < buckets; bucket++) {
          CompareVersions.fold(spec, differences.fill(main, bucket).sort(), new Notes(), waiting);
        }
      }
    }

    /** Follows the order of aggregates. */
    private void follow(RunFacts facts, Tally read, RecordSorter main) throws IOException {
      if (!ScanAggregates.needed(spec)) {
        return;
      }
      Aggregates aggregates = Aggregates.of(read, plan, new Buckets(buckets));
      Aggregates.Surroundings surroundings = aggregates.surroundings(tally);
      for (int bucket = 0; bucket < buckets; bucket++) {
        new AggregateFold(facts, surroundings, new Notes())
            .fold(inAggregates.fill(main, bucket).sort());
      }
    }

    private AggregateRecords aggregates(Tally read) {
      return ScanAggregates.needed(spec)
          ? new AggregateRecords(
              inAggregates::append,
              Aggregates.of(read, plan, new Buckets(buckets)),
              spec.integerOutboxIds())
          : null;
    }

    private ClaimRecords claimRecords() {
      return FollowClaims.needed(spec) ? new ClaimRecords(claims::append) : null;
    }

    private DiffRecords differences() {
      return CellStage.differences(spec, spec.comparesVersions() ? differences::append : null);
    }

    /** Gives every record its place: files in the order of their names, records as listed. */
    private List<Placed> place(List<ArchiveRecord> records) {
      Map<Input, TreeSet<String>> names = new HashMap<>();
      for (ArchiveRecord record : records) {
        names.computeIfAbsent(record.input(), input -> new TreeSet<>()).add(record.file());
      }
      names.forEach((input, ofInput) -> files.put(input, new ArrayList<>(ofInput)));
      List<Placed> placed = new ArrayList<>();
      Map<List<Object>, Integer> lines = new HashMap<>();
      for (ArchiveRecord record : records) {
        int line = lines.merge(List.of(record.input(), record.file()), 1, Integer::sum) - 1;
        int file = files.get(record.input()).indexOf(record.file());
        placed.add(new Placed(record, new Place(record.input().ordinal(), file, 0, line, line)));
      }
      return placed;
    }

    private void read(List<Placed> records) {
      shuffle(records);
      SortedMap<Place, List<Placed>> byFile = new TreeMap<>();
      for (Placed record : records) {
        Place file = new Place(record.place().input(), record.place().file(), 0, 0, 0);
        byFile.computeIfAbsent(file, place -> new ArrayList<>()).add(record);
      }
      List<List<Placed>> parts = new ArrayList<>();
      for (List<Placed> file : byFile.values()) {
        for (int from = 0; from < file.size(); from += Math.min(rowsPerPart, file.size())) {
          parts.add(file.subList(from, (int) Math.min(file.size(), (long) from + rowsPerPart)));
        }
      }
      shuffle(parts);
      parts.forEach(this::readPart);
    }

    /** Reads what one router serves. */
    private void readPart(List<Placed> records) {
      Input input = records.get(0).record().input();
      RunSpec.Archive archive = spec.archives().get(input);
      if (archive == null) {
        throw new IllegalArgumentException("The run spec does not configure " + input.key());
      }
      RowRouter router =
          new RowRouter(
              spec,
              input,
              records.get(0).place().file(),
              tally,
              addresses::append,
              events::append,
              cells::append,
              plan,
              (stage, passed) -> {});
      Layout layout = spec.layout(input);
      RowBuilder builder = new RowBuilder(layout, archive, router);
      TreeSet<String> unknown = new TreeSet<>();
      for (Placed placed : records) {
        TreeMap<String, JsonNode> columns = new TreeMap<>();
        placed.record().columns().properties().forEach(c -> columns.put(c.getKey(), c.getValue()));
        builder.begin();
        for (int i = 0; i < layout.columns().size(); i++) {
          String ours = layout.columns().get(i).name();
          JsonNode value = columns.remove(archive.columns().getOrDefault(ours, ours));
          if (value != null) {
            give(builder, i, value);
          }
        }
        unknown.addAll(columns.keySet());
        byte[] text = placed.record().columns().toString().getBytes(UTF_8);
        builder.end(placed.place(), text, 0, text.length);
      }
      unknown.forEach(router::unknownColumn);
      router.end();
      addresses.appender.flush();
      events.appender.flush();
    }

    private List<Finding> merge(RunFacts facts) throws IOException {
      List<Finding> merged = new ArrayList<>();
      InputFindings inputs = new InputFindings(new Names());
      try (FindingSorter sorter = new FindingSorter(space)) {
        for (Finding finding : findings) {
          sorter.add(finding.kind() == Kind.INPUT_ERROR ? inputs.named(finding) : finding);
        }
        for (Finding finding : inputs.of(facts, tally)) {
          sorter.add(finding);
        }
        for (Finding finding : VersionFindings.of(facts, tally)) {
          sorter.add(finding);
        }
        for (Finding finding : ReplayOverlaps.of(facts.replays(), tally)) {
          sorter.add(finding);
        }
        for (Finding finding : TimeFindings.of(tally)) {
          sorter.add(finding);
        }
        SortedMap<String, String> scopes = ScopeHints.of(tally);
        StatedGraver graver = new StatedGraver();
        sorter.drainTo(
            finding -> {
              if (graver.covers(finding)) {
                return;
              }
              String scope =
                  finding.kind() == Kind.CONFLICTING_DUPLICATE
                      ? scopes.get(ArchiveRecord.object(finding.subject()).get("source").asText())
                      : null;
              merged.add(scope == null ? finding : finding.withHint(ScopeHints.hint(scope)));
            });
      }
      return merged;
    }

    /** Takes everything down. */
    private final class Notes implements Notebook {

      @Override
      public void row(TableSchema table, Object[] row) {
        if (row.length != table.columns().size()) {
          throw new AssertionError("A row of " + table.name() + " has " + row.length + " values");
        }
        Object[] readable = Arrays.stream(row).map(InMemoryRun::readable).toArray();
        tables.computeIfAbsent(table.name(), name -> new ArrayList<>()).add(readable);
      }

      @Override
      public void complete(TableSchema table) {
        // rows are kept where they are
      }

      @Override
      public void finding(Finding finding) {
        findings.add(finding);
      }

      @Override
      public Tally tally() {
        return tally;
      }
    }

    private final class Names implements InputFindings.Files {

      @Override
      public String name(Input input, int file) {
        return files.get(input).get(file);
      }

      @Override
      public String place(Place place) {
        return "line " + (place.line() + 1);
      }
    }
  }

  /** A value of a row with its UTF-8 as text, so that it can be compared and shown. */
  private static Object readable(Object value) {
    if (value instanceof byte[] text) {
      return new String(Sentence.words(text), UTF_8); // other texts have no such bytes
    }
    return value instanceof List<?> list
        ? list.stream()
            .map(element -> element instanceof Object[] struct ? spaced(struct) : element)
            .toList()
        : value;
  }

  private static String spaced(Object[] struct) {
    return Arrays.stream(struct).map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static void give(RowBuilder builder, int column, JsonNode value) {
    switch (value.getNodeType()) {
      case NULL -> builder.nothing(column);
      case STRING -> builder.text(column, value.textValue());
      case NUMBER -> builder.number(column, value.asText());
      case BOOLEAN -> builder.bool(column, value.booleanValue());
      default -> builder.nested(column, value.toString().getBytes(UTF_8));
    }
  }
}
