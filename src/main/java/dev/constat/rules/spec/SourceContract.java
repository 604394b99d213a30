package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.Serializable;
import java.time.Duration;

/**
 * What a source promises about its events.
 *
 * @param source its name, or {@link #ANY}
 * @param scope columns inside which its ids are unique, besides the source itself
 * @param fingerprint what stands for the identity of an event without an id; by default every
 *     column, as {@code fp/1} (null)
 * @param revision a field that tells versions of one id apart, or null
 * @param hash the rule under which contents are compared
 * @param schemaVersions the versions known; null where any
 * @param fields canonical columns whose value is taken from elsewhere in the event
 * @param withdrawn what marks an event that takes its target back, or null
 * @param sequence where its numbers mean something; null where that is not documented
 * @param lateness the budgets of its watermarks
 * @param futureTolerance how far occurred_at may lie after received_at
 */
public record SourceContract(
    String source,
    ImmutableList<String> scope,
    Fingerprint fingerprint,
    FieldRef revision,
    HashRule hash,
    ImmutableList<String> schemaVersions,
    ImmutableMap<String, FieldRef> fields,
    Withdrawn withdrawn,
    Sequence sequence,
    Lateness lateness,
    Duration futureTolerance)
    implements Serializable {

  /** The name of the contract that holds for every source without one of its own. */
  public static final String ANY = "*";

  /**
   * The column by which outbox rows say which revision of an event they are about; where the source
   * keeps its revisions in a column, that one does too.
   */
  public static final String REVISION = "revision";

  /** What holds where the run spec says nothing. */
  public static final SourceContract DEFAULT =
      new SourceContract(
          ANY,
          ImmutableList.of(),
          null,
          null,
          HashRule.JCS_EXACT_1,
          null,
          ImmutableMap.of(),
          null,
          null,
          Lateness.DEFAULT,
          Duration.ofMinutes(2));

  /**
   * A rule for identities without an id.
   *
   * @param rule its name and version: {@code fp/2}
   * @param fields what it covers
   */
  public record Fingerprint(String rule, ImmutableList<FieldRef> fields) implements Serializable {}

  /**
   * A field whose value marks a withdrawal.
   *
   * @param field the field
   * @param equals the canonical JSON text it then has
   */
  public record Withdrawn(FieldRef field, String equals) implements Serializable {}
}
