package dev.constat.pipelines.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.explain.Account;
import dev.constat.rules.explain.EffectAccount;
import java.time.Instant;

/**
 * Everything about one event.
 *
 * @param runId id of the run that tells it
 * @param runName name of its run spec
 * @param asOf the instant that it was judged by, as text, or null
 * @param source of the event
 * @param id of the event
 * @param parts one per key that has the id, by first reception; last what belongs to none
 * @param chain other events of its chains of corrections, by time
 * @param findings what the run states about it, as {@code findings.jsonl} has it
 * @param notes what could not be shown, and why
 */
public record Explanation(
    String runId,
    String runName,
    String asOf,
    String source,
    String id,
    ImmutableList<Part> parts,
    ImmutableList<Moment> chain,
    ImmutableList<JsonNode> findings,
    ImmutableList<String> notes) {

  /**
   * What is known of one key.
   *
   * @param key its canonical text, or null for what belongs to none
   * @param why why its event was decided as it was
   * @param effects one per effect type
   * @param windows one per window that it fell into, and why nothing of it is projected
   * @param cells cells of projections that it touched
   * @param moments all that happened, in order of time
   */
  public record Part(
      String key,
      ImmutableList<Account> why,
      ImmutableList<EffectAccount> effects,
      ImmutableList<Account> windows,
      ImmutableList<Cell> cells,
      ImmutableList<Moment> moments) {}

  /**
   * Something that happened.
   *
   * @param at when, or null where that is not known
   * @param what in a word or two
   * @param subject to what
   * @param facts by name
   * @param account why, or null
   */
  public record Moment(
      Instant at,
      String what,
      String subject,
      ImmutableMap<String, Object> facts,
      Account account) {}

  /**
   * A cell as it stands in the run.
   *
   * @param projection the projection
   * @param version its version
   * @param values its columns by name
   */
  public record Cell(String projection, String version, ImmutableMap<String, Object> values) {}
}
