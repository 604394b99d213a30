package dev.constat.rules.spec;

import static java.util.Comparator.naturalOrder;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.findings.Level;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a run is asked to judge: the content of {@code constat.yaml} with every default filled in,
 * and nothing of the machine. What is absent and has no default is null.
 *
 * @param name names the run; by default the spec's folder
 * @param asOf the moment that ages and expiries are counted from, where it was given; an {@code
 *     as_of} given also lowers every later cut to itself
 * @param archives the inputs that are configured, in the order of {@link Input}
 * @param sources the contracts, in the order of the file, by default the default one; the first
 *     that names a source, else the one of {@code "*"}, else the default one, holds
 * @param effects the effects expected, in the order of the file
 * @param projections every version of every projection, in the order of the file
 * @param failOn the level from which a finding makes the run fail
 * @param lookBack how far before {@code from} is read
 * @param buckets the number of buckets where {@code layout.buckets} fixes it
 * @param identityDrift whether the costly check SUSPECTED_IDENTITY_DRIFT is asked for
 * @param limits what is too large to be read
 * @param from subjects are judged from here (inclusive), where given
 * @param to subjects are judged up to here (exclusive), where given
 * @param task what the run makes of it
 */
public record RunSpec(
    String name,
    Instant asOf,
    ImmutableMap<Input, Archive> archives,
    ImmutableList<SourceContract> sources,
    ImmutableList<Effect> effects,
    ImmutableList<ProjectionRule> projections,
    FailOn failOn,
    Duration lookBack,
    Integer buckets,
    boolean identityDrift,
    Limits limits,
    Instant from,
    Instant to,
    Task task)
    implements Serializable {

  /** The inputs that plans look at. */
  private static final ImmutableSet<Input> PLANNED =
      Sets.immutableEnumSet(Input.EVENTS, Input.OUTBOX, Input.ACKNOWLEDGEMENTS);

  /**
   * The run spec of a rebuild: events are its only input, some versions of one projection all that
   * is made of them. Where this one judges from a time or up to one, that is the part of the
   * history that is rebuilt; everything is read.
   *
   * @param projection name of the projection
   * @param versions its versions, the one first that others are compared with; empty for all
   * @throws SpecException if the run spec has no such projection or version
   */
  public RunSpec rebuilding(String projection, List<String> versions) {
    Change change = new Change(this);
    change.archives = ImmutableMap.of(Input.EVENTS, archives.get(Input.EVENTS));
    change.effects = ImmutableList.of();
    change.projections = Rebuild.choose(projections, projection, versions);
    change.identityDrift = false;
    change.from = null;
    change.to = null;
    change.task = new Rebuild(from, to);
    return change.made();
  }

  /**
   * The run spec of a plan: what events are, what is expected of them and what became of it, and no
   * projections. Every subject is judged.
   */
  public RunSpec planning(Plan plan) {
    ImmutableMap.Builder<Input, Archive> planned = ImmutableMap.builder();
    archives.forEach(
        (input, archive) -> {
          if (PLANNED.contains(input)) {
            planned.put(input, archive);
          }
        });
    Change change = new Change(this);
    change.archives = planned.buildOrThrow();
    change.projections = ImmutableList.of();
    change.identityDrift = false;
    change.from = null;
    change.to = null;
    change.task = plan;
    return change.made();
  }

  /** What is rebuilt of projections, or null where the run does something else. */
  public Rebuild rebuild() {
    return task instanceof Rebuild rebuild ? rebuild : null;
  }

  /** What is planned, or null where the run does something else. */
  public Plan plan() {
    return task instanceof Plan plan ? plan : null;
  }

  /** Whether versions of a projection are compared with each other. */
  public boolean comparesVersions() {
    return rebuild() != null && projections.size() > 1;
  }

  /**
   * Whether a projection looks at what happened at some time. Windows say that for themselves, so
   * only what has none is confined to the part of the history that is rebuilt.
   *
   * @param occurredAt of an event, or of the first one of its chain of corrections
   */
  public boolean considers(ProjectionRule rule, Instant occurredAt) {
    Rebuild rebuild = rebuild();
    return rebuild == null || rule.windowed() || rebuild.holds(occurredAt);
  }

  /** Whether a cell is in the part of the history that is asked for. */
  public boolean keeps(ProjectionRule rule, Instant windowStart, Instant windowEnd) {
    Rebuild rebuild = rebuild();
    return rebuild == null || !rule.windowed() || rebuild.meets(windowStart, windowEnd);
  }

  /** The contract of a source. */
  public SourceContract contract(String source) {
    SourceContract standing = null;
    for (SourceContract contract : sources) {
      if (contract.source().equals(source)) {
        return contract;
      }
      if (contract.source().equals(SourceContract.ANY) && standing == null) {
        standing = contract;
      }
    }
    return standing == null ? SourceContract.DEFAULT : standing;
  }

  /** The fields of events that projections look at. */
  public ProjectedFields projectedFields() {
    return ProjectedFields.of(projections);
  }

  /** Whether outbox ids are ordered as integers rather than as text. */
  public boolean integerOutboxIds() {
    Archive outbox = archives.get(Input.OUTBOX);
    return outbox != null && outbox.integerIds();
  }

  /**
   * The columns of an input in this run: its contract's and those that scopes, fingerprints,
   * revisions, {@code fields}, {@code withdrawn} and {@code when} name beyond it; a column so named
   * is read in every input that has it. What scopes of sequences and keys of projections name is
   * read in events, what aggregates are called in recorded cells.
   */
  public Layout layout(Input input) {
    return Layout.of(input, namedColumns(input));
  }

  /**
   * The columns that the run spec names and the contract of an input lacks, by name. Besides what
   * no contract knows, these are the columns of events that tell the keys of one pair (source, id)
   * apart: other inputs may carry them too, to say which key they mean. Recorded cells may have a
   * column for each aggregate, and {@code value} for that of {@code current}.
   */
  public ImmutableSortedSet<String> namedColumns(Input input) {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    names.addAll(input == Input.EVENTS ? referencedColumns() : columnsOfIdentityAndEffects());
    for (SourceContract contract : sources) {
      if (input == Input.EVENTS) {
        names.addAll(contract.fields().keySet());
      }
      if (contract.revision() != null) {
        names.add(SourceContract.REVISION);
      }
    }
    ImmutableSet<String> keyColumns = keyColumns();
    Stream<String> named =
        names.build().stream()
            .filter(name -> !has(Input.EVENTS, name) || keyColumns.contains(name));
    return Stream.concat(named, input == Input.PROJECTIONS ? valueColumns() : Stream.of())
        .filter(name -> !has(input, name))
        .collect(ImmutableSortedSet.toImmutableSortedSet(naturalOrder()));
  }

  /** The columns that scopes and revisions of keys stand in. */
  private ImmutableSet<String> keyColumns() {
    ImmutableSet.Builder<String> columns = ImmutableSet.builder();
    for (SourceContract contract : sources) {
      columns.addAll(contract.scope());
      if (contract.revision() != null && !contract.revision().inPayload()) {
        columns.add(contract.revision().column());
      }
    }
    return columns.build();
  }

  /** The columns of recorded cells that hold what was computed, where no object does. */
  private Stream<String> valueColumns() {
    return Stream.concat(
        Stream.of(ProjectionRule.VALUE),
        projections.stream().flatMap(rule -> rule.aggregates().keySet().stream()));
  }

  private static boolean has(Input input, String column) {
    return input.columns().stream().anyMatch(c -> c.name().equals(column));
  }

  /** The columns whose values the run spec asks for, be they of the contract or not. */
  ImmutableSortedSet<String> referencedColumns() {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    names.addAll(columnsOfIdentityAndEffects());
    for (SourceContract contract : sources) {
      if (contract.sequence() != null) {
        names.addAll(contract.sequence().scope());
      }
    }
    for (ProjectionRule rule : projections) {
      addColumns(names, ImmutableList.of(rule.key()));
    }
    return names.build();
  }

  private ImmutableSortedSet<String> columnsOfIdentityAndEffects() {
    ImmutableSortedSet.Builder<String> names = ImmutableSortedSet.naturalOrder();
    for (SourceContract contract : sources) {
      names.addAll(contract.scope());
      if (contract.fingerprint() != null) {
        addColumns(names, contract.fingerprint().fields());
      }
      if (contract.revision() != null) {
        addColumns(names, ImmutableList.of(contract.revision()));
      }
      addColumns(names, contract.fields().values());
      if (contract.withdrawn() != null) {
        addColumns(names, ImmutableList.of(contract.withdrawn().field()));
      }
    }
    for (Effect effect : effects) {
      for (String column : effect.when().keySet()) {
        if (!Effect.COMPUTED.contains(column)) {
          names.add(column);
        }
      }
    }
    return names.build();
  }

  /**
   * Canonical JSON text of everything that a result depends on: equal run specs have the same,
   * whatever was left to defaults and however it was written. Of the limits, those that are not the
   * default stand in it.
   */
  public String canonical() {
    ObjectNode tree = RunSpecShape.RUN_SPEC.write(this);
    tree.remove(RunSpecShape.LIMITS.name());
    if (!limits.equals(Limits.DEFAULT)) {
      tree.set(RunSpecShape.LIMITS.name(), LimitsShape.changed(limits));
    }
    if (from != null) {
      tree.put("from", from.toString());
    }
    if (to != null) {
      tree.put("to", to.toString());
    }
    if (task.name() != null) {
      ObjectNode settings = tree.putObject(task.name());
      task.settings().forEach(settings::put);
    }
    return CanonicalForm.of(tree);
  }

  /** The same run spec, however its output is cut. */
  public RunSpec withoutLayout() {
    Change change = new Change(this);
    change.buckets = null;
    return change.made();
  }

  /** The same run spec under another name. */
  RunSpec withName(String newName) {
    Change change = new Change(this);
    change.name = newName;
    return change.made();
  }

  /** The same run spec with what a command line may say in its place. */
  RunSpec withArguments(Instant newAsOf, Instant newFrom, Instant newTo, FailOn newFailOn) {
    Change change = new Change(this);
    change.asOf = newAsOf;
    change.from = newFrom;
    change.to = newTo;
    change.failOn = newFailOn;
    return change.made();
  }

  /** Makes a run spec that differs from another in some of its parts. */
  private static final class Change {

    private String name;
    private Instant asOf;
    private ImmutableMap<Input, Archive> archives;
    private final ImmutableList<SourceContract> sources;
    private ImmutableList<Effect> effects;
    private ImmutableList<ProjectionRule> projections;
    private FailOn failOn;
    private final Duration lookBack;
    private Integer buckets;
    private boolean identityDrift;
    private final Limits limits;
    private Instant from;
    private Instant to;
    private Task task;

    Change(RunSpec spec) {
      this.name = spec.name;
      this.asOf = spec.asOf;
      this.archives = spec.archives;
      this.sources = spec.sources;
      this.effects = spec.effects;
      this.projections = spec.projections;
      this.failOn = spec.failOn;
      this.lookBack = spec.lookBack;
      this.buckets = spec.buckets;
      this.identityDrift = spec.identityDrift;
      this.limits = spec.limits;
      this.from = spec.from;
      this.to = spec.to;
      this.task = spec.task;
    }

    RunSpec made() {
      return new RunSpec(
          name,
          asOf,
          archives,
          sources,
          effects,
          projections,
          failOn,
          lookBack,
          buckets,
          identityDrift,
          limits,
          from,
          to,
          task);
    }
  }

  private static void addColumns(
      ImmutableSortedSet.Builder<String> names, Iterable<FieldRef> fields) {
    for (FieldRef field : fields) {
      if (!field.inPayload()) {
        names.add(field.column());
      }
    }
  }

  /** The level at or above which an unacknowledged finding makes the exit code 1. */
  public enum FailOn {
    INFO,
    WARNING,
    ERROR,
    NONE;

    /** Whether a finding of this level makes the run fail. */
    public boolean includes(Level level) {
      return switch (this) {
        case INFO -> true;
        case WARNING -> level != Level.INFO;
        case ERROR -> level == Level.ERROR;
        case NONE -> false;
      };
    }
  }

  /**
   * Where an input lies and how its records map to the contract.
   *
   * @param files globs or paths, relative to the spec, as written; empty where a table is read
   * @param table the table that is read instead of files, or null
   * @param format the format, where declared; else the content decides
   * @param columns canonical name to theirs: a column's name, or a JSON Pointer into a nested
   *     record; of CloudEvents, with the attributes that the format itself says
   * @param constants canonical name to the value of columns that the archive lacks
   * @param timeUnit the unit of integer times whose file does not give one
   * @param zone the zone of times without one
   * @param start from when on the extract covers its input
   * @param cut up to when it does; by default the largest time in the data
   * @param retention how long the live system keeps its rows
   * @param allowEmpty whether an input without rows is in order
   * @param integerIds whether outbox ids are ordered as integers rather than as bytes of text
   * @param values foreign words to those of the contract: of {@code status} and {@code decision}
   */
  public record Archive(
      ImmutableList<String> files,
      TableSource table,
      Format format,
      ImmutableMap<String, String> columns,
      ImmutableMap<String, String> constants,
      TimeUnit timeUnit,
      ZoneId zone,
      Instant start,
      Instant cut,
      Duration retention,
      boolean allowEmpty,
      boolean integerIds,
      ImmutableMap<String, String> values)
      implements Serializable {

    /** Files of which nothing else is said. */
    public static Archive ofFiles(String... patterns) {
      return new Archive(
          ImmutableList.copyOf(patterns),
          null,
          null,
          ImmutableMap.of(),
          ImmutableMap.of(),
          null,
          null,
          null,
          null,
          null,
          false,
          false,
          ImmutableMap.of());
    }

    /** Whether a column is mapped as the format itself has it, be it there or not. */
    public boolean mapsByFormat(String column, String theirs) {
      return format == Format.CLOUDEVENTS && theirs.equals(CloudEventAttributes.of(column));
    }
  }

  /** The formats that archives come in. */
  public enum Format {
    /** Apache Parquet. */
    PARQUET,
    /** JSON lines: one object per line. */
    JSONL,
    /** CloudEvents 1.0 in the JSON event format: one per line. */
    CLOUDEVENTS
  }

  /** Units of integer times. */
  public enum TimeUnit {
    S(1L),
    MS(1_000L),
    US(1_000_000L),
    NS(1_000_000_000L);

    private final long perSecond;

    TimeUnit(long perSecond) {
      this.perSecond = perSecond;
    }

    /** How many of it make a second. */
    public long perSecond() {
      return perSecond;
    }
  }
}
