package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.identity.RecordedDecision;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.lease.LeaseJudge;
import dev.constat.rules.outbox.AckFold;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.Claims;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.RowRepeats;
import dev.constat.rules.outbox.RowVersions;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.reconcile.DecisionAddresses;
import dev.constat.rules.reconcile.EffectJudge;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.transforms.buckets.RecordSorter;
import dev.constat.transforms.buckets.SortedRecords;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;

/**
 * Folds one bucket of {@link AddressRecords} into {@link EventRecords}: versions of an outbox row
 * into the row, its acknowledgements into one record per consumer and effect key, both addressed to
 * the event that the row names; recorded decisions to the events that were received under their
 * ingestion_id. Copies in the archive end here.
 */
final class AddressFold {

  private final RecentTexts texts = new RecentTexts();

  private final RunFacts facts;
  private final EventRecords out;
  private final ClaimRecords claimed;
  private final Tally tally;
  private final RecordSorter ackIds;
  private final int named;
  private final RowVersions versions = new RowVersions();
  private final Claims claims = new Claims();
  private final RowRepeats repeats = new RowRepeats(claims);
  private final LeaseJudge leases;
  private final DeliveryTimes times;
  private final KeyWriter empty = new KeyWriter();
  private final KeyWriter scratch = new KeyWriter();
  private final KeyWriter place = new KeyWriter();
  private Acknowledgement onlyAckId;
  private boolean severalAckIds;

  /**
   * A fold.
   *
   * @param claimed takes rows to the claims on them, where anything can come of it; else null
   * @param ackIds sorts the ack_ids of one outbox row at a time
   */
  AddressFold(
      RunFacts facts, EventRecords out, ClaimRecords claimed, Tally tally, RecordSorter ackIds) {
    this.facts = facts;
    this.claimed = facts.has(Input.ACKNOWLEDGEMENTS, "worker") ? claimed : null;
    this.out = out;
    this.tally = tally;
    this.ackIds = ackIds;
    this.named = facts.spec().namedColumns(Input.OUTBOX).size();
    this.leases = new LeaseJudge(tally, out::finding);
    EffectPolicy policy = new EffectPolicy(facts.spec());
    this.times = new DeliveryTimes(type -> policy.limits(type).leaseTtl());
  }

  /** Folds all groups; returns how many records it read. */
  long fold(SortedRecords records) throws IOException {
    long read = 0;
    while (records.nextGroup()) {
      KeyReader group =
          new KeyReader(records.groupBuffer(), records.groupFrom(), records.groupTo());
      read +=
          switch (group.octet()) {
            case AddressRecords.OUTBOX_ID -> outboxId(group.text(), records);
            case AddressRecords.NO_OUTBOX_ID -> outboxId(null, records);
            case AddressRecords.INGESTION_ID -> ingestionId(group.text(), records);
            default -> throw new IllegalStateException("[BUG] An unknown group of records");
          };
    }
    leases.flush();
    times.flush(tally);
    return read;
  }

  private long outboxId(String outboxId, SortedRecords records) throws IOException {
    versions.clear();
    claims.clear();
    onlyAckId = null;
    severalAckIds = false;
    long read = 0;
    byte[] previous = null;
    RowAcks acks = null;
    while (records.nextRecord()) {
      read++;
      // Two records of one kind are copies if they agree in everything but their place.
      byte[] content = content(records);
      boolean copy = Arrays.equals(content, previous);
      previous = content;
      if (records.kind() == AddressRecords.ROW) {
        if (copy) {
          tally.add(1, CheckTally.BOOK, Input.OUTBOX.key(), "ARCHIVE_COPY");
        } else {
          OutboxRow version = OutboxRow.read(outboxId, body(records), named);
          versions.next(version);
          claims.next(version);
        }
      } else if (copy) {
        tally.add(1, CheckTally.BOOK, Input.ACKNOWLEDGEMENTS.key(), "ARCHIVE_COPY");
      } else {
        KeyReader order = order(records);
        order.octet();
        Acknowledgement ack = Acknowledgement.read(outboxId, order, body(records));
        tally.add(1, CheckTally.BOOK, Input.ACKNOWLEDGEMENTS.key(), "kept");
        if (versions.row() == null) {
          out.looseAck(ack);
        } else {
          acks = acks == null ? new RowAcks(versions) : acks;
          acks.next(ack);
        }
        noteAckId(ack);
      }
    }
    if (versions.row() != null) {
      tally.add(1 + versions.older(), CheckTally.BOOK, Input.OUTBOX.key(), "kept");
      tally.add(1, CheckTally.BOOK, Input.OUTBOX.key(), "rows");
      tally.add(versions.older(), CheckTally.BOOK, Input.OUTBOX.key(), "older versions");
      (acks == null ? new RowAcks(versions) : acks).end();
    }
    countReusedAckIds();
    return read;
  }

  private byte[] content(SortedRecords records) {
    scratch.clear().octet(records.kind());
    scratch.raw(records.buffer(), records.orderFrom(), records.orderTo());
    scratch.raw(records.buffer(), records.bodyFrom(), records.bodyTo() - Place.BYTES);
    return scratch.toBytes();
  }

  /** Holds the first ack_id of a row; only where another comes is there anything to compare. */
  private void noteAckId(Acknowledgement ack) throws IOException {
    if (ack.ackId() == null) {
      return;
    }
    if (onlyAckId == null && !severalAckIds) {
      onlyAckId = ack;
      return;
    }
    if (!severalAckIds) {
      severalAckIds = true;
      sortAckId(onlyAckId);
    }
    sortAckId(ack);
  }

  private void sortAckId(Acknowledgement ack) throws IOException {
    ackIds.add(
        empty, scratch.clear().text(ack.ackId()), 0, place.clear().raw(ack.place().toBytes()));
  }

  /** Equal ack_ids on unequal acknowledgements of a row are two acknowledgements, and a note. */
  private void countReusedAckIds() throws IOException {
    if (!severalAckIds) {
      return;
    }
    SortedRecords sorted = ackIds.sort();
    byte[] previous = null;
    while (sorted.nextGroup()) {
      while (sorted.nextRecord()) {
        byte[] id = sorted.order();
        if (Arrays.equals(id, previous)) {
          Place reused = Place.fromBytes(sorted.buffer(), sorted.bodyFrom());
          tally.add(
              1,
              CheckTally.NOTES,
              Input.ACKNOWLEDGEMENTS.key(),
              Integer.toString(reused.file()),
              "one ack_id on unequal rows");
        }
        previous = id;
      }
    }
    ackIds.clear();
  }

  private long ingestionId(String ingestionId, SortedRecords records) throws IOException {
    DecisionAddresses addresses = new DecisionAddresses(facts, ingestionId, tally, out::finding);
    long read = 0;
    byte[] previous = null;
    while (records.nextRecord()) {
      read++;
      if (records.kind() == AddressRecords.DECISION) {
        byte[] content = content(records);
        if (Arrays.equals(content, previous)) {
          tally.add(1, CheckTally.BOOK, Input.DECISIONS.key(), "ARCHIVE_COPY");
        } else {
          tally.add(1, CheckTally.BOOK, Input.DECISIONS.key(), "kept");
          addresses.decision(RecordedDecision.read(ingestionId, body(records)));
        }
        previous = content;
      } else {
        byte[] address = records.order();
        if (!Arrays.equals(address, previous)) {
          KeyReader order = new KeyReader(address);
          order.octet();
          byte[] eventGroup = order.bytes();
          byte[] within = order.bytes();
          KeyReader body = body(records);
          Instant receivedAt = body.instant();
          Place place = Place.read(body);
          RecordedDecision decision = addresses.key(receivedAt, place);
          if (decision != null) {
            out.decision(eventGroup, within, decision);
          }
        }
        previous = address;
      }
    }
    addresses.end();
    return read;
  }

  private KeyReader order(SortedRecords records) {
    return new KeyReader(records.buffer(), records.orderFrom(), records.orderTo(), texts);
  }

  private KeyReader body(SortedRecords records) {
    return new KeyReader(records.buffer(), records.bodyFrom(), records.bodyTo(), texts);
  }

  /** The acknowledgements of one row, folded as they pass. */
  private final class RowAcks {

    private final OutboxRow row;
    private final boolean conflict;
    private final boolean joinsNone;
    private final Place other;
    private AckFold open;
    private Instant firstAckAt;
    private Instant firstOriginalAt;
    private Place firstOriginalPlace;
    private String acknowledgedEvent;

    RowAcks(RowVersions versions) {
      this.row = versions.row();
      this.conflict = versions.conflict();
      this.joinsNone = versions.joinsNone();
      this.other = versions.other();
      repeats.begin(row, conflict);
    }

    void next(Acknowledgement ack) {
      if (firstAckAt == null || ack.ackedAt().isBefore(firstAckAt)) {
        firstAckAt = ack.ackedAt();
      }
      if (!ack.replayed()
          && ack.effective()
          && (firstOriginalAt == null || ack.ackedAt().isBefore(firstOriginalAt))) {
        firstOriginalAt = ack.ackedAt();
        firstOriginalPlace = ack.place();
      }
      if (ack.sourceEventId() != null
          && (!ack.sourceEventId().equals(row.sourceEventId())
              || ack.source() != null && !ack.source().equals(row.source()))) {
        String event = ack.source() + "/" + ack.sourceEventId();
        acknowledgedEvent =
            acknowledgedEvent == null || event.compareTo(acknowledgedEvent) < 0
                ? event
                : acknowledgedEvent;
      }
      AckFold fold = AckFold.of(ack, row, facts.judged(ack.ackedAt()));
      if (open != null
          && !(Objects.equals(open.consumer(), fold.consumer())
              && Objects.equals(open.replayId(), fold.replayId())
              && Objects.equals(open.effectKey(), fold.effectKey()))) {
        flush();
        open = null;
      }
      open = repeats.next(ack, fold, open);
    }

    private void flush() {
      if (open != null) {
        out.fold(delivery(), open);
      }
    }

    void end() {
      flush();
      boolean judged = facts.judged(row.createdAt());
      leases.judge(row.outboxId(), claims, conflict, judged ? null : EffectJudge.OUTSIDE);
      times.row(row, claims, firstOriginalAt, judged && !conflict);
      if (claimed != null && !conflict && !row.replayed()) {
        claimed.row(row.outboxId(), claims);
      }
      out.row(delivery());
    }

    private Delivery delivery() {
      return new Delivery(
          row,
          conflict,
          joinsNone,
          other,
          firstAckAt,
          firstOriginalAt,
          firstOriginalPlace,
          acknowledgedEvent);
    }
  }
}
