package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.reconcile.IdentityJudge.Copies;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.util.Arrays;

/**
 * The receptions of one key that share an ingestion_id, equal contents next to each other: finds
 * copies and conflicts, and sorts each reception to where it is judged. Only the first of a run is
 * held, until it is known whether others differ.
 */
final class ReceptionRun {

  private final PairKeys keys;
  private final RecordSorter judged;
  private final RecentTexts texts;
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter order = new KeyWriter();
  private final KeyWriter body = new KeyWriter();

  private byte[] id;
  private boolean decided;
  private final KeyWriter decision = new KeyWriter();
  private boolean read;
  private boolean holding;
  private final KeyWriter last = new KeyWriter();
  private boolean conflict;
  private boolean sorted;

  ReceptionRun(PairKeys keys, RecordSorter judged, RecentTexts texts) {
    this.keys = keys;
    this.judged = judged;
    this.texts = texts;
  }

  /** Begins an event. */
  void begin() {
    next();
    sorted = false;
  }

  private void next() {
    id = null;
    decided = false;
    read = false;
    holding = false;
    conflict = false;
  }

  void next(SortedRecords records) throws IOException {
    byte[] buffer = records.buffer();
    if (id == null
        || !Arrays.equals(id, 0, id.length, buffer, records.orderFrom(), records.orderTo())) {
      end();
      next();
      id = records.order();
    }
    if (records.kind() == EventRecords.KIND_DECISION) {
      decided = true;
      decision.clear().raw(buffer, records.bodyFrom(), records.bodyTo());
      return;
    }
    if (!read) {
      read = true;
      holding = true;
      last.clear().raw(buffer, records.bodyFrom(), records.bodyTo());
    } else if (Arrays.equals(
        last.buffer(),
        0,
        last.size() - Place.BYTES,
        buffer,
        records.bodyFrom(),
        records.bodyTo() - Place.BYTES)) {
      sort(Copies.COPY, buffer, records.bodyFrom(), records.bodyTo());
    } else {
      conflict = true;
      release(Copies.CONFLICT);
      last.clear().raw(buffer, records.bodyFrom(), records.bodyTo());
      sort(Copies.CONFLICT, buffer, records.bodyFrom(), records.bodyTo());
    }
  }

  /** Whether the only reception there was so far is still held. */
  boolean single() {
    return holding && !sorted;
  }

  /** The ingestion_id of the reception that is held, behind what its order has of its key. */
  KeyReader ids() {
    KeyReader ids = new KeyReader(id, 0, id.length, texts);
    ids.octet();
    return ids;
  }

  /** The body of the reception that is held. */
  KeyReader heldBody() {
    return new KeyReader(last.buffer(), 0, last.size(), texts);
  }

  /** What is recorded about it, or null. */
  RecordedDecision recorded() {
    KeyReader ids = new KeyReader(id);
    ids.octet();
    keys.key(ids);
    return decided
        ? RecordedDecision.read(ids.text(), new KeyReader(decision.buffer(), 0, decision.size()))
        : null;
  }

  void end() throws IOException {
    if (id != null) {
      release(conflict ? Copies.CONFLICT : Copies.SINGLE);
    }
  }

  private void release(Copies copies) throws IOException {
    if (holding) {
      holding = false;
      sort(copies, last.buffer(), 0, last.size());
    }
  }

  private void sort(Copies copies, byte[] buffer, int from, int to) throws IOException {
    sorted = true;
    KeyReader ids = new KeyReader(id);
    ids.octet();
    int withinFrom = ids.position();
    keys.key(ids);
    int withinTo = ids.position();
    keys.note(id, withinFrom, withinTo);
    order
        .clear()
        .octet(EventFold.OF_A_KEY)
        .raw(id, withinFrom, withinTo)
        .octet(EventRecords.RECEPTIONS);
    order.raw(buffer, from, from + Reception.ARRIVAL_BYTES).raw(id, withinTo, id.length);
    body.clear().bool(decided);
    if (decided) {
      body.raw(decision.buffer(), 0, decision.size());
    }
    body.raw(buffer, from, to);
    judged.add(empty, order, copies.ordinal(), body);
  }
}
