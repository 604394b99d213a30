package dev.constat.rules.redaction;

import com.google.common.collect.ImmutableSetMultimap;
import dev.constat.rules.identity.ContentHash;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.spec.HashRule;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.ReplayPlan;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.SourceContract;
import java.io.Serializable;

/**
 * The names that are configuration: those that a run spec gives as values of a column, in {@code
 * sources}, {@code effects}, {@code when}, {@code constants} and {@code projections}, and the topic
 * of a replay that is asked for. Whoever has the run spec has them.
 *
 * @param byColumn names by canonical column
 */
record DisclosedNames(ImmutableSetMultimap<String, String> byColumn) implements Serializable {

  private static final String FIRST_FINGERPRINT = "fp/1";
  private static final String HASH_RULE = "hash_rule";

  /** Those of a run spec. */
  static DisclosedNames of(RunSpec spec) {
    ImmutableSetMultimap.Builder<String, String> names = ImmutableSetMultimap.builder();
    spec.archives().values().forEach(archive -> archive.constants().forEach(names::put));
    names.putAll(HASH_RULE, FIRST_FINGERPRINT, ContentHash.NO_RULE);
    for (HashRule rule : HashRule.values()) {
      names.put(HASH_RULE, rule.id());
    }
    for (SourceContract contract : spec.sources()) {
      names.put("source", contract.source());
      if (contract.schemaVersions() != null) {
        names.putAll("schema_version", contract.schemaVersions());
      }
      if (contract.fingerprint() != null) {
        names.put(HASH_RULE, contract.fingerprint().rule());
      }
    }
    for (Effect effect : spec.effects()) {
      names.put("effect_type", effect.type());
      if (effect.consumers() != null) {
        names.putAll("consumer", effect.consumers());
      }
      effect.when().forEach((column, any) -> names.putAll(column, any.values()));
    }
    for (ProjectionRule rule : spec.projections()) {
      names.put("projection", rule.name());
      names.put("version", rule.version());
      names.put("column", ProjectionRule.VALUE);
      names.putAll("column", rule.aggregates().keySet());
    }
    if (spec.plan() instanceof ReplayPlan replay) {
      names.put("topic", replay.topic());
    }
    return new DisclosedNames(names.build());
  }

  /** Whether the run spec names a value of a column. */
  boolean hold(String column, String value) {
    return byColumn.containsEntry(column, value);
  }
}
