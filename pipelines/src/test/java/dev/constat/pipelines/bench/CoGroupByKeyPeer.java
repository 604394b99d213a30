package dev.constat.pipelines.bench;

import static dev.constat.pipelines.bench.PeerRecords.NONE;

import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.pipelines.archive.ArchiveListing;
import dev.constat.pipelines.archive.ArchiveReader;
import dev.constat.pipelines.archive.Split;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.pipelines.bench.PeerRecords.Ack;
import dev.constat.pipelines.bench.PeerRecords.AckCoder;
import dev.constat.pipelines.bench.PeerRecords.Acked;
import dev.constat.pipelines.bench.PeerRecords.Decided;
import dev.constat.pipelines.bench.PeerRecords.DecidedCoder;
import dev.constat.pipelines.bench.PeerRecords.Delivery;
import dev.constat.pipelines.bench.PeerRecords.DeliveryCoder;
import dev.constat.pipelines.bench.PeerRecords.Link;
import dev.constat.pipelines.bench.PeerRecords.LinkCoder;
import dev.constat.pipelines.bench.PeerRecords.OutboxRow;
import dev.constat.pipelines.bench.PeerRecords.OutboxRowCoder;
import dev.constat.pipelines.bench.PeerRecords.Reception;
import dev.constat.pipelines.bench.PeerRecords.ReceptionCoder;
import dev.constat.pipelines.bench.PeerRecords.Target;
import dev.constat.pipelines.bench.PeerRecords.TargetCoder;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.SerializableCoder;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;

/**
 * The rules written key by key, as a Beam program commonly is: acknowledgements meet their outbox
 * rows by outbox_id, both meet their receptions by event, receptions meet the clock of their source
 * and partition; each time by {@code CoGroupByKey}. It reads what Constat reads, with Constat's
 * reader, and writes decisions, effects and findings as lines of JSON. It has no projections and no
 * audit of order, and holds for the run spec of a bench archive.
 */
final class CoGroupByKeyPeer {

  private static final String CONSUMER = "c1";
  private static final String EFFECT = "notify";
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long DAY = 1_440 * MINUTE;

  private static final TupleTag<KV<String, Reception>> RECEPTIONS = new TupleTag<>("receptions") {};
  private static final TupleTag<KV<String, Link>> LINKS = new TupleTag<>("links") {};
  private static final TupleTag<KV<String, OutboxRow>> ROWS = new TupleTag<>("rows") {};
  private static final TupleTag<KV<String, Ack>> ACKS = new TupleTag<>("acks") {};
  private static final TupleTag<KV<String, Delivery>> DELIVERIES = new TupleTag<>("deliveries") {};
  private static final TupleTag<KV<String, Decided>> DECIDED = new TupleTag<>("decided") {};
  private static final TupleTag<KV<String, Target>> TARGETS = new TupleTag<>("targets") {};
  private static final TupleTag<String> DECISIONS = new TupleTag<>("decisions") {};
  private static final TupleTag<String> EFFECTS = new TupleTag<>("effects") {};
  private static final TupleTag<String> FINDINGS = new TupleTag<>("findings") {};
  private static final TupleTag<KV<String, String>> VERSIONS = new TupleTag<>("versions") {};

  private static final TupleTag<Reception> RECEPTION = new TupleTag<>("reception") {};
  private static final TupleTag<Link> LINK = new TupleTag<>("link") {};
  private static final TupleTag<OutboxRow> ROW = new TupleTag<>("row") {};
  private static final TupleTag<Ack> ACK = new TupleTag<>("ack") {};
  private static final TupleTag<Delivery> DELIVERY = new TupleTag<>("delivery") {};
  private static final TupleTag<Decided> ONE_DECIDED = new TupleTag<>("oneDecided") {};
  private static final TupleTag<Target> TARGET = new TupleTag<>("target") {};

  private CoGroupByKeyPeer() {}

  /**
   * Runs it on embedded Flink.
   *
   * @param arguments the run spec of the archive, folder of the results, when the inputs are cut,
   *     number of cores
   */
  public static void main(String[] arguments) throws IOException {
    run(
        PipelineOptionsFactory.fromArgs(
                "--runner=FlinkRunner",
                "--flinkMaster=[local]",
                // A partition is too large for what CoGroupByKey keeps of a group by itself.
                "--reIterableGroupByKeyResult=true",
                "--parallelism=" + Integer.parseInt(arguments[3]))
            .as(FlinkPipelineOptions.class),
        Path.of(arguments[0]),
        Path.of(arguments[1]),
        Instant.parse(arguments[2]));
  }

  /** Runs it. */
  static void run(PipelineOptions options, Path specFile, Path out, Instant cut)
      throws IOException {
    RunSpec spec = RunSpecParser.parse(Files.readString(specFile), specFile.toString(), "bench");
    List<Split> splits = new ArrayList<>();
    for (Input input : spec.archives().keySet()) {
      for (ArchiveFile file :
          ArchiveListing.of(
                  input, spec.archives().get(input), specFile.toAbsolutePath().getParent())
              .files()) {
        splits.addAll(
            SplitPlanner.create()
                .plan(file, spec.layout(input), spec.archives().get(input), new Rows(row -> {})));
      }
    }
    Pipeline pipeline = Pipeline.create(options);
    expand(pipeline, spec, splits, out, micros(cut));
    pipeline.run().waitUntilFinish();
  }

  private static void expand(
      Pipeline pipeline, RunSpec spec, List<Split> splits, Path out, long cut) {
    StringUtf8Coder text = StringUtf8Coder.of();
    String budgetVersion = spec.contract("*").lateness().at(PeerLines.instant(cut)).version();
    PCollectionTuple read =
        pipeline
            .apply("Splits", Create.of(splits).withCoder(SerializableCoder.of(Split.class)))
            .apply("SpreadSplits", Reshuffle.viaRandomKey())
            .apply(
                "Read",
                ParDo.of(new Read(spec))
                    .withOutputTags(RECEPTIONS, TupleTagList.of(LINKS).and(ROWS).and(ACKS)));
    PCollectionTuple addressed =
        KeyedPCollectionTuple.of(
                ROW, read.get(ROWS).setCoder(KvCoder.of(text, new OutboxRowCoder())))
            .and(ACK, read.get(ACKS).setCoder(KvCoder.of(text, new AckCoder())))
            .apply("ByOutboxId", CoGroupByKey.create())
            .apply(
                "JoinAcknowledgements",
                ParDo.of(new JoinAcknowledgements(cut))
                    .withOutputTags(DELIVERIES, TupleTagList.of(EFFECTS).and(FINDINGS)));
    PCollectionTuple judged =
        KeyedPCollectionTuple.of(
                RECEPTION, read.get(RECEPTIONS).setCoder(KvCoder.of(text, new ReceptionCoder())))
            .and(LINK, read.get(LINKS).setCoder(KvCoder.of(text, new LinkCoder())))
            .and(
                DELIVERY, addressed.get(DELIVERIES).setCoder(KvCoder.of(text, new DeliveryCoder())))
            .apply("ByEvent", CoGroupByKey.create())
            .apply(
                "JudgeEvents",
                ParDo.of(new JudgeEvent(cut))
                    .withOutputTags(
                        DECIDED,
                        TupleTagList.of(TARGETS).and(EFFECTS).and(FINDINGS).and(VERSIONS)));
    PCollectionTuple timed =
        KeyedPCollectionTuple.of(
                ONE_DECIDED, judged.get(DECIDED).setCoder(KvCoder.of(text, new DecidedCoder())))
            .and(TARGET, judged.get(TARGETS).setCoder(KvCoder.of(text, new TargetCoder())))
            .apply("ByPartition", CoGroupByKey.create())
            .apply(
                "JudgeTime",
                ParDo.of(new JudgeTime(cut, budgetVersion))
                    .withOutputTags(DECISIONS, TupleTagList.of(FINDINGS)));
    PCollection<String> versions =
        judged
            .get(VERSIONS)
            .setCoder(KvCoder.of(text, text))
            .apply("CountVersions", Count.perElement())
            .apply("JudgeVersions", ParDo.of(new JudgeVersion()));
    timed.get(DECISIONS).apply("WriteDecisions", lines(out, "decisions"));
    PCollectionList.of(addressed.get(EFFECTS))
        .and(judged.get(EFFECTS))
        .apply("AllEffects", Flatten.pCollections())
        .apply("WriteEffects", lines(out, "effects"));
    PCollectionList.of(addressed.get(FINDINGS))
        .and(judged.get(FINDINGS))
        .and(timed.get(FINDINGS))
        .and(versions)
        .apply("AllFindings", Flatten.pCollections())
        .apply("WriteFindings", lines(out, "findings"));
  }

  private static TextIO.Write lines(Path out, String table) {
    return TextIO.write().to(out.resolve(table).resolve("part").toString()).withSuffix(".jsonl");
  }

  private static String pair(String first, String second) {
    return second == null ? first + "\n" : first + "\n=" + second;
  }

  private static long micros(Instant instant) {
    return instant == null ? NONE : instant.getEpochSecond() * SECOND + instant.getNano() / 1_000;
  }

  /** Takes rows; what cannot be read ends the run. */
  private static final class Rows implements RowSink {

    private final Consumer<Row> rows;

    Rows(Consumer<Row> rows) {
      this.rows = rows;
    }

    @Override
    public void row(Row row) {
      rows.accept(row);
    }

    @Override
    public void unreadable(Unreadable problem) {
      throw new IllegalStateException(problem.toString());
    }

    @Override
    public void undecided(Place place) {
      throw new IllegalStateException("No zone at " + place);
    }

    @Override
    public void unzoned(String column, Place place, boolean required) {
      throw new IllegalStateException("No zone in " + column + " at " + place);
    }

    @Override
    public void unknownColumn(String name) {
      // not used
    }

    @Override
    public void note(String note) {
      // says nothing about a row
    }

    @Override
    public void lines(int part, int count) {
      // Parquet has none
    }
  }

  /** Reads a split into records by key. */
  static final class Read extends DoFn<Split, KV<String, Reception>> {

    private static final long serialVersionUID = 1L;

    private final RunSpec spec;
    private transient MessageDigest sha256;

    Read(RunSpec spec) {
      this.spec = spec;
    }

    @Setup
    public void setup() throws NoSuchAlgorithmException {
      sha256 = MessageDigest.getInstance("SHA-256");
    }

    @ProcessElement
    public void processElement(@Element Split split, MultiOutputReceiver out) throws IOException {
      Input input = split.file().input();
      Layout layout = spec.layout(input);
      Columns columns = new Columns(layout, split.file().name());
      ArchiveReader.create()
          .read(
              split,
              layout,
              spec.archives().get(input),
              new Rows(
                  row -> {
                    switch (input) {
                      case EVENTS -> reception(columns, row, out);
                      case OUTBOX -> {
                        OutboxRow read = columns.outboxRow(row);
                        out.get(ROWS).output(KV.of(read.outboxId(), read));
                      }
                      case ACKNOWLEDGEMENTS -> {
                        Ack read = columns.ack(row);
                        out.get(ACKS).output(KV.of(read.outboxId(), read));
                      }
                      default -> throw new IllegalStateException("Not used: " + input);
                    }
                  }));
    }

    private void reception(Columns columns, Row row, MultiOutputReceiver out) {
      byte[] payload = row.payload(columns.index("payload")).bytes();
      Reception read = columns.reception(row, HexFormat.of().formatHex(sha256.digest(payload)));
      out.get(RECEPTIONS).output(KV.of(pair(read.source(), read.eventId()), read));
      if (read.supersedes() != null) {
        out.get(LINKS)
            .output(
                KV.of(
                    pair(read.source(), read.supersedes()),
                    new Link(
                        read.source(),
                        read.eventId(),
                        read.partition(),
                        read.ingestionId(),
                        read.receivedAt())));
      }
    }
  }

  /** Makes records of rows. */
  private static final class Columns {

    private final Map<String, Integer> columns = new HashMap<>();
    private final String file;

    Columns(Layout layout, String file) {
      for (int i = 0; i < layout.columns().size(); i++) {
        columns.put(layout.columns().get(i).name(), i);
      }
      this.file = file;
    }

    int index(String column) {
      return columns.get(column);
    }

    Reception reception(Row row, String hash) {
      return new Reception(
          row.text(index("ingestion_id")),
          row.text(index("source")),
          row.text(index("source_event_id")),
          row.text(index("partition")),
          micros(row.instant(index("occurred_at"))),
          micros(row.instant(index("received_at"))),
          row.text(index("schema_version")),
          row.text(index("business_key")),
          row.text(index("supersedes")),
          hash,
          !("raw-bytes/1:" + hash).equals(row.text(index("payload_hash"))),
          file,
          row.place().position());
    }

    OutboxRow outboxRow(Row row) {
      Long attempts = row.integer(index("attempts"));
      return new OutboxRow(
          row.text(index("outbox_id")),
          row.text(index("source")),
          row.text(index("source_event_id")),
          row.text(index("effect_type")),
          row.text(index("status")),
          attempts == null ? 0 : attempts,
          micros(row.instant(index("created_at"))),
          micros(row.instant(index("claimed_at"))),
          micros(row.instant(index("lease_until"))),
          micros(row.instant(index("dispatched_at"))),
          micros(row.instant(index("dlq_at"))),
          file,
          row.place().position());
    }

    Ack ack(Row row) {
      return new Ack(
          row.text(index("ack_id")),
          row.text(index("outbox_id")),
          row.text(index("consumer")),
          micros(row.instant(index("acked_at"))),
          row.text(index("effect_key")),
          file,
          row.place().position());
    }
  }

  /** Folds the acknowledgements of an outbox row by effect key. */
  static final class JoinAcknowledgements
      extends DoFn<KV<String, CoGbkResult>, KV<String, Delivery>> {

    private static final long serialVersionUID = 1L;

    private final long settled;

    JoinAcknowledgements(long cut) {
      settled = cut - 10 * MINUTE;
    }

    @ProcessElement
    public void processElement(@Element KV<String, CoGbkResult> element, MultiOutputReceiver out)
        throws IOException {
      List<Ack> acks = new ArrayList<>();
      element.getValue().getAll(ACK).forEach(acks::add);
      acks.sort(Comparator.comparingLong(Ack::ackedAt).thenComparing(Ack::ackId));
      List<Acked> folded = fold(acks);
      OutboxRow row = element.getValue().getOnly(ROW, null);
      if (row != null) {
        out.get(DELIVERIES)
            .output(KV.of(pair(row.source(), row.eventId()), new Delivery(row, folded)));
        return;
      }
      for (Acked acked : folded) {
        out.get(EFFECTS)
            .output(
                Effects.line(null, null, null, element.getKey(), null, acked, "ORPHAN", 0, null));
      }
      for (Ack ack : acks) {
        if (ack.ackedAt() <= settled) {
          out.get(FINDINGS).output(PeerLines.finding("ORPHAN_ACK", 1, "ack_id", ack.ackId()));
        }
      }
    }

    private static List<Acked> fold(List<Ack> acks) {
      Map<String, Acked> folded = new LinkedHashMap<>();
      for (Ack ack : acks) {
        folded.merge(
            pair(ack.consumer(), ack.effectKey()),
            new Acked(
                ack.consumer(),
                ack.effectKey(),
                1,
                ack.ackedAt(),
                ack.ackedAt(),
                ack.file(),
                ack.position()),
            (first, more) ->
                new Acked(
                    first.consumer(),
                    first.effectKey(),
                    first.acks() + 1,
                    first.first(),
                    more.last(),
                    first.file(),
                    first.position()));
      }
      return new ArrayList<>(folded.values());
    }
  }

  /** Lines of the effects table. */
  private static final class Effects {

    static String line(
        String source,
        String eventId,
        String key,
        String outboxId,
        OutboxRow row,
        Acked acked,
        String outcome,
        long suppressed,
        String against)
        throws IOException {
      return PeerLines.line(
          json -> {
            json.writeStringField("source", source);
            json.writeStringField("source_event_id", eventId);
            json.writeStringField("key", key);
            json.writeStringField(
                "effect_type",
                row != null ? row.effectType() : outcome.equals("MISSING") ? EFFECT : null);
            json.writeStringField(
                "consumer", acked != null ? acked.consumer() : row != null ? CONSUMER : null);
            json.writeStringField("effect_key", acked == null ? null : acked.effectKey());
            json.writeStringField("outbox_id", outboxId);
            json.writeStringField("status", row == null ? null : row.status());
            json.writeNumberField("acks", acked == null ? 0 : acked.acks());
            json.writeStringField("outcome", outcome);
            json.writeNumberField("repeats", acked == null ? suppressed : acked.acks() - 1);
            json.writeStringField("against", against);
            PeerLines.time(json, "first_acked_at", acked == null ? NONE : acked.first());
            PeerLines.time(
                json,
                "last_acked_at",
                acked == null || acked.last() == acked.first() ? NONE : acked.last());
            json.writeStringField("row_file", row == null ? null : row.file());
            if (row != null) {
              json.writeNumberField("row_position", row.position());
            }
            json.writeStringField("ack_file", acked == null ? null : acked.file());
            if (acked != null) {
              json.writeNumberField("ack_position", acked.position());
            }
          });
    }
  }

  /** Decides the receptions of an event and reconciles its effects. */
  static final class JudgeEvent extends DoFn<KV<String, CoGbkResult>, KV<String, Decided>> {

    private static final long serialVersionUID = 1L;

    private final long cut;
    private final long settled;

    JudgeEvent(long cut) {
      this.cut = cut;
      settled = cut - 10 * MINUTE;
    }

    @ProcessElement
    public void processElement(@Element KV<String, CoGbkResult> element, MultiOutputReceiver out)
        throws IOException {
      List<Reception> receptions = new ArrayList<>();
      element.getValue().getAll(RECEPTION).forEach(receptions::add);
      receptions.sort(
          Comparator.comparingLong(Reception::receivedAt)
              .thenComparing(Reception::ingestionId)
              .thenComparing(Reception::file)
              .thenComparingLong(Reception::position));
      List<Delivery> deliveries = new ArrayList<>();
      element.getValue().getAll(DELIVERY).forEach(deliveries::add);
      deliveries.sort(
          Comparator.comparingLong((Delivery delivery) -> delivery.row().createdAt())
              .thenComparing(delivery -> delivery.row().outboxId()));
      Reception first = receptions.isEmpty() ? null : receptions.get(0);
      if (first != null) {
        decide(receptions, out);
        answerLinks(first, element.getValue().getAll(LINK), out);
        if (deliveries.isEmpty()) {
          missing(first, out);
        }
      }
      for (int i = 0; i < deliveries.size(); i++) {
        String inForce = first == null || i == 0 ? null : deliveries.get(0).row().outboxId();
        judge(deliveries.get(i), first, inForce, out);
      }
      judgeRepeats(deliveries, out);
    }

    private static void decide(List<Reception> receptions, MultiOutputReceiver out)
        throws IOException {
      Reception first = receptions.get(0);
      List<Decided> repeats = new ArrayList<>();
      long duplicates = 0;
      long last = first.receivedAt();
      for (int i = 1; i < receptions.size(); i++) {
        Reception reception = receptions.get(i);
        String decision;
        if (reception.ingestionId().equals(receptions.get(i - 1).ingestionId())) {
          decision = "ARCHIVE_COPY";
        } else if (reception.hash().equals(first.hash())) {
          decision = "EXACT_DUPLICATE";
          duplicates++;
          last = reception.receivedAt();
        } else {
          decision = "CONFLICTING_DUPLICATE";
          out.get(FINDINGS)
              .output(
                  PeerLines.finding(
                      decision,
                      1,
                      "deviating_hash",
                      reception.hash(),
                      "source",
                      first.source(),
                      "source_event_id",
                      first.eventId()));
        }
        if (reception.mismatch() && !decision.equals("ARCHIVE_COPY")) {
          mismatch(reception, out);
        }
        String against =
            decision.equals("ARCHIVE_COPY") ? reception.ingestionId() : first.ingestionId();
        repeats.add(new Decided(reception, decision, against, 0, NONE));
      }
      if (first.mismatch()) {
        mismatch(first, out);
      }
      String decision = first.supersedes() == null ? "ACCEPTED" : "CORRECTION";
      repeats.add(new Decided(first, decision, null, duplicates, last));
      for (Decided decided : repeats) {
        Reception reception = decided.reception();
        out.get(DECIDED).output(KV.of(pair(reception.source(), reception.partition()), decided));
      }
      if (!"1".equals(first.schemaVersion())) {
        out.get(VERSIONS).output(KV.of(first.source(), String.valueOf(first.schemaVersion())));
      }
      if (duplicates > 0) {
        out.get(EFFECTS)
            .output(
                Effects.line(
                    first.source(),
                    first.eventId(),
                    PeerLines.key(first.source(), first.eventId()),
                    null,
                    null,
                    null,
                    "SUPPRESSED",
                    duplicates,
                    first.ingestionId()));
      }
    }

    private static void mismatch(Reception reception, MultiOutputReceiver out) throws IOException {
      out.get(FINDINGS)
          .output(
              PeerLines.finding(
                  "PAYLOAD_HASH_MISMATCH", 1, "ingestion_id", reception.ingestionId()));
    }

    private static void answerLinks(
        Reception first, Iterable<Link> links, MultiOutputReceiver out) {
      for (Link link : links) {
        out.get(TARGETS)
            .output(
                KV.of(
                    pair(link.source(), link.partition()),
                    new Target(link.ingestionId(), first.ingestionId(), first.receivedAt())));
      }
    }

    private void missing(Reception first, MultiOutputReceiver out) throws IOException {
      boolean late = first.receivedAt() <= settled;
      out.get(EFFECTS)
          .output(
              Effects.line(
                  first.source(),
                  first.eventId(),
                  PeerLines.key(first.source(), first.eventId()),
                  null,
                  null,
                  null,
                  late ? "MISSING" : "IN_FLIGHT",
                  0,
                  null));
      if (late) {
        out.get(FINDINGS)
            .output(
                PeerLines.finding(
                    "MISSING_OUTBOX",
                    1,
                    "effect_type",
                    EFFECT,
                    "source",
                    first.source(),
                    "source_event_id",
                    first.eventId()));
      }
    }

    private void judge(Delivery delivery, Reception first, String inForce, MultiOutputReceiver out)
        throws IOException {
      OutboxRow row = delivery.row();
      boolean acked = !delivery.acked().isEmpty();
      String key = first == null ? null : PeerLines.key(row.source(), row.eventId());
      List<Acked> lines = new ArrayList<>(delivery.acked());
      if (!acked) {
        lines.add(null);
      }
      for (Acked line : lines) {
        String outcome;
        if (first == null) {
          outcome = "ORPHAN";
        } else if (inForce != null) {
          outcome = "SURPLUS";
        } else if (acked) {
          outcome = "DONE";
        } else {
          outcome =
              switch (row.status()) {
                case "DLQ" -> "DLQ";
                case "DISPATCHED" -> "NO_ACK";
                case "PENDING" ->
                    row.attempts() >= 5 && row.createdAt() <= settled ? "DLQ" : "PENDING";
                default -> "PENDING";
              };
        }
        out.get(EFFECTS)
            .output(
                Effects.line(
                    row.source(),
                    row.eventId(),
                    key,
                    row.outboxId(),
                    row,
                    line,
                    outcome,
                    0,
                    inForce));
      }
      for (String kind : kinds(delivery, first != null, inForce != null)) {
        out.get(FINDINGS)
            .output(
                kind.equals("MISSING_ACK")
                    ? PeerLines.finding(kind, 1, "consumer", CONSUMER, "outbox_id", row.outboxId())
                    : PeerLines.finding(kind, 1, "outbox_id", row.outboxId()));
      }
    }

    private List<String> kinds(Delivery delivery, boolean known, boolean surplus) {
      OutboxRow row = delivery.row();
      boolean acked = !delivery.acked().isEmpty();
      long firstAck = delivery.acked().stream().mapToLong(Acked::first).min().orElse(NONE);
      List<String> kinds = new ArrayList<>();
      if (!known && row.createdAt() <= settled) {
        kinds.add("ORPHAN_OUTBOX");
      }
      if (surplus) {
        kinds.add("SURPLUS_OUTBOX");
      }
      switch (row.status()) {
        case "DISPATCHED" -> {
          long dispatched = row.dispatchedAt() == NONE ? row.createdAt() : row.dispatchedAt();
          if (!acked && !surplus && dispatched <= settled) {
            kinds.add("MISSING_ACK");
          }
        }
        case "DLQ" -> kinds.add("DLQ");
        case "PROCESSING" -> {
          long leased =
              row.leaseUntil() != NONE
                  ? row.leaseUntil()
                  : row.claimedAt() != NONE ? row.claimedAt() : row.createdAt();
          if (!acked && leased < settled) {
            kinds.add("STUCK_LEASE");
          }
        }
        default -> {
          if (!acked && row.attempts() >= 5 && row.createdAt() <= settled) {
            kinds.add("IMPLICIT_DLQ");
          } else if (!acked && row.createdAt() < cut - 30 * MINUTE) {
            kinds.add("STUCK_PENDING");
          }
        }
      }
      boolean terminal = row.status().equals("DISPATCHED") || row.status().equals("DLQ");
      if (!terminal && acked && firstAck <= settled) {
        kinds.add("ACKED_NOT_TERMINAL");
      }
      if (row.attempts() > 5) {
        kinds.add("RETRY_LIMIT_EXCEEDED");
      }
      if (row.claimedAt() != NONE
          && row.leaseUntil() != NONE
          && row.leaseUntil() - row.claimedAt() > MINUTE) {
        kinds.add("IMPLAUSIBLE_LEASE");
      }
      if (isBefore(row.dispatchedAt(), row.createdAt())
          || isBefore(row.claimedAt(), row.createdAt())
          || isBefore(row.dlqAt(), row.createdAt())
          || isBefore(firstAck, row.createdAt())
          || row.status().equals("DISPATCHED") && row.attempts() == 0) {
        kinds.add("IMPOSSIBLE_STATE");
      }
      return kinds;
    }

    private static boolean isBefore(long time, long created) {
      return time != NONE && time < created;
    }

    private static void judgeRepeats(List<Delivery> deliveries, MultiOutputReceiver out)
        throws IOException {
      Map<String, Map<String, Long>> byConsumer = new LinkedHashMap<>();
      for (Delivery delivery : deliveries) {
        for (Acked acked : delivery.acked()) {
          byConsumer
              .computeIfAbsent(
                  pair(delivery.row().effectType(), acked.consumer()), c -> new LinkedHashMap<>())
              .merge(acked.effectKey(), acked.acks(), Long::sum);
        }
      }
      for (Map.Entry<String, Map<String, Long>> unit : byConsumer.entrySet()) {
        String[] names = unit.getKey().split("\n=", 2);
        OutboxRow row = deliveries.get(0).row();
        for (Map.Entry<String, Long> effect : unit.getValue().entrySet()) {
          if (effect.getValue() > 1) {
            out.get(FINDINGS)
                .output(
                    PeerLines.finding(
                        "REDELIVERY",
                        effect.getValue() - 1,
                        "consumer",
                        names[1],
                        "effect_key",
                        effect.getKey(),
                        "effect_type",
                        names[0],
                        "source",
                        row.source(),
                        "source_event_id",
                        row.eventId()));
          }
        }
        if (unit.getValue().size() > 1) {
          out.get(FINDINGS)
              .output(
                  PeerLines.finding(
                      "DOUBLE_EFFECT",
                      unit.getValue().size() - 1,
                      "consumer",
                      names[1],
                      "effect_type",
                      names[0],
                      "source",
                      row.source(),
                      "source_event_id",
                      row.eventId()));
        }
      }
    }
  }

  /** Follows the clock of a source and partition over its receptions. */
  static final class JudgeTime extends DoFn<KV<String, CoGbkResult>, String> {

    private static final long serialVersionUID = 1L;

    private final long settled;
    private final String budgetVersion;

    JudgeTime(long cut, String budgetVersion) {
      settled = cut - 10 * MINUTE;
      this.budgetVersion = budgetVersion;
    }

    @ProcessElement
    public void processElement(@Element KV<String, CoGbkResult> element, MultiOutputReceiver out)
        throws IOException {
      Map<String, Target> targets = new HashMap<>();
      element
          .getValue()
          .getAll(TARGET)
          .forEach(target -> targets.put(target.ingestionId(), target));
      List<Decided> decided = new ArrayList<>();
      element.getValue().getAll(ONE_DECIDED).forEach(decided::add);
      // Copies come before what they are copies of, which is after them.
      decided.sort(
          Comparator.comparingLong((Decided one) -> one.reception().receivedAt())
              .thenComparing(one -> one.reception().ingestionId())
              .thenComparing(Decided::inHistory));
      long largest = NONE;
      for (Decided one : decided) {
        Reception reception = one.reception();
        boolean future = reception.occurredAt() - reception.receivedAt() > 2 * MINUTE;
        Target target =
            one.decision().equals("CORRECTION") ? targets.get(reception.ingestionId()) : null;
        out.get(DECISIONS).output(line(one, largest, future, target));
        if (one.decision().equals("CORRECTION")) {
          judgeChain(reception, target, out);
        }
        if (one.inHistory() && !future) {
          largest = Math.max(largest, reception.occurredAt());
        }
      }
    }

    private void judgeChain(Reception correction, Target target, MultiOutputReceiver out)
        throws IOException {
      String kind = null;
      if (target == null) {
        kind = correction.receivedAt() <= settled ? "BROKEN_CHAIN" : null;
      } else if (correction.receivedAt() < target.targetReceivedAt()
          || correction.receivedAt() == target.targetReceivedAt()
              && correction.ingestionId().compareTo(target.targetIngestionId()) < 0) {
        kind = "CORRECTION_BEFORE_TARGET";
      }
      if (kind != null) {
        out.get(FINDINGS)
            .output(
                PeerLines.finding(
                    kind,
                    1,
                    "source",
                    correction.source(),
                    "source_event_id",
                    correction.eventId()));
      }
    }

    private String line(Decided one, long largest, boolean future, Target target)
        throws IOException {
      Reception reception = one.reception();
      long watermark = largest == NONE ? NONE : largest - 5 * MINUTE;
      boolean known = "1".equals(reception.schemaVersion());
      boolean history = one.inHistory();
      boolean suspect = history && isUnitSuspect(reception, future);
      String timeliness =
          !history
              ? null
              : future
                  ? "FUTURE"
                  : watermark != NONE && reception.occurredAt() < watermark ? "LATE" : "ON_TIME";
      return PeerLines.line(
          json -> {
            json.writeStringField("ingestion_id", reception.ingestionId());
            json.writeStringField("source", reception.source());
            json.writeStringField("source_event_id", reception.eventId());
            json.writeStringField("partition", reception.partition());
            PeerLines.time(json, "occurred_at", reception.occurredAt());
            PeerLines.time(json, "received_at", reception.receivedAt());
            json.writeStringField("schema_version", reception.schemaVersion());
            json.writeStringField("key", PeerLines.key(reception.source(), reception.eventId()));
            json.writeStringField("hash", reception.hash());
            json.writeStringField("hash_rule", "raw-bytes/1");
            json.writeStringField("decision", one.decision());
            json.writeStringField("timeliness", timeliness);
            json.writeBooleanField("in_history", history);
            json.writeBooleanField(
                "moves_current",
                history
                    && known
                    && !future
                    && !suspect
                    && (one.decision().equals("ACCEPTED") || target != null));
            json.writeArrayFieldStart("windows");
            if (history && known && !future && !suspect && reception.businessKey() != null) {
              long start = Math.floorDiv(reception.occurredAt(), 10 * MINUTE) * 10 * MINUTE;
              json.writeStartObject();
              json.writeStringField("projection", "volume");
              json.writeStringField("version", "1");
              PeerLines.time(json, "window_start", start);
              json.writeStringField("outcome", outcome(watermark, start + 10 * MINUTE));
              json.writeEndObject();
            }
            json.writeEndArray();
            PeerLines.time(json, "watermark", watermark);
            json.writeStringField("budget", "PT5M");
            json.writeStringField("budget_version", budgetVersion);
            json.writeStringField("against", one.against());
            json.writeNumberField("repeats", one.repeats());
            PeerLines.time(json, "last_received_at", one.lastReceivedAt());
            json.writeStringField("rule", "key/1[source, source_event_id]");
            json.writeArrayFieldStart("flags");
            for (String flag :
                flags(one, largest != NONE && reception.occurredAt() < largest, suspect, known)) {
              json.writeString(flag);
            }
            json.writeEndArray();
            json.writeStringField("reason", reason(one));
            json.writeStringField("supersedes", reception.supersedes());
            json.writeStringField("evidence_file", reception.file());
            json.writeNumberField("evidence_position", reception.position());
          });
    }

    private static Set<String> flags(
        Decided one, boolean outOfOrder, boolean suspect, boolean known) {
      Set<String> flags = new LinkedHashSet<>();
      if (one.decision().equals("CORRECTION")) {
        flags.add("NO_REASON");
      }
      if (one.inHistory() && outOfOrder) {
        flags.add("OUT_OF_ORDER");
      }
      if (suspect) {
        flags.add("UNIT_SUSPECT");
      }
      if (!known) {
        flags.add("UNKNOWN_SCHEMA_VERSION");
      }
      return flags;
    }

    private static String outcome(long watermark, long end) {
      if (watermark == NONE || watermark < end) {
        return "ON_TIME";
      }
      return watermark < end + 5 * MINUTE ? "REFINES" : "TOO_LATE";
    }

    private static String reason(Decided one) {
      return switch (one.decision()) {
        case "ACCEPTED" -> "first reception of its key";
        case "CORRECTION" ->
            "first reception of its key, supersedes " + one.reception().supersedes();
        case "EXACT_DUPLICATE" -> "same key and hash as " + one.against();
        case "CONFLICTING_DUPLICATE" -> "same key as " + one.against() + ", another hash";
        default -> "a copy of one reception attempt";
      };
    }

    private static boolean isUnitSuspect(Reception reception, boolean future) {
      if (!future && reception.receivedAt() - reception.occurredAt() <= 365 * DAY) {
        return false;
      }
      for (double factor : new double[] {1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9}) {
        if (Math.abs(reception.occurredAt() * factor - reception.receivedAt()) <= DAY) {
          return true;
        }
      }
      return false;
    }
  }

  /** One finding per source and version that the contract lacks. */
  static final class JudgeVersion extends DoFn<KV<KV<String, String>, Long>, String> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void processElement(
        @Element KV<KV<String, String>, Long> counted, OutputReceiver<String> out)
        throws IOException {
      KV<String, String> version = Objects.requireNonNull(counted.getKey());
      out.output(
          PeerLines.finding(
              "UNKNOWN_SCHEMA_VERSION",
              counted.getValue(),
              "schema_version",
              version.getValue(),
              "source",
              version.getKey()));
    }
  }
}
