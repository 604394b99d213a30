package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.ReceptionReader;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.OutboxPosition;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.projection.CellSink;
import dev.constat.rules.projection.MalformedCellException;
import dev.constat.rules.projection.RecordedCell;
import dev.constat.rules.projection.RecordedCells;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.reconcile.InputFindings;
import dev.constat.rules.reconcile.ReadTally;
import dev.constat.rules.replay.Replay;
import dev.constat.rules.replay.ReplayRegistry;
import dev.constat.rules.replay.ReplaysSeen;
import dev.constat.rules.spec.RunSpec;
import dev.constat.transforms.outputs.Meter;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Sends what reading gives to the stage that needs it, and counts it: receptions to the second
 * stage; outbox rows, acknowledgements, recorded decisions and the keys of ingestion_ids to the
 * first; what cannot be read as a finding. Records outside the time that the run looks at end here.
 *
 * <p>Serves one part of one file.
 */
public final class RowRouter implements RowSink {

  /** The name of reading among the stages. */
  public static final String STAGE = "read";

  private static final byte[] SEEN = {1};
  private static final int METERED = 8_192;

  /** What is kept of something that parts of a file say once each and the file says once. */
  private static final byte[] ONCE = new byte[0];

  private final RunSpec spec;
  private final Input input;
  private final String file;
  private final Layout layout;
  private final List<String> namedColumns;
  private final Tally tally;
  private final AddressRecords addresses;
  private final EventRecords events;
  private final ReceptionReader receptions;
  private final Partitions.Sampler sampler;
  private final Aggregates.Sampler aggregates;
  private final RecordedCells recordedCells;
  private final CellSink cells;
  private final boolean decisionsRead;
  private final ReplaysSeen.Noter replays;
  private final boolean integerIds;
  private final int clock;
  private final Instant readFrom;
  private final KeyWriter key = new KeyWriter();

  private final Meter meter;

  private long rows;
  private long usable;
  private long afterAsOf;
  private long beforeLookBack;
  private Instant first;
  private Instant last;
  private byte[] lastDispatched;

  /**
   * A router.
   *
   * @param file rank of the file among those of the input
   * @param toAddresses takes records for {@link AddressDeliveries}
   * @param toEvents takes records for {@link ReconcileEvents}
   * @param toCells takes records for {@link ProjectCells}
   * @param plan how what is scanned in order is cut
   * @param meter is told of progress
   */
  public RowRouter(
      RunSpec spec,
      Input input,
      int file,
      Tally tally,
      RecordOut toAddresses,
      RecordOut toEvents,
      RecordOut toCells,
      SlabPlan plan,
      Meter meter) {
    this.spec = spec;
    this.meter = meter;
    this.input = input;
    this.file = Integer.toString(file);
    this.layout = spec.layout(input);
    this.namedColumns = spec.namedColumns(Input.OUTBOX).asList();
    this.tally = tally;
    this.addresses = new AddressRecords(toAddresses);
    this.events = new EventRecords(toEvents, spec);
    this.receptions = input == Input.EVENTS ? new ReceptionReader(spec) : null;
    this.cells = toCells::append;
    this.recordedCells =
        input == Input.PROJECTIONS
            ? new RecordedCells(layout, spec.projections(), spec.limits().json())
            : null;
    this.sampler = new Partitions.Sampler(plan);
    this.aggregates = new Aggregates.Sampler(plan);
    this.decisionsRead = spec.archives().containsKey(Input.DECISIONS);
    this.replays = spec.archives().containsKey(Input.REPLAYS) ? new ReplaysSeen.Noter(tally) : null;
    this.integerIds = spec.integerOutboxIds();
    this.clock = layout.indexOf(input.clock());
    this.readFrom = spec.from() == null ? null : spec.from().minus(spec.lookBack());
  }

  @Override
  public void row(Row row) {
    rows++;
    if (rows % METERED == 0) {
      meter.passed(STAGE, METERED);
    }
    Instant time = row.instant(clock);
    note(time);
    switch (input) {
      case EVENTS -> {
        if (inTime(time)) {
          reception(row);
        }
      }
      case OUTBOX -> {
        OutboxRow version = OutboxRow.of(row, layout, namedColumns);
        reach(version);
        if (inTime(time)) {
          usable++;
          dispatched(version);
          aggregates.count(tally, version);
          seen(version.replayId());
          addresses.row(version);
        }
      }
      case ACKNOWLEDGEMENTS -> {
        if (inTime(time)) {
          usable++;
          Acknowledgement ack = Acknowledgement.of(row);
          seen(ack.replayId());
          addresses.ack(ack);
        }
      }
      case DECISIONS -> {
        if (time == null || inTime(time)) {
          usable++;
          addresses.decision(RecordedDecision.of(row));
        }
      }
      case PROJECTIONS -> {
        if (time == null || inTime(time)) {
          cell(row);
        }
      }
      case REPLAYS -> {
        // What was meant holds for whatever is judged, however long ago it was meant.
        if (spec.asOf() != null && time != null && time.isAfter(spec.asOf())) {
          afterAsOf++;
        } else {
          usable++;
          ReplayRegistry.add(Replay.of(row), tally);
        }
      }
    }
  }

  private void seen(String replayId) {
    if (replays != null) {
      replays.note(replayId);
    }
  }

  private void reception(Row row) {
    Reception reception;
    try {
      reception = receptions.read(row);
    } catch (MalformedJsonException e) {
      unreadableRow(
          row,
          "payload",
          "the payload is " + e.getMessage(),
          e.remedyOr("repair the record, or declare hash: raw-bytes/1 if payloads are not JSON"));
      return;
    }
    usable++;
    if (decisionsRead) {
      addresses.stub(reception);
    }
    sampler.count(tally, reception);
    seen(reception.replayId());
    events.reception(reception);
  }

  private void cell(Row row) {
    RecordedCell cell;
    try {
      cell = recordedCells.read(row);
    } catch (MalformedCellException e) {
      unreadableRow(row, e.column(), e.getMessage(), e.remedy());
      return;
    }
    usable++;
    int rule = recordedCells.rule(cell);
    if (rule >= 0) {
      tally.add(1, ReadTally.RECORDED_CELLS, Integer.toString(rule));
      if (cell.eventIds() != null) {
        tally.add(1, ReadTally.RECORDED_EVENTS, Integer.toString(rule));
      }
    }
    recordedCells.append(cell, cells);
  }

  /** States that a row cannot be read for what one of its columns holds. */
  private void unreadableRow(Row row, String column, String problem, String remedy) {
    tally.add(1, ReadTally.UNREADABLE, input.key());
    tally.add(1, ReadTally.UNREADABLE_ROWS, input.key());
    Payload payload = row.payload(layout.indexOf(column));
    byte[] bytes = payload == null ? new byte[0] : payload.bytes();
    events.finding(
        InputFindings.unreadable(
            input,
            new Unreadable(row.place(), true, column, null, problem, remedy, bytes, bytes.length)));
  }

  private boolean inTime(Instant time) {
    if (spec.asOf() != null && time.isAfter(spec.asOf())) {
      afterAsOf++;
      return false;
    }
    if (readFrom != null && time.isBefore(readFrom)) {
      beforeLookBack++;
      return false;
    }
    return true;
  }

  private void note(Instant time) {
    if (time != null) {
      first = first == null || time.isBefore(first) ? time : first;
      last = last == null || time.isAfter(last) ? time : last;
    }
  }

  /** An outbox reaches as far as the last thing that happened to any of its rows. */
  private void reach(OutboxRow row) {
    reach(row.claimedAt().orNull());
    reach(row.dispatchedAt().orNull());
    reach(row.dlqAt().orNull());
  }

  private void reach(Instant time) {
    if (time != null && time.isAfter(last)) {
      last = time;
    }
  }

  private void dispatched(OutboxRow row) {
    if (row.status() == Status.DISPATCHED) {
      OutboxPosition.write(key.clear(), row.createdAt(), row.outboxId(), integerIds);
      if (lastDispatched == null
          || Arrays.compareUnsigned(
                  key.buffer(), 0, key.size(), lastDispatched, 0, lastDispatched.length)
              > 0) {
        lastDispatched = key.toBytes();
      }
    }
  }

  @Override
  public void unreadable(Unreadable unreadable) {
    tally.add(1, ReadTally.UNREADABLE, input.key());
    if (unreadable.record()) {
      rows++;
      tally.add(1, ReadTally.UNREADABLE_ROWS, input.key());
    }
    events.finding(InputFindings.unreadable(input, unreadable));
  }

  @Override
  public void undecided(Place place) {
    rows++;
    tally.add(1, ReadTally.UNDECIDED, input.key());
  }

  @Override
  public void unzoned(String column, Place place, boolean required) {
    InputFindings.countUnzoned(tally, input, column, place);
  }

  @Override
  public void unknownColumn(String name) {
    tally.add(1, ReadTally.UNKNOWN_COLUMN, input.key(), file, name);
  }

  @Override
  public void present(String column) {
    tally.max(SEEN, ReadTally.PRESENT, input.key(), column);
  }

  @Override
  public void note(String note) {
    tally.min(ONCE, CheckTally.NOTES, input.key(), file, note);
  }

  @Override
  public void lines(int part, int count) {
    tally.add(count, ReadTally.LINES, input.key(), file, Integer.toString(part));
  }

  /** Adds what was counted to the tally; to be called once, at the end. */
  public void end() {
    meter.passed(STAGE, rows % METERED);
    tally.add(rows, ReadTally.ROWS, input.key());
    tally.add(rows, ReadTally.FILE_ROWS, input.key(), file);
    tally.add(usable, ReadTally.USABLE, input.key());
    tally.add(afterAsOf, ReadTally.AFTER_AS_OF, input.key());
    tally.add(beforeLookBack, ReadTally.BEFORE_LOOK_BACK, input.key());
    if (first != null) {
      tally.min(key.clear().instant(first).toBytes(), ReadTally.FIRST, input.key());
      tally.max(key.clear().instant(last).toBytes(), ReadTally.LAST, input.key());
    }
    if (lastDispatched != null) {
      tally.max(lastDispatched, ReadTally.LAST_DISPATCHED);
    }
  }
}
