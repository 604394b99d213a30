package dev.constat.rules.spec;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static dev.constat.rules.spec.Key.particular;
import static dev.constat.rules.spec.Key.particularWithDefault;
import static dev.constat.rules.spec.Key.required;
import static dev.constat.rules.spec.Key.withDefault;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Multimaps;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.Aggregate.Function;
import dev.constat.rules.spec.GroupShape.Values;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What {@code projections} of a run spec may say. */
final class ProjectionShape {

  /** Columns that tables of projections, or recorded cells, have besides the aggregates. */
  private static final ImmutableSet<String> TAKEN =
      Stream.concat(
              Input.PROJECTIONS.columns().stream().map(Column::name),
              Stream.of("on_time", "refined", "too_late", "flags", "candidates"))
          .collect(toImmutableSet());

  private static final ImmutableSet<String> NOT_TEXT =
      Input.EVENTS.columns().stream()
          .filter(c -> c.type() == ColumnType.PAYLOAD || c.type() == ColumnType.TIME)
          .map(Column::name)
          .collect(toImmutableSet());

  private static final FieldRef BUSINESS_KEY = FieldRef.parse("business_key");
  private static final ImmutableMap<String, Aggregate> SOME_AGGREGATES =
      ImmutableMap.of(
          "n", new Aggregate(Function.COUNT, ""),
          "qty", new Aggregate(Function.SUM, "/qty"),
          "high", new Aggregate(Function.MAX, "/px"));

  private static final Key<ProjectionRule, String> VERSION =
      required(
          "version",
          Notations.FOLDER,
          ProjectionRule::version,
          "1",
          "As recorded cells and folders name it.");

  private static final Key<ProjectionRule, String> KIND =
      required(
          "kind",
          TextShape.matching(
              "a kind of projection",
              "write windowed, current or the name of an implementation (a-z, 0-9 and -)",
              "[a-z][a-z0-9-]*"),
          ProjectionRule::kind,
          ProjectionRule.WINDOWED,
          "windowed, current (the active version per key) or the name of an implementation.");

  private static final Key<ProjectionRule, FieldRef> KEY =
      withDefault(
          "key",
          Notations.FIELD,
          ProjectionRule::key,
          BUSINESS_KEY,
          "What its cells are keyed by: a column, or a place in the payload (/payload/...).");

  private static final Key<ProjectionRule, WindowRule> WINDOW =
      particular(
          "window",
          WindowShape.WINDOW,
          ProjectionRule::window,
          new WindowRule.Fixed(Duration.ofMinutes(10)),
          "How time is divided (windowed): fixed, sliding, session or days.");

  private static final Key<ProjectionRule, Duration> ALLOWED_LATENESS =
      particularWithDefault(
          "allowed_lateness",
          Notations.DURATION,
          rule -> rule.windowed() ? rule.allowedLateness() : null,
          Duration.ZERO,
          "How long after its end a window is refined (windowed).");

  private static final Key<ProjectionRule, ImmutableMap<String, Aggregate>> AGGREGATES =
      particular(
          "aggregates",
          MapShape.ofNewColumns(new AggregateShape()),
          rule -> rule.windowed() ? rule.aggregates() : null,
          SOME_AGGREGATES,
          "Its columns (windowed): count, or sum, min, max, first, last or distinct of a JSON"
              + " Pointer into the payload (/qty).");

  private static final Key<ProjectionRule, String> VALUE =
      particular(
          "value",
          Notations.IN_PAYLOAD,
          ProjectionRule::value,
          "/status",
          "Its value (current): a JSON Pointer into the payload.");

  private static final Key<ProjectionRule, ImmutableList<String>> FIELDS =
      particular(
          "fields",
          ListShape.nonEmpty(Notations.IN_PAYLOAD),
          rule -> rule.fields().isEmpty() ? null : rule.fields(),
          ImmutableList.of("/amount"),
          "What an implementation reads: JSON Pointers into the payload.");

  private static final Key<ProjectionRule, ImmutableMap<String, String>> OPTIONS =
      particular(
          "options",
          MapShape.ofTexts(new LiteralShape(false).as(Literal::text, Literal::text)),
          rule -> rule.options().isEmpty() ? null : rule.options(),
          ImmutableMap.of("currency", "EUR"),
          "What an implementation is told.");

  private static final ImmutableList<Key<ProjectionRule, ?>> OF_WINDOWED =
      ImmutableList.of(WINDOW, ALLOWED_LATENESS, AGGREGATES);
  private static final ImmutableList<Key<ProjectionRule, ?>> OF_CURRENT = ImmutableList.of(VALUE);
  private static final ImmutableList<Key<ProjectionRule, ?>> OF_OTHERS =
      ImmutableList.of(FIELDS, OPTIONS);

  private static final GroupShape<ProjectionRule> RULE =
      new GroupShape<>(
          ImmutableList.of(
              VERSION, KIND, KEY, WINDOW, ALLOWED_LATENESS, AGGREGATES, VALUE, FIELDS, OPTIONS),
          ProjectionShape::bindRule);

  private static final Key<Projection, String> NAME =
      required(
          "name",
          Notations.FOLDER,
          Projection::name,
          "volume",
          "As recorded cells and folders name it.");

  private static final Key<Projection, ImmutableList<ProjectionRule>> VERSIONS =
      required(
          "versions",
          ListShape.nonEmpty(RULE)
              .distinctBy(
                  rule -> folded(rule.version()), "has the same version as %s, whatever the case"),
          Projection::versions,
          ImmutableList.of(exampleCurrent()),
          "What it is and what it was; all are rebuilt side by side.");

  /** All of them. */
  static final ListShape<Projection> PROJECTIONS =
      ListShape.of(new GroupShape<>(ImmutableList.of(NAME, VERSIONS), ProjectionShape::bind))
          .distinctBy(
              projection -> folded(projection.name()),
              "has the same name as %s, whatever the case");

  /** One of each kind, with each window. */
  static final ImmutableList<Projection> EXAMPLE =
      ImmutableList.of(
          new Projection(
              "volume",
              ImmutableList.of(
                  exampleWindowed("1", new WindowRule.Fixed(Duration.ofMinutes(10))),
                  exampleWindowed(
                      "2", new WindowRule.Sliding(Duration.ofMinutes(10), Duration.ofMinutes(5))),
                  exampleWindowed("3", new WindowRule.Session(Duration.ofMinutes(30))),
                  exampleWindowed("4", new WindowRule.Days(ZoneId.of("Europe/Paris"))))),
          new Projection("status", ImmutableList.of(exampleCurrent())),
          new Projection(
              "balance",
              ImmutableList.of(
                  new ProjectionRule(
                      "balance",
                      "1",
                      "ledger",
                      BUSINESS_KEY,
                      null,
                      Duration.ZERO,
                      ImmutableMap.of(),
                      null,
                      ImmutableList.of("/amount"),
                      ImmutableMap.of("currency", "EUR")))));

  private ProjectionShape() {}

  /** A projection with its versions. */
  record Projection(String name, ImmutableList<ProjectionRule> versions) {}

  /** Puts the versions of each projection together. */
  static ImmutableList<Projection> grouped(ImmutableList<ProjectionRule> rules) {
    return Multimaps.index(rules, ProjectionRule::name).asMap().entrySet().stream()
        .map(entry -> new Projection(entry.getKey(), ImmutableList.copyOf(entry.getValue())))
        .collect(toImmutableList());
  }

  private static ProjectionRule exampleWindowed(String version, WindowRule window) {
    return new ProjectionRule(
        "volume",
        version,
        ProjectionRule.WINDOWED,
        BUSINESS_KEY,
        window,
        Duration.ZERO,
        SOME_AGGREGATES,
        null,
        ImmutableList.of(),
        ImmutableMap.of());
  }

  private static ProjectionRule exampleCurrent() {
    return new ProjectionRule(
        "status",
        "1",
        ProjectionRule.CURRENT,
        BUSINESS_KEY,
        null,
        Duration.ZERO,
        ImmutableMap.of(),
        "/status",
        ImmutableList.of(),
        ImmutableMap.of());
  }

  private static Projection bind(Values<Projection> values) {
    String name = values.get(NAME);
    return new Projection(
        name,
        values.get(VERSIONS).stream().map(rule -> rule.withName(name)).collect(toImmutableList()));
  }

  private static ProjectionRule bindRule(Values<ProjectionRule> values) {
    String kind = values.get(KIND);
    boolean windowed = kind.equals(ProjectionRule.WINDOWED);
    boolean current = kind.equals(ProjectionRule.CURRENT);
    if (!windowed) {
      refuse(OF_WINDOWED, "kind windowed", kind, values);
    }
    if (!current) {
      refuse(OF_CURRENT, "kind current", kind, values);
    }
    if (windowed || current) {
      refuse(OF_OTHERS, "the kinds of implementations", kind, values);
    }
    require(windowed, WINDOW, values);
    require(windowed, AGGREGATES, values);
    require(current, VALUE, values);
    checkKey(values);
    checkAggregates(values);
    return new ProjectionRule(
        "",
        values.get(VERSION),
        kind,
        values.get(KEY),
        values.get(WINDOW),
        values.get(ALLOWED_LATENESS),
        orElse(values.get(AGGREGATES), ImmutableMap.of()),
        values.get(VALUE),
        orElse(values.get(FIELDS), ImmutableList.of()),
        orElse(values.get(OPTIONS), ImmutableMap.of()));
  }

  private static void refuse(
      Iterable<Key<ProjectionRule, ?>> keys,
      String owner,
      String kind,
      Values<ProjectionRule> values) {
    for (Key<ProjectionRule, ?> key : keys) {
      if (values.has(key)) {
        values.misplaced(key, "is for %s, not %s".formatted(owner, Reading.shortened(kind)));
      }
    }
  }

  private static void require(
      boolean asked, Key<ProjectionRule, ?> key, Values<ProjectionRule> values) {
    if (asked && !values.has(key)) {
      values.missing(key);
    }
  }

  private static void checkKey(Values<ProjectionRule> values) {
    FieldRef key = values.get(KEY);
    if (!key.inPayload() && NOT_TEXT.contains(key.column())) {
      values
          .reading()
          .problem(
              values.path().key(KEY.name()),
              key.text(),
              "key %s is not a text column".formatted(Reading.quoted(key.text())),
              "name a column of text, or a place in the payload (/payload/...)");
    }
  }

  /** Columns of a file that differ by case alone are one to many a reader. */
  private static void checkAggregates(Values<ProjectionRule> values) {
    if (!values.has(AGGREGATES)) {
      return;
    }
    KeyPath path = values.path().key(AGGREGATES.name());
    Map<String, String> known = new HashMap<>();
    TAKEN.forEach(name -> known.put(name, name));
    ImmutableSet<String> names = values.get(AGGREGATES).keySet();
    if (names.isEmpty()) {
      values
          .reading()
          .problem(path, null, path.label() + " is empty", "give it a column, such as n: count");
    }
    for (String name : names) {
      String other = known.putIfAbsent(folded(name), name);
      if (other != null) {
        values
            .reading()
            .keyProblem(
                path.key(name),
                "%s in %s %s"
                    .formatted(
                        Reading.shortened(name),
                        path,
                        TAKEN.contains(other)
                            ? "has the name of another column of projections, " + other
                            : "differs from " + other + " by case alone"),
                "choose another name");
      }
    }
  }

  private static <T> T orElse(T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
