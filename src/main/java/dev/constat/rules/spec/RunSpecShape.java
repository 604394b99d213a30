package dev.constat.rules.spec;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static dev.constat.rules.spec.Key.later;
import static dev.constat.rules.spec.Key.misplaced;
import static dev.constat.rules.spec.Key.optional;
import static dev.constat.rules.spec.Key.particular;
import static dev.constat.rules.spec.Key.required;
import static dev.constat.rules.spec.Key.withDefault;
import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.Effect.AnyOf;
import dev.constat.rules.spec.GroupShape.Values;
import dev.constat.rules.spec.Lateness.Budget;
import dev.constat.rules.spec.ProjectionShape.Projection;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.FailOn;
import dev.constat.rules.spec.RunSpec.Format;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import dev.constat.rules.spec.SourceContract.Fingerprint;
import dev.constat.rules.spec.SourceContract.Withdrawn;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What {@code constat.yaml} may say: every key with its type, its default and what it is for. The
 * order of the keys is the order in which they are printed.
 */
final class RunSpecShape {

  private static final Instant SOME_INSTANT = Instant.parse("2026-01-05T12:00:00Z");
  private static final FieldRef SOME_FIELD = FieldRef.parse("/payload/rev");

  /** The words of levels, for the file and for the command line. */
  static final WordShape<FailOn> LEVEL =
      new WordShape<>(
              ImmutableMap.of(
                  "info", FailOn.INFO,
                  "warning", FailOn.WARNING,
                  "error", FailOn.ERROR,
                  "none", FailOn.NONE),
              ImmutableSet.of())
          .later("new-info", "new-warning", "new-error");

  // Archives

  private static final Key<Archive, ImmutableList<String>> FILES =
      particular(
          "files",
          ListShape.nonEmpty(TextShape.TEXT),
          archive -> archive.files().isEmpty() ? null : archive.files(),
          ImmutableList.of("events/*.parquet"),
          "Files or globs, relative to this file.");

  private static final Key<Archive, String> JDBC =
      particular(
          "jdbc",
          Notations.JDBC,
          ofTable(TableSource::jdbc),
          "jdbc:postgresql://db:5432/shop",
          "Instead of files: the database that holds the input, ClickHouse or PostgreSQL.");

  private static final Key<Archive, String> TABLE =
      particular(
          "table",
          Notations.TABLE,
          ofTable(TableSource::table),
          "shop.outbox",
          "With jdbc: the table or view.");

  private static final Key<Archive, String> USER_ENV =
      particular(
          "user_env",
          Notations.ENVIRONMENT,
          ofTable(TableSource::userEnv),
          "DB_USER",
          "With jdbc: the environment variable that holds the user's name. Default: none is given.");

  private static final Key<Archive, String> PASSWORD_ENV =
      particular(
          "password_env",
          Notations.ENVIRONMENT,
          ofTable(TableSource::passwordEnv),
          "DB_PASSWORD",
          "With jdbc: the environment variable that holds the password. Default: none is given.");

  private static final Key<Archive, String> WHERE =
      particular(
          "where",
          Notations.CONDITION,
          ofTable(TableSource::where),
          "tenant = 'shop'",
          "With jdbc: which rows belong to the input, in SQL. Default: all.");

  /** It is spelled out in columns and values when it is read, so it is never written. */
  private static final Key<Archive, Preset> PRESET =
      particular(
          "preset",
          new WordShape<>(
              Stream.of(Preset.values())
                  .collect(ImmutableMap.toImmutableMap(Preset::word, preset -> preset)),
              ImmutableSet.of()),
          archive -> null,
          Preset.OUTBOX_TABLE,
          "A usual layout to begin with: outbox-table, debezium-outbox or event-archive.");

  private static final Key<Archive, Format> FORMAT =
      optional(
          "format",
          new WordShape<>(
              ImmutableMap.of("parquet", Format.PARQUET, "jsonl", Format.JSONL), ImmutableSet.of()),
          Archive::format,
          Format.PARQUET,
          "parquet or jsonl. Default: by content.");

  private static final Key<Archive, Format> FORMAT_OF_EVENTS =
      optional(
          "format",
          new WordShape<>(
              ImmutableMap.of(
                  "parquet", Format.PARQUET,
                  "jsonl", Format.JSONL,
                  "cloudevents", Format.CLOUDEVENTS),
              ImmutableSet.of()),
          Archive::format,
          Format.PARQUET,
          "parquet, jsonl or cloudevents (JSON, one per line). Default: by content, and then never"
              + " cloudevents.");

  private static final Key<Archive, ImmutableMap<String, String>> COLUMNS =
      withDefault(
          "columns",
          MapShape.ofColumns(Notations.THEIRS),
          Archive::columns,
          ImmutableMap.of(),
          "Where the archive keeps a column: ours: theirs (a column, or a /json/pointer).");

  private static final Key<Archive, ImmutableMap<String, String>> CONSTANTS =
      withDefault(
          "constants",
          MapShape.ofColumns(new LiteralShape(false).as(Literal::text, Literal::text)),
          Archive::constants,
          ImmutableMap.of(),
          "Values of columns that the archive lacks.");

  private static final Key<Archive, TimeUnit> TIME_UNIT =
      optional(
          "time_unit",
          new WordShape<>(
              ImmutableMap.of(
                  "s", TimeUnit.S, "ms", TimeUnit.MS, "us", TimeUnit.US, "ns", TimeUnit.NS),
              ImmutableSet.of()),
          Archive::timeUnit,
          TimeUnit.MS,
          "Unit of integer times: s, ms, us or ns. Default: the file's own; without one, an error.");

  private static final Key<Archive, ZoneId> ZONE =
      optional(
          "zone",
          Notations.ZONE,
          Archive::zone,
          ZoneId.of("Europe/Paris"),
          "Zone of times without one. Default: none; such times are then not used.");

  private static final Key<Archive, Instant> START =
      optional(
          "start",
          Notations.INSTANT,
          Archive::start,
          Instant.parse("2026-01-01T00:00:00Z"),
          "From when on the extract covers its input. Default: unknown.");

  private static final Key<Archive, Instant> CUT =
      optional(
          "cut",
          Notations.INSTANT,
          Archive::cut,
          SOME_INSTANT,
          "Up to when the extract covers its input. Default: the largest time in it.");

  private static final Key<Archive, Duration> RETENTION =
      optional(
          "retention",
          Notations.POSITIVE_DURATION,
          Archive::retention,
          Duration.ofDays(30),
          "How long the live system keeps its rows. Default: unknown.");

  private static final Key<Archive, Boolean> ALLOW_EMPTY =
      withDefault(
          "allow_empty",
          new FlagShape(),
          Archive::allowEmpty,
          false,
          "Whether an input without rows is in order.");

  private static final Key<Archive, Boolean> ID_ORDER =
      withDefault(
          "id_order",
          new WordShape<>(ImmutableMap.of("text", false, "integer", true), ImmutableSet.of()),
          Archive::integerIds,
          false,
          "Order of outbox ids: text (by bytes) or integer.");

  private static final Key<Archive, ImmutableMap<String, String>> STATUS_VALUES =
      values(
          "Foreign words for a status: theirs: PENDING, PROCESSING, DISPATCHED or DLQ.",
          "PENDING",
          "PROCESSING",
          "DISPATCHED",
          "DLQ");

  private static final Key<Archive, ImmutableMap<String, String>> DECISION_VALUES =
      values(
          "Foreign words for a decision: theirs: EXACT_DUPLICATE and so on.",
          "ACCEPTED",
          "CORRECTION",
          "EXACT_DUPLICATE",
          "CONFLICTING_DUPLICATE",
          "ARCHIVE_COPY",
          "ARCHIVE_CONFLICT",
          "LATE",
          "FUTURE");

  private static final Key<Archive, ImmutableMap<String, String>> EFFECT_KEY_VALUES =
      values("Foreign words for effect_keys: theirs: original or own.", "original", "own");

  private static final Key<Map<Input, Archive>, Archive> EVENTS =
      required(
          "events",
          archive(Input.EVENTS),
          archives -> archives.get(Input.EVENTS),
          exampleArchive(Input.EVENTS),
          "One row per reception attempt.");

  private static final ImmutableMap<Input, Key<Map<Input, Archive>, Archive>> ARCHIVES_BY_INPUT =
      ImmutableMap.of(
          Input.EVENTS,
          EVENTS,
          Input.OUTBOX,
          archiveKey(Input.OUTBOX, "One row per version of an outbox message."),
          Input.ACKNOWLEDGEMENTS,
          archiveKey(Input.ACKNOWLEDGEMENTS, "One row per acknowledgement by a consumer."),
          Input.DECISIONS,
          archiveKey(Input.DECISIONS, "What the live system decided about each reception."),
          Input.PROJECTIONS,
          archiveKey(Input.PROJECTIONS, "Cells of projections as the live system recorded them."),
          Input.REPLAYS,
          archiveKey(Input.REPLAYS, "The replays that were meant, one row each: the registry."));

  private static final Key<RunSpec, Map<Input, Archive>> ARCHIVES =
      required(
          "archives",
          new GroupShape<Map<Input, Archive>>(
              ImmutableList.copyOf(ARCHIVES_BY_INPUT.values()), RunSpecShape::bindArchives),
          RunSpec::archives,
          ImmutableMap.of(Input.EVENTS, exampleArchive(Input.EVENTS)),
          "Where the inputs lie. Only events is required.");

  // Sources

  private static final Key<Identity, ImmutableList<String>> SCOPE =
      withDefault(
          "scope",
          ListShape.of(Notations.COLUMN),
          Identity::scope,
          ImmutableList.of(),
          "Columns inside which its ids are unique, besides the source.");

  private static final Key<Fingerprint, String> FINGERPRINT_RULE =
      required(
          "rule",
          Notations.FINGERPRINT_RULE,
          Fingerprint::rule,
          "fp/2",
          "Its name and version; another set of fields is another version.");

  private static final Key<Fingerprint, ImmutableList<FieldRef>> FINGERPRINT_FIELDS =
      required(
          "fields",
          ListShape.nonEmpty(Notations.FIELD)
              .distinctBy(field -> List.of(field.column(), field.pointer()), "names %s again"),
          Fingerprint::fields,
          ImmutableList.of(FieldRef.parse("/payload/pay"), FieldRef.parse("/payload/amt")),
          "Columns, or places in the payload (/payload/...).");

  private static final Key<Identity, Fingerprint> FINGERPRINT =
      optional(
          "fingerprint",
          new GroupShape<>(
              ImmutableList.of(FINGERPRINT_RULE, FINGERPRINT_FIELDS),
              values ->
                  new Fingerprint(values.get(FINGERPRINT_RULE), values.get(FINGERPRINT_FIELDS))),
          Identity::fingerprint,
          new Fingerprint("fp/2", ImmutableList.of(FieldRef.parse("/payload/pay"))),
          "What identifies an event without an id. Default: every column and the payload (fp/1).");

  private static final Key<Identity, FieldRef> REVISION =
      optional(
          "revision",
          Notations.FIELD,
          Identity::revision,
          SOME_FIELD,
          "What tells versions of one id apart; outbox rows have it in that column, or in one called"
              + " revision. Default: nothing does.");

  private static final Key<SourceContract, String> SOURCE =
      required(
          "source",
          TextShape.TEXT,
          SourceContract::source,
          SourceContract.ANY,
          "Its name; \"*\" is every source without a contract of its own.");

  private static final Key<SourceContract, Identity> IDENTITY =
      withDefault(
          "identity",
          new GroupShape<>(
              ImmutableList.of(SCOPE, FINGERPRINT, REVISION),
              values ->
                  new Identity(values.get(SCOPE), values.get(FINGERPRINT), values.get(REVISION))),
          contract -> new Identity(contract.scope(), contract.fingerprint(), contract.revision()),
          new Identity(ImmutableList.of(), null, null),
          "What makes two receptions the same event.");

  private static final Key<SourceContract, HashRule> HASH =
      withDefault(
          "hash",
          new WordShape<>(
              ImmutableMap.of(
                  HashRule.JCS_EXACT_1.id(), HashRule.JCS_EXACT_1,
                  HashRule.JCS_1.id(), HashRule.JCS_1,
                  HashRule.RAW_BYTES_1.id(), HashRule.RAW_BYTES_1),
              ImmutableSet.of()),
          SourceContract::hash,
          SourceContract.DEFAULT.hash(),
          "How contents are compared: jcs-exact/1 (canonical JSON), jcs/1 (RFC 8785) or raw-bytes/1.");

  private static final Key<SourceContract, ImmutableList<String>> SCHEMA_VERSIONS =
      optional(
          "schema_versions",
          ListShape.nonEmpty(TextShape.TEXT),
          SourceContract::schemaVersions,
          ImmutableList.of("1"),
          "The versions of the payload that are known. Default: any.");

  private static final Key<SourceContract, ImmutableMap<String, FieldRef>> FIELDS =
      withDefault(
          "fields",
          MapShape.ofColumns(Notations.FIELD),
          SourceContract::fields,
          ImmutableMap.of(),
          "Text columns whose value is taken from elsewhere in the event.");

  private static final Key<Withdrawn, FieldRef> WITHDRAWN_FIELD =
      required(
          "field",
          Notations.FIELD,
          Withdrawn::field,
          FieldRef.parse("/payload/removed"),
          "Where the mark stands.");

  private static final Key<Withdrawn, String> WITHDRAWN_EQUALS =
      required(
          "equals",
          new LiteralShape(true).as(Literal::canonicalJson, Literal::ofCanonicalJson),
          Withdrawn::equals,
          "true",
          "The value that it then has.");

  private static final Key<SourceContract, Withdrawn> WITHDRAWN =
      optional(
          "withdrawn",
          new GroupShape<>(
              ImmutableList.of(WITHDRAWN_FIELD, WITHDRAWN_EQUALS),
              values -> new Withdrawn(values.get(WITHDRAWN_FIELD), values.get(WITHDRAWN_EQUALS))),
          SourceContract::withdrawn,
          new Withdrawn(FieldRef.parse("/payload/removed"), "true"),
          "What marks an event that takes its target back. Default: nothing does.");

  private static final Key<Sequence, ImmutableList<String>> NUMBERED_IN =
      withDefault(
          "scope",
          ListShape.of(Notations.COLUMN),
          Sequence::scope,
          ImmutableList.of(),
          ImmutableList.of("partition"),
          "Columns inside which it counts, besides the source; []: across the whole source.");

  private static final Key<Sequence, Boolean> DENSE =
      withDefault(
          "dense",
          new FlagShape(),
          Sequence::dense,
          false,
          "Whether a number that is missing is an event that is missing.");

  private static final Key<SourceContract, Sequence> SEQUENCE =
      optional(
          "sequence",
          new GroupShape<>(
              ImmutableList.of(NUMBERED_IN, DENSE),
              values -> new Sequence(values.get(NUMBERED_IN), values.get(DENSE))),
          SourceContract::sequence,
          new Sequence(ImmutableList.of("partition"), false),
          "Where source_sequence means something. Default: nowhere; it is then only counted.");

  private static final Key<Budget, Duration> BUDGET =
      withDefault(
          "budget",
          Notations.DURATION,
          Budget::length,
          Lateness.DEFAULT_BUDGET.length(),
          "How far the watermark stays behind the largest occurred_at.");

  private static final Key<Budget, String> BUDGET_VERSION =
      withDefault(
          "version",
          TextShape.TEXT,
          Budget::version,
          Lateness.DEFAULT_BUDGET.version(),
          "Its name, as decisions state it.");

  private static final Key<Budget, Instant> BUDGET_FROM =
      optional(
          "from",
          Notations.INSTANT,
          Budget::from,
          Instant.parse("2026-01-01T00:00:00Z"),
          "The received_at from which on it holds. Default: from the beginning.");

  private static final Key<SourceContract, ImmutableList<Budget>> LATENESS =
      withDefault(
          "lateness",
          ListShape.nonEmpty(
                  new GroupShape<>(
                      ImmutableList.of(BUDGET, BUDGET_VERSION, BUDGET_FROM),
                      values ->
                          new Budget(
                              values.get(BUDGET_FROM),
                              values.get(BUDGET),
                              values.get(BUDGET_VERSION))))
              .distinctBy(Budget::from, "holds from the same moment on as %s"),
          contract -> contract.lateness().budgets(),
          Lateness.DEFAULT.budgets(),
          "How long its events may take: one budget, or several that hold one after the other.");

  private static final Key<SourceContract, Duration> FUTURE_TOLERANCE =
      withDefault(
          "future_tolerance",
          Notations.DURATION,
          SourceContract::futureTolerance,
          SourceContract.DEFAULT.futureTolerance(),
          "How far occurred_at may lie after received_at.");

  private static final Key<RunSpec, ImmutableList<SourceContract>> SOURCES =
      withDefault(
          "sources",
          ListShape.nonEmpty(
                  new GroupShape<>(
                      ImmutableList.<Key<SourceContract, ?>>of(
                          SOURCE,
                          IDENTITY,
                          HASH,
                          SEQUENCE,
                          LATENESS,
                          FUTURE_TOLERANCE,
                          SCHEMA_VERSIONS,
                          FIELDS,
                          WITHDRAWN),
                      RunSpecShape::bindSource))
              .distinctBy(SourceContract::source, "names the same source as %s"),
          RunSpec::sources,
          ImmutableList.of(SourceContract.DEFAULT),
          "The contract of each source.");

  // Effects

  private static final Key<Effect, String> TYPE =
      required("type", TextShape.TEXT, Effect::type, "notify", "As outbox rows name it.");

  private static final Key<Effect, ImmutableMap<String, AnyOf>> WHEN =
      withDefault(
          "when",
          MapShape.ofColumns(
              ListShape.nonEmpty(new LiteralShape(true))
                  .as(RunSpecShape::anyOf, RunSpecShape::literals)),
          Effect::when,
          ImmutableMap.of(),
          "Columns, decision, timeliness or flags and their values (a list: any of); {}: every"
              + " accepted event.");

  private static final Key<Effect, ImmutableList<String>> CONSUMERS =
      optional(
          "consumers",
          ListShape.nonEmpty(TextShape.TEXT),
          Effect::consumers,
          ImmutableList.of("c1"),
          "Who acknowledges it. Default: unknown; missing acknowledgements are then not judged.");

  private static final Key<Effect, Duration> GRACE =
      withDefault(
          "grace",
          Notations.DURATION,
          Effect::grace,
          Effect.DEFAULT_GRACE,
          "How long the other side may lag behind.");

  private static final Key<Effect, Duration> PENDING_AFTER =
      withDefault(
          "pending_after",
          Notations.POSITIVE_DURATION,
          Effect::pendingAfter,
          Effect.DEFAULT_PENDING_AFTER,
          "How long a row may be PENDING.");

  private static final Key<Effect, Duration> LEASE_TTL =
      withDefault(
          "lease_ttl",
          Notations.POSITIVE_DURATION,
          Effect::leaseTtl,
          Effect.DEFAULT_LEASE_TTL,
          "How long a lease may last.");

  private static final Key<Effect, Integer> MAX_ATTEMPTS =
      withDefault(
          "max_attempts",
          IntegerShape.from(1),
          Effect::maxAttempts,
          Effect.DEFAULT_MAX_ATTEMPTS,
          "How often delivery is tried.");

  private static final Key<Effect, Boolean> ORDER =
      withDefault(
          "order",
          new WordShape<>(ImmutableMap.of("aggregate", true, "none", false), ImmutableSet.of()),
          Effect::ordered,
          false,
          "What keeps its order: the rows of each aggregate, or none.");

  private static final Key<Effect, Boolean> REPLAYABLE =
      withDefault(
          "replayable", new FlagShape(), Effect::replayable, false, "Whether replays may have it.");

  private static final Key<RunSpec, ImmutableList<Effect>> EFFECTS =
      withDefault(
          "effects",
          ListShape.of(
                  new GroupShape<>(
                      ImmutableList.of(
                          TYPE,
                          WHEN,
                          CONSUMERS,
                          GRACE,
                          PENDING_AFTER,
                          LEASE_TTL,
                          MAX_ATTEMPTS,
                          ORDER,
                          REPLAYABLE),
                      RunSpecShape::bindEffect))
              .distinctBy(
                  effect -> List.of(effect.type(), effect.when()),
                  "has the same type and when as %s and would never apply"),
          RunSpec::effects,
          ImmutableList.of(),
          ImmutableList.of(Effect.undeclared("notify")),
          "The effects expected; of two entries of one type, the first whose when holds.");

  // Projections

  private static final Key<RunSpec, ImmutableList<Projection>> PROJECTIONS =
      withDefault(
          "projections",
          ProjectionShape.PROJECTIONS,
          spec -> ProjectionShape.grouped(spec.projections()),
          ImmutableList.of(),
          ProjectionShape.EXAMPLE,
          "What the live system makes of its events, to be rebuilt and compared.");

  // The whole

  private static final Key<RunSpec, Integer> CONSTAT =
      required(
          "constat", IntegerShape.only("1", List.of(1)), spec -> 1, 1, "Version of this notation.");

  private static final Key<RunSpec, String> NAME =
      optional(
          "name",
          TextShape.TEXT,
          RunSpec::name,
          "shop",
          "Names the run. Default: the folder's name.");

  private static final Key<RunSpec, Instant> AS_OF =
      optional(
          "as_of",
          Notations.INSTANT,
          RunSpec::asOf,
          SOME_INSTANT,
          "What ages and expiries are counted from; lowers later cuts. Default: the smallest cut.");

  private static final Key<RunSpec, FailOn> FAIL_ON =
      withDefault(
          "fail_on",
          LEVEL,
          RunSpec::failOn,
          FailOn.ERROR,
          "The level from which a finding makes the run fail: info, warning, error or none.");

  private static final Key<RunSpec, Duration> LOOK_BACK =
      withDefault(
          "look_back",
          Notations.DURATION,
          RunSpec::lookBack,
          Duration.ofDays(7),
          "How far before --from is read.");

  private static final Key<Partition, Integer> BUCKETS =
      optional(
          "buckets",
          IntegerShape.only(
              "a power of two from 1 to 4096",
              IntStream.rangeClosed(0, 12).mapToObj(power -> 1 << power).toList()),
          Partition::buckets,
          64,
          "A power of two up to 4096; fixes the number of files. Default: from the input's size.");

  private static final Key<RunSpec, Partition> LAYOUT =
      withDefault(
          "layout",
          new GroupShape<>(ImmutableList.of(BUCKETS), values -> new Partition(values.get(BUCKETS))),
          spec -> new Partition(spec.buckets()),
          new Partition(null),
          "How the outputs are divided.");

  private static final Key<Checks, Boolean> IDENTITY_DRIFT =
      withDefault(
          "identity_drift",
          new FlagShape(),
          Checks::identityDrift,
          false,
          "Events with different ids and equal content (SUSPECTED_IDENTITY_DRIFT).");

  private static final Key<RunSpec, Checks> CHECKS =
      withDefault(
          "checks",
          new GroupShape<>(
              ImmutableList.of(IDENTITY_DRIFT), values -> new Checks(values.get(IDENTITY_DRIFT))),
          spec -> new Checks(spec.identityDrift()),
          new Checks(false),
          "Costly checks.");

  /** The key of the limits. */
  static final Key<RunSpec, Limits> LIMITS =
      withDefault(
          "limits",
          LimitsShape.LIMITS,
          RunSpec::limits,
          Limits.DEFAULT,
          "What is larger is not read, and stated.");

  /** The whole file. */
  static final GroupShape<RunSpec> RUN_SPEC =
      new GroupShape<>(
          ImmutableList.of(
              CONSTAT,
              NAME,
              AS_OF,
              ARCHIVES,
              SOURCES,
              EFFECTS,
              PROJECTIONS,
              FAIL_ON,
              LOOK_BACK,
              LAYOUT,
              CHECKS,
              LIMITS,
              later("report_tables")),
          RunSpecShape::bindRunSpec);

  private RunSpecShape() {}

  /** The part of a contract that stands under {@code identity}. */
  private record Identity(
      ImmutableList<String> scope, Fingerprint fingerprint, FieldRef revision) {}

  /** What stands under {@code layout}. */
  private record Partition(Integer buckets) {}

  /** What stands under {@code checks}. */
  private record Checks(boolean identityDrift) {}

  private static Key<Map<Input, Archive>, Archive> archiveKey(Input input, String doc) {
    return optional(
        input.key(), archive(input), archives -> archives.get(input), exampleArchive(input), doc);
  }

  private static Key<Archive, ImmutableMap<String, String>> values(String doc, String... words) {
    return withDefault(
        "values", MapShape.ofTexts(WordShape.of(words)), Archive::values, ImmutableMap.of(), doc);
  }

  private static GroupShape<Archive> archive(Input input) {
    Key<Archive, ?> idOrder =
        input == Input.OUTBOX ? ID_ORDER : misplaced("id_order", "is for outbox only");
    Key<Archive, ?> values =
        switch (input) {
          case OUTBOX -> STATUS_VALUES;
          case DECISIONS -> DECISION_VALUES;
          case REPLAYS -> EFFECT_KEY_VALUES;
          default -> misplaced("values", "is for outbox, decisions and replays only");
        };
    return new GroupShape<>(
        ImmutableList.<Key<Archive, ?>>of(
            FILES,
            input == Input.EVENTS ? FORMAT_OF_EVENTS : FORMAT,
            COLUMNS,
            CONSTANTS,
            TIME_UNIT,
            ZONE,
            START,
            CUT,
            RETENTION,
            ALLOW_EMPTY,
            idOrder,
            values,
            JDBC,
            TABLE,
            USER_ENV,
            PASSWORD_ENV,
            WHERE,
            PRESET),
        present -> bindArchive(input, present));
  }

  private static Archive exampleArchive(Input input) {
    return Archive.ofFiles(input.key() + "/*.parquet");
  }

  private static Archive bindArchive(Input input, Values<Archive> values) {
    Format format = values.get(input == Input.EVENTS ? FORMAT_OF_EVENTS : FORMAT);
    ImmutableMap<String, String> constants = values.get(CONSTANTS);
    ImmutableMap<String, String> columns = columns(input, values);
    Archive archive =
        new Archive(
            values.has(FILES) ? values.get(FILES) : ImmutableList.of(),
            table(values),
            format,
            format == Format.CLOUDEVENTS
                ? CloudEventAttributes.complete(columns, constants.keySet())
                : columns,
            constants,
            values.get(TIME_UNIT),
            values.get(ZONE),
            values.get(START),
            values.get(CUT),
            values.get(RETENTION),
            values.get(ALLOW_EMPTY),
            values.get(ID_ORDER),
            words(input, values));
    if (archive.start() != null
        && archive.cut() != null
        && !archive.start().isBefore(archive.cut())) {
      values
          .reading()
          .problem(
              values.path().key(START.name()),
              archive.start().toString(),
              "start %s is not before cut %s".formatted(archive.start(), archive.cut()),
              "start is where the extract begins, cut where it ends");
    }
    for (String column :
        Sets.intersection(archive.columns().keySet(), archive.constants().keySet())) {
      values
          .reading()
          .keyProblem(
              values.path().key(CONSTANTS.name()).key(column),
              "%s is both in columns and in constants of %s".formatted(column, values.path()),
              "remove one of them");
    }
    return archive;
  }

  /** Where the archive keeps columns; what the run spec says goes before what its preset does. */
  private static ImmutableMap<String, String> columns(Input input, Values<Archive> values) {
    Preset preset = values.has(PRESET) ? values.get(PRESET) : null;
    if (preset == null) {
      return values.get(COLUMNS);
    }
    if (preset.input() != input) {
      values.problem(
          " has the preset " + preset.word() + ", which is for " + preset.input().key(),
          "remove it");
    }
    ImmutableMap.Builder<String, String> columns = ImmutableMap.builder();
    preset
        .columns()
        .forEach(
            (ours, theirs) -> {
              if (!values.get(CONSTANTS).containsKey(ours)) {
                columns.put(ours, theirs);
              }
            });
    return columns.putAll(values.get(COLUMNS)).buildKeepingLast();
  }

  /** What foreign words of an archive stand for, likewise. */
  private static ImmutableMap<String, String> words(Input input, Values<Archive> values) {
    ImmutableMap<String, String> own =
        values.get(
            switch (input) {
              case DECISIONS -> DECISION_VALUES;
              case REPLAYS -> EFFECT_KEY_VALUES;
              default -> STATUS_VALUES;
            });
    Preset preset = values.has(PRESET) ? values.get(PRESET) : null;
    return preset == null
        ? own
        : ImmutableMap.<String, String>builder()
            .putAll(preset.words())
            .putAll(own)
            .buildKeepingLast();
  }

  private static <T> Function<Archive, T> ofTable(Function<TableSource, T> getter) {
    return archive -> archive.table() == null ? null : getter.apply(archive.table());
  }

  /** The table of an archive; null where files are read, or where something is wrong. */
  private static TableSource table(Values<Archive> values) {
    if (!values.has(JDBC)) {
      for (Key<Archive, ?> key : ImmutableList.of(TABLE, USER_ENV, PASSWORD_ENV, WHERE)) {
        if (values.has(key)) {
          values.misplaced(key, "goes with jdbc");
        }
      }
      if (!values.has(FILES)) {
        values.missing(FILES);
      }
      return null;
    }
    for (Key<Archive, ?> key : ImmutableList.<Key<Archive, ?>>of(FILES, FORMAT, FORMAT_OF_EVENTS)) {
      if (values.has(key)) {
        values.misplaced(key, "does not go with jdbc");
      }
    }
    if (!values.has(TABLE)) {
      values.missing(TABLE);
    }
    return new TableSource(
        values.get(JDBC),
        values.get(TABLE),
        values.get(USER_ENV),
        values.get(PASSWORD_ENV),
        values.get(WHERE));
  }

  private static Map<Input, Archive> bindArchives(Values<Map<Input, Archive>> values) {
    Map<Input, Archive> archives = new EnumMap<>(Input.class);
    ARCHIVES_BY_INPUT.forEach(
        (input, key) -> {
          Archive archive = values.get(key);
          if (archive != null) {
            archives.put(input, archive);
          }
        });
    return ImmutableMap.copyOf(archives);
  }

  private static SourceContract bindSource(Values<SourceContract> values) {
    Identity identity = values.get(IDENTITY);
    return new SourceContract(
        values.get(SOURCE),
        identity.scope(),
        identity.fingerprint(),
        identity.revision(),
        values.get(HASH),
        values.get(SCHEMA_VERSIONS),
        values.get(FIELDS),
        values.get(WITHDRAWN),
        values.get(SEQUENCE),
        new Lateness(
            ImmutableList.sortedCopyOf(
                comparing(Budget::from, nullsFirst(naturalOrder())).reversed(),
                values.get(LATENESS))),
        values.get(FUTURE_TOLERANCE));
  }

  private static Effect bindEffect(Values<Effect> values) {
    return new Effect(
        values.get(TYPE),
        values.get(WHEN),
        values.get(CONSUMERS),
        values.get(GRACE),
        values.get(PENDING_AFTER),
        values.get(LEASE_TTL),
        values.get(MAX_ATTEMPTS),
        values.get(ORDER),
        values.get(REPLAYABLE));
  }

  private static RunSpec bindRunSpec(Values<RunSpec> values) {
    RunSpec spec =
        new RunSpec(
            values.get(NAME),
            values.get(AS_OF),
            ImmutableMap.copyOf(values.get(ARCHIVES)),
            values.get(SOURCES),
            values.get(EFFECTS),
            values.get(PROJECTIONS).stream()
                .flatMap(projection -> projection.versions().stream())
                .collect(toImmutableList()),
            values.get(FAIL_ON),
            values.get(LOOK_BACK),
            values.get(LAYOUT).buckets(),
            values.get(CHECKS).identityDrift(),
            values.get(LIMITS),
            null,
            null,
            Task.RECONCILE);
    new ColumnChecks(spec, values.reading()).run();
    return spec;
  }

  private static AnyOf anyOf(ImmutableList<Literal> literals) {
    ImmutableSet.Builder<String> values = ImmutableSet.builder();
    boolean orAbsent = false;
    for (Literal literal : literals) {
      if (literal.kind() == Literal.Kind.NULL) {
        orAbsent = true;
      } else {
        values.add(literal.text());
      }
    }
    return new AnyOf(values.build(), orAbsent);
  }

  private static ImmutableList<Literal> literals(AnyOf anyOf) {
    ImmutableList.Builder<Literal> literals = ImmutableList.builder();
    anyOf.values().forEach(value -> literals.add(Literal.text(value)));
    if (anyOf.orAbsent()) {
      literals.add(new Literal(Literal.Kind.NULL, "null"));
    }
    return literals.build();
  }
}
