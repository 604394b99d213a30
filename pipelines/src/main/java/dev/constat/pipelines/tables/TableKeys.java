package dev.constat.pipelines.tables;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec.Archive;

/** What the rows of a table are told apart by, for people. */
public final class TableKeys {

  private static final ImmutableMap<Input, String> KEYS =
      ImmutableMap.of(
          Input.EVENTS, "ingestion_id",
          Input.OUTBOX, "outbox_id",
          Input.ACKNOWLEDGEMENTS, "outbox_id",
          Input.DECISIONS, "ingestion_id",
          Input.PROJECTIONS, "business_key",
          Input.REPLAYS, "replay_id");

  private TableKeys() {}

  /** The name, in the table, of the column that tells the rows of an input apart. */
  public static String column(Input input, Archive archive) {
    String ours = KEYS.get(input);
    return archive.columns().getOrDefault(ours, ours);
  }
}
