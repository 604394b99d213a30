package dev.constat.rules.synthesis;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;

/**
 * A table of a synthetic archive, with the columns that it has under a profile. Records hold the
 * values of columns by position; positions are the same under every profile, and columns that only
 * some profiles have stand last.
 */
public enum SyntheticTable {
  EVENTS(Input.EVENTS, "events", 6),
  OUTBOX(Input.OUTBOX, "outbox", 10),
  ACKS(Input.ACKNOWLEDGEMENTS, "acks", 3),
  DECISIONS(Input.DECISIONS, "decisions", 2),
  CELLS(Input.PROJECTIONS, "projections", 7),
  REPLAYS(Input.REPLAYS, "replays", 5);

  /** What the values of a column are. */
  public enum Type {
    /** Text in UTF-8. */
    TEXT,
    /** JSON text in UTF-8. */
    JSON,
    /** Microseconds since 1970 in UTC. */
    TIME,
    INTEGER,
    /** 0 or 1. */
    BOOLEAN
  }

  /** A column of a table. */
  public record Column(String name, Type type) {}

  private final Input input;
  private final String files;
  private final int clock;

  SyntheticTable(Input input, String files, int clock) {
    this.input = input;
    this.files = files;
    this.clock = clock;
  }

  /** The input that it is. */
  public Input input() {
    return input;
  }

  /** What names of its files begin with. */
  public String files() {
    return files;
  }

  /** Position of the column that its records are sorted by. */
  public int clock() {
    return clock;
  }

  /** Whether there is such a table under a profile. */
  public boolean isIn(Profile profile) {
    return switch (this) {
      case EVENTS, OUTBOX, ACKS -> true;
      case DECISIONS -> profile.has(Fault.Part.DECISIONS);
      case CELLS -> profile.has(Fault.Part.CELLS);
      case REPLAYS -> profile.has(Fault.Part.REPLAYS);
    };
  }

  /** Its columns under a profile. */
  public ImmutableList<Column> columns(Profile profile) {
    ImmutableList.Builder<Column> columns = ImmutableList.builder();
    switch (this) {
      case EVENTS -> {
        texts(columns, "ingestion_id", "source", "source_event_id");
        columns.add(new Column("source_sequence", Type.INTEGER));
        texts(columns, "partition");
        times(columns, "occurred_at", "received_at");
        texts(columns, "schema_version");
        columns.add(new Column("payload", Type.JSON));
        texts(columns, "payload_hash", "business_key", "topic", "aggregate_type", "aggregate_id");
        texts(columns, "supersedes");
        if (profile.has(Fault.Part.REPLAYS)) {
          texts(columns, "replay_id", "original_event_id");
        }
      }
      case OUTBOX -> {
        texts(columns, "outbox_id", "source", "source_event_id", "effect_type", "topic");
        texts(columns, "aggregate_type", "aggregate_id");
        columns.add(new Column("priority", Type.INTEGER));
        texts(columns, "status");
        columns.add(new Column("attempts", Type.INTEGER));
        times(columns, "created_at", "claimed_at");
        texts(columns, "lease_owner");
        times(columns, "lease_until", "dispatched_at", "dlq_at");
        if (profile.has(Fault.Part.VERSIONS)) {
          texts(columns, "row_version");
        }
      }
      case ACKS -> {
        texts(columns, "ack_id", "outbox_id", "consumer");
        times(columns, "acked_at");
        texts(columns, "effect_key");
        if (profile.has(Fault.Part.REPLAYS)) {
          texts(columns, "replay_id");
        }
      }
      case DECISIONS -> {
        texts(columns, "ingestion_id", "decision");
        times(columns, "decided_at");
      }
      case CELLS -> {
        texts(columns, "projection", "projection_version", "business_key");
        times(columns, "window_start", "window_end");
        columns.add(new Column("values", Type.JSON)).add(new Column("event_ids", Type.JSON));
        times(columns, "computed_at");
      }
      case REPLAYS -> {
        texts(columns, "replay_id", "topic");
        times(columns, "from", "to");
        columns.add(new Column("effects_authorised", Type.BOOLEAN));
        times(columns, "started_at");
      }
    }
    return columns.build();
  }

  private static void texts(ImmutableList.Builder<Column> columns, String... names) {
    for (String name : names) {
      columns.add(new Column(name, Type.TEXT));
    }
  }

  private static void times(ImmutableList.Builder<Column> columns, String... names) {
    for (String name : names) {
      columns.add(new Column(name, Type.TIME));
    }
  }
}
