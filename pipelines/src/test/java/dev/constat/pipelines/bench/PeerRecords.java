package dev.constat.pipelines.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;

/**
 * What {@link CoGroupByKeyPeer} moves between its steps. Times are microseconds since 1970; {@link
 * #NONE} where there is none.
 */
final class PeerRecords {

  /** No time. */
  static final long NONE = Long.MIN_VALUE;

  private PeerRecords() {}

  /** A row of events; {@code hash} is that of its payload. */
  record Reception(
      String ingestionId,
      String source,
      String eventId,
      String partition,
      long occurredAt,
      long receivedAt,
      String schemaVersion,
      String businessKey,
      String supersedes,
      String hash,
      boolean mismatch,
      String file,
      long position) {}

  /** A row of the outbox. */
  record OutboxRow(
      String outboxId,
      String source,
      String eventId,
      String effectType,
      String status,
      long attempts,
      long createdAt,
      long claimedAt,
      long leaseUntil,
      long dispatchedAt,
      long dlqAt,
      String file,
      long position) {}

  /** A row of the acknowledgements. */
  record Ack(
      String ackId,
      String outboxId,
      String consumer,
      long ackedAt,
      String effectKey,
      String file,
      long position) {}

  /** Acknowledgements of one outbox row under one effect key; the place is that of the first. */
  record Acked(
      String consumer,
      String effectKey,
      long acks,
      long first,
      long last,
      String file,
      long position) {}

  /** An outbox row with what was acknowledged. */
  record Delivery(OutboxRow row, List<Acked> acked) {}

  /** A reception that names what it supersedes. */
  record Link(
      String source, String eventId, String partition, String ingestionId, long receivedAt) {}

  /** To a correction: what it corrects was received. */
  record Target(String ingestionId, String targetIngestionId, long targetReceivedAt) {}

  /** A reception that was decided; {@code lastReceivedAt} only where it is in history. */
  record Decided(
      Reception reception, String decision, String against, long repeats, long lastReceivedAt) {

    boolean inHistory() {
      return decision.equals("ACCEPTED") || decision.equals("CORRECTION");
    }
  }

  /** Writes the fields of a record one after the other. */
  abstract static class FieldsCoder<T> extends AtomicCoder<T> {

    private static final long serialVersionUID = 1L;

    abstract void write(T value, DataOutputStream out) throws IOException;

    abstract T read(DataInputStream in) throws IOException;

    @Override
    public void encode(T value, OutputStream out) throws IOException {
      DataOutputStream data = new DataOutputStream(out);
      write(value, data);
      data.flush();
    }

    @Override
    public T decode(InputStream in) throws IOException {
      return read(new DataInputStream(in));
    }

    static void text(String text, DataOutputStream out) throws IOException {
      if (text == null) {
        out.writeInt(-1);
        return;
      }
      byte[] bytes = text.getBytes(UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }

    static String text(DataInputStream in) throws IOException {
      int length = in.readInt();
      if (length < 0) {
        return null;
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      return new String(bytes, UTF_8);
    }
  }

  /** Of {@link Reception}. */
  static final class ReceptionCoder extends FieldsCoder<Reception> {

    private static final long serialVersionUID = 1L;

    @Override
    void write(Reception value, DataOutputStream out) throws IOException {
      text(value.ingestionId, out);
      text(value.source, out);
      text(value.eventId, out);
      text(value.partition, out);
      out.writeLong(value.occurredAt);
      out.writeLong(value.receivedAt);
      text(value.schemaVersion, out);
      text(value.businessKey, out);
      text(value.supersedes, out);
      text(value.hash, out);
      out.writeBoolean(value.mismatch);
      text(value.file, out);
      out.writeLong(value.position);
    }

    @Override
    Reception read(DataInputStream in) throws IOException {
      return new Reception(
          text(in),
          text(in),
          text(in),
          text(in),
          in.readLong(),
          in.readLong(),
          text(in),
          text(in),
          text(in),
          text(in),
          in.readBoolean(),
          text(in),
          in.readLong());
    }
  }

  /** Of {@link OutboxRow}. */
  static final class OutboxRowCoder extends FieldsCoder<OutboxRow> {

    private static final long serialVersionUID = 1L;

    @Override
    void write(OutboxRow value, DataOutputStream out) throws IOException {
      text(value.outboxId, out);
      text(value.source, out);
      text(value.eventId, out);
      text(value.effectType, out);
      text(value.status, out);
      out.writeLong(value.attempts);
      out.writeLong(value.createdAt);
      out.writeLong(value.claimedAt);
      out.writeLong(value.leaseUntil);
      out.writeLong(value.dispatchedAt);
      out.writeLong(value.dlqAt);
      text(value.file, out);
      out.writeLong(value.position);
    }

    @Override
    OutboxRow read(DataInputStream in) throws IOException {
      return new OutboxRow(
          text(in),
          text(in),
          text(in),
          text(in),
          text(in),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          text(in),
          in.readLong());
    }
  }

  /** Of {@link Ack}. */
  static final class AckCoder extends FieldsCoder<Ack> {

    private static final long serialVersionUID = 1L;

    @Override
    void write(Ack value, DataOutputStream out) throws IOException {
      text(value.ackId, out);
      text(value.outboxId, out);
      text(value.consumer, out);
      out.writeLong(value.ackedAt);
      text(value.effectKey, out);
      text(value.file, out);
      out.writeLong(value.position);
    }

    @Override
    Ack read(DataInputStream in) throws IOException {
      return new Ack(
          text(in), text(in), text(in), in.readLong(), text(in), text(in), in.readLong());
    }
  }

  /** Of {@link Delivery}. */
  static final class DeliveryCoder extends FieldsCoder<Delivery> {

    private static final long serialVersionUID = 1L;
    private static final OutboxRowCoder ROW = new OutboxRowCoder();

    @Override
    void write(Delivery value, DataOutputStream out) throws IOException {
      ROW.write(value.row, out);
      out.writeInt(value.acked.size());
      for (Acked acked : value.acked) {
        text(acked.consumer, out);
        text(acked.effectKey, out);
        out.writeLong(acked.acks);
        out.writeLong(acked.first);
        out.writeLong(acked.last);
        text(acked.file, out);
        out.writeLong(acked.position);
      }
    }

    @Override
    Delivery read(DataInputStream in) throws IOException {
      OutboxRow row = ROW.read(in);
      List<Acked> acked = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        acked.add(
            new Acked(
                text(in),
                text(in),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                text(in),
                in.readLong()));
      }
      return new Delivery(row, acked);
    }
  }

  /** Of {@link Link}. */
  static final class LinkCoder extends FieldsCoder<Link> {

    private static final long serialVersionUID = 1L;

    @Override
    void write(Link value, DataOutputStream out) throws IOException {
      text(value.source, out);
      text(value.eventId, out);
      text(value.partition, out);
      text(value.ingestionId, out);
      out.writeLong(value.receivedAt);
    }

    @Override
    Link read(DataInputStream in) throws IOException {
      return new Link(text(in), text(in), text(in), text(in), in.readLong());
    }
  }

  /** Of {@link Target}. */
  static final class TargetCoder extends FieldsCoder<Target> {

    private static final long serialVersionUID = 1L;

    @Override
    void write(Target value, DataOutputStream out) throws IOException {
      text(value.ingestionId, out);
      text(value.targetIngestionId, out);
      out.writeLong(value.targetReceivedAt);
    }

    @Override
    Target read(DataInputStream in) throws IOException {
      return new Target(text(in), text(in), in.readLong());
    }
  }

  /** Of {@link Decided}. */
  static final class DecidedCoder extends FieldsCoder<Decided> {

    private static final long serialVersionUID = 1L;
    private static final ReceptionCoder RECEPTION = new ReceptionCoder();

    @Override
    void write(Decided value, DataOutputStream out) throws IOException {
      RECEPTION.write(value.reception, out);
      text(value.decision, out);
      text(value.against, out);
      out.writeLong(value.repeats);
      out.writeLong(value.lastReceivedAt);
    }

    @Override
    Decided read(DataInputStream in) throws IOException {
      return new Decided(RECEPTION.read(in), text(in), text(in), in.readLong(), in.readLong());
    }
  }
}
