package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.spec.Aggregate;
import dev.constat.rules.spec.ProjectedFields;
import dev.constat.rules.spec.ProjectionRule;
import java.util.Arrays;
import java.util.List;

/** What one version of a projection sees in an event: key, windows, values (spec section 5). */
public final class Projector {

  /** The column of {@link ProjectionRule#CURRENT}. */
  static final String VALUE = "value";

  private final ProjectionRule rule;
  private final ImmutableMap<String, Aggregate> columns;
  private final int key;
  private final int[] values;
  private final int[] fieldsRead;

  /**
   * A projector.
   *
   * @param fields what events carry; must cover the rule
   */
  public Projector(ProjectionRule rule, ProjectedFields fields) {
    this.rule = rule;
    this.columns = columns(rule);
    this.key = fields.indexOf(rule.key());
    this.values =
        columns.values().stream()
            .mapToInt(
                column ->
                    column.function() == Aggregate.Function.COUNT
                        ? -1
                        : fields.indexOf(column.pointer()))
            .toArray();
    this.fieldsRead = rule.fields().stream().mapToInt(fields::indexOf).toArray();
  }

  /** The projectors of some rules, in their order. */
  public static ImmutableList<Projector> all(List<ProjectionRule> rules) {
    ProjectedFields fields = ProjectedFields.of(rules);
    return rules.stream()
        .map(rule -> new Projector(rule, fields))
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * The columns that are computed by adding up. The active value is the last one over all time, so
   * {@code current} has the one column {@code value}; kinds found at run time have none.
   */
  private static ImmutableMap<String, Aggregate> columns(ProjectionRule rule) {
    if (rule.kind().equals(ProjectionRule.CURRENT)) {
      return ImmutableMap.of(VALUE, new Aggregate(Aggregate.Function.LAST, rule.value()));
    }
    return rule.aggregates();
  }

  /** The rule. */
  public ProjectionRule rule() {
    return rule;
  }

  /** The columns that are computed by adding up, by name. */
  ImmutableMap<String, Aggregate> columns() {
    return columns;
  }

  /** The key of the cells of an event, or null where it has none (flag NO_KEY). */
  public String key(ProjectedEvent event) {
    return event.values().get(key);
  }

  /** Whether an event is projected at all. */
  public boolean projects(ProjectedEvent event) {
    return event.fit() && key(event) != null;
  }

  /** The windows of an event, by start; none where the projection has no windows. */
  public ImmutableList<Window> windows(ProjectedEvent event) {
    return rule.window() == null
        ? ImmutableList.of()
        : Windows.of(rule.window(), event.occurredAt());
  }

  /** The windows of an event, by start, with what becomes of it in each. */
  public ImmutableList<Placement> placements(ProjectedEvent event) {
    ImmutableList.Builder<Placement> placements = ImmutableList.builder();
    for (Window window : windows(event)) {
      Outcome outcome = Outcome.of(event.watermark(), window.end(), rule.allowedLateness());
      placements.add(new Placement(window, outcome));
    }
    return placements.build();
  }

  /** What an event has in a column: canonical JSON, or null where nothing is there. */
  String value(ProjectedEvent event, int column) {
    return values[column] < 0 ? null : event.values().get(values[column]);
  }

  /** What an event has in the fields that a kind found at run time reads; each may be null. */
  List<String> fields(ProjectedEvent event) {
    String[] read = new String[fieldsRead.length];
    for (int i = 0; i < read.length; i++) {
      read[i] = event.values().get(fieldsRead[i]);
    }
    return Arrays.asList(read);
  }

  /** Whether its cells are the active values of their keys. */
  boolean current() {
    return rule.kind().equals(ProjectionRule.CURRENT);
  }

  /** Whether its cells are made by an implementation found at run time. */
  boolean extended() {
    return rule.foundAtRunTime();
  }
}
