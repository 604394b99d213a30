package dev.constat.pipelines.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.pipelines.archive.TableFile;
import dev.constat.pipelines.explain.ConcerningFindings.CellName;
import dev.constat.pipelines.explain.Explanation.Cell;
import dev.constat.pipelines.explain.Explanation.Moment;
import dev.constat.pipelines.explain.Explanation.Part;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Payload;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.explain.Account;
import dev.constat.rules.explain.Conditions;
import dev.constat.rules.explain.DecisionAccounts;
import dev.constat.rules.explain.Edges;
import dev.constat.rules.explain.EffectAccount;
import dev.constat.rules.explain.EffectAccount.Had;
import dev.constat.rules.explain.EffectAccounts;
import dev.constat.rules.explain.EffectFacts;
import dev.constat.rules.explain.ReceptionFacts;
import dev.constat.rules.explain.ReceptionFacts.WindowFacts;
import dev.constat.rules.explain.RecordPlace;
import dev.constat.rules.explain.TableRow;
import dev.constat.rules.explain.WindowAccounts;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.identity.Flag;
import dev.constat.rules.identity.Reception;
import dev.constat.rules.identity.ReceptionReader;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.outbox.Acknowledgement;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.projection.ProjectionTables;
import dev.constat.rules.projection.Window;
import dev.constat.rules.projection.Windows;
import dev.constat.rules.reading.Excerpt;
import dev.constat.rules.reconcile.EffectPolicy;
import dev.constat.rules.reconcile.EventColumns;
import dev.constat.rules.spec.Effect;
import dev.constat.rules.spec.ProjectedFields;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.TableSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Puts together what a run and its archives say about one event. */
public final class EventExplanation {

  /** How much of a payload is shown, in characters. */
  private static final int PAYLOAD = 400;

  private static final int CELLS = 100_000;

  private final FinishedRun run;
  private final RunSpec spec;
  private final RawRecords raw;
  private final String source;
  private final String id;
  private final Edges edges;
  private final List<String> notes = new ArrayList<>();
  private final ConcerningFindings findings;
  private ImmutableMap<String, String> heads = ImmutableMap.of();
  private boolean chained;

  private final Map<RecordPlace, Row> events = new HashMap<>();
  private final Map<RecordPlace, OutboxRow> outbox = new HashMap<>();
  private final Map<RecordPlace, Acknowledgement> acks = new HashMap<>();

  private EventExplanation(FinishedRun run, RunSpec spec, Path folder, String source, String id) {
    this.run = run;
    this.spec = spec;
    this.raw = spec == null ? null : new RawRecords(run, spec, folder);
    this.source = source;
    this.id = id;
    this.edges = run.edges();
    this.findings = new ConcerningFindings(source, id);
  }

  /** What may have been meant, where {@link #of} finds nothing: each half a sentence. */
  public static ImmutableList<String> hints(FinishedRun run, String source, String id)
      throws IOException {
    return new EventSearch(run, source, id).hints();
  }

  /**
   * Explains an event.
   *
   * @param spec the run spec of the run, or null where it is not at hand: then no raw record is
   *     shown
   * @param folder the folder of the run spec
   * @return nothing where the run does not have it
   * @throws BrokenRunException if the run's files are not what they should be
   */
  public static Optional<Explanation> of(
      FinishedRun run, RunSpec spec, Path folder, String source, String id) throws IOException {
    return new EventExplanation(run, spec, folder, source, id).explain();
  }

  private Optional<Explanation> explain() throws IOException {
    EventSearch search = new EventSearch(run, source, id);
    EventSearch.Rows<ReceptionFacts> receptions = search.receptions();
    EventSearch.Rows<EffectFacts> effects = search.effects();
    if (receptions.rows().isEmpty() && effects.rows().isEmpty()) {
      return Optional.empty();
    }
    if (receptions.dropped() > 0) {
      notes.add("%s more receptions are not shown".formatted(receptions.dropped()));
    }
    if (effects.dropped() > 0) {
      notes.add("%s more rows of the effects table are not shown".formatted(effects.dropped()));
    }
    ImmutableList<ReceptionFacts> chain = search.chain(receptions.rows());
    readRecords(receptions.rows(), effects.rows());
    name(receptions.rows(), effects.rows(), chain);
    heads = heads(effects.rows());
    chained = !chain.isEmpty();

    Map<String, List<ReceptionFacts>> byKey = new LinkedHashMap<>();
    receptions.rows().forEach(r -> byKey.computeIfAbsent(r.key(), key -> new ArrayList<>()).add(r));
    List<Part> parts = new ArrayList<>();
    for (Map.Entry<String, List<ReceptionFacts>> key : byKey.entrySet()) {
      parts.add(part(key.getKey(), key.getValue(), effectsOf(key.getKey(), effects.rows())));
    }
    List<EffectFacts> ofNone =
        effects.rows().stream()
            .filter(row -> row.key() == null || !byKey.containsKey(row.key()))
            .toList();
    if (!ofNone.isEmpty()) {
      parts.add(part(null, List.of(), ofNone));
    }
    if (raw != null) {
      notes.addAll(raw.notes());
    }
    return Optional.of(
        new Explanation(
            run.id(),
            run.name(),
            run.asOf(),
            source,
            id,
            ImmutableList.copyOf(parts),
            chain.stream().map(this::link).collect(ImmutableList.toImmutableList()),
            findings.in(run.path().resolve("findings.jsonl")),
            ImmutableList.copyOf(notes)));
  }

  /** Rows that an earlier one of their aggregate holds back, each with that one. */
  private ImmutableMap<String, String> heads(List<EffectFacts> effects) throws IOException {
    if (effects.stream().noneMatch(row -> Status.PENDING.name().equals(row.status()))) {
      return ImmutableMap.of();
    }
    ImmutableMap.Builder<String, String> held = ImmutableMap.builder();
    for (JsonNode finding : findings.in(run.path().resolve("findings.jsonl"))) {
      if (finding.path("kind").asText().equals(Kind.BLOCKED_BY_HEAD.name())) {
        held.put(
            finding.path("subject").path("outbox_id").asText(),
            finding.path("actual").path("head").asText());
      }
    }
    return held.buildKeepingLast();
  }

  private static List<EffectFacts> effectsOf(String key, List<EffectFacts> effects) {
    return effects.stream().filter(row -> key.equals(row.key())).toList();
  }

  // --- raw records ---------------------------------------------------------------------------

  private void readRecords(List<ReceptionFacts> receptions, List<EffectFacts> effects)
      throws IOException {
    if (raw == null) {
      return;
    }
    events.putAll(raw.read(Input.EVENTS, places(receptions, ReceptionFacts::place)));
    Layout layout = spec.layout(Input.OUTBOX);
    Iterable<String> named = spec.namedColumns(Input.OUTBOX).asList();
    raw.read(Input.OUTBOX, places(effects, EffectFacts::row))
        .forEach((place, row) -> outbox.put(place, OutboxRow.of(row, layout, named)));
    raw.read(Input.ACKNOWLEDGEMENTS, places(effects, EffectFacts::ack))
        .forEach((place, row) -> acks.put(place, Acknowledgement.of(row)));
  }

  private static <T> List<RecordPlace> places(List<T> facts, Function<T, RecordPlace> place) {
    return facts.stream().map(place).filter(Objects::nonNull).distinct().toList();
  }

  private void name(
      List<ReceptionFacts> receptions, List<EffectFacts> effects, List<ReceptionFacts> chain) {
    receptions.forEach(
        reception -> {
          findings.ingestionId(reception.ingestionId());
          findings.schemaVersion(reception.schemaVersion());
          findings.replayId(reception.replayId());
        });
    effects.forEach(
        row -> {
          findings.outboxId(row.outboxId());
          if (row.ack() != null && acks.containsKey(row.ack())) {
            findings.ackId(acks.get(row.ack()).ackId());
            findings.replayId(acks.get(row.ack()).replayId());
          }
          if (row.row() != null && outbox.containsKey(row.row())) {
            findings.replayId(outbox.get(row.row()).replayId());
          }
        });
    chain.forEach(link -> findings.chain(link.sourceEventId()));
  }

  // --- one key -------------------------------------------------------------------------------

  private Part part(String key, List<ReceptionFacts> receptions, List<EffectFacts> effects)
      throws IOException {
    Map<String, ReceptionFacts> byIngestionId = new HashMap<>();
    receptions.forEach(r -> byIngestionId.putIfAbsent(r.ingestionId(), r));
    ReceptionFacts first =
        receptions.stream().filter(ReceptionFacts::inHistory).findFirst().orElse(null);
    List<Moment> moments = new ArrayList<>();
    for (ReceptionFacts reception : receptions) {
      moments.add(received(reception, byIngestionId));
    }
    addEffects(effects, moments);
    moments.sort(Comparator.comparing(Moment::at, Comparator.nullsLast(Comparator.naturalOrder())));

    ImmutableList.Builder<Account> why = ImmutableList.builder();
    if (first != null) {
      why.add(DecisionAccounts.of(first, null));
    } else if (!receptions.isEmpty()) {
      why.add(DecisionAccounts.of(receptions.get(0), null));
    }
    Reception content = first == null ? null : content(first);
    return new Part(
        key,
        why.build(),
        effectAccounts(first, content, effects),
        first == null ? ImmutableList.of() : windows(first),
        first == null || content == null ? ImmutableList.of() : cells(first, content),
        ImmutableList.copyOf(moments));
  }

  private Reception content(ReceptionFacts first) {
    Row row = first.place() == null ? null : events.get(first.place());
    if (row == null) {
      return null;
    }
    try {
      return new ReceptionReader(spec).read(row);
    } catch (MalformedJsonException e) {
      return null; // the run read it, so that this is another record; its file was checked
    }
  }

  private Moment received(ReceptionFacts reception, Map<String, ReceptionFacts> byIngestionId) {
    Facts facts = new Facts();
    facts.put("ingestion_id", reception.ingestionId());
    facts.put("decision", reception.decision().name());
    facts.put("timeliness", reception.timeliness() == null ? null : reception.timeliness().name());
    facts.put("recorded", reception.recorded());
    facts.put(
        "occurred_at",
        reception.occurredAtText() == null
            ? Objects.toString(reception.occurredAt(), null)
            : reception.occurredAtText());
    facts.put("partition", reception.partition());
    facts.put("watermark", Objects.toString(reception.watermark(), null));
    facts.put("budget", reception.budget() + " (version " + reception.budgetVersion() + ")");
    facts.put("schema_version", reception.schemaVersion());
    facts.put(
        "hash", reception.hash() == null ? null : reception.hashRule() + " " + reception.hash());
    facts.put("rule", reception.rule());
    facts.put("against", reception.against());
    facts.put("repeats", reception.repeats() == 0 ? null : reception.repeats());
    facts.put(
        "last_received_at",
        reception.repeats() == 0 ? null : Objects.toString(reception.lastReceivedAt(), null));
    facts.put("supersedes", reception.supersedes());
    facts.put("replay_id", reception.replayId());
    facts.put(
        "flags",
        reception.flags().isEmpty()
            ? null
            : String.join(", ", reception.flags().stream().map(Flag::name).toList()));
    facts.put("reason", reception.reason());
    facts.place(reception.place());
    Row row = reception.place() == null ? null : events.get(reception.place());
    if (row != null) {
      Payload payload = row.payload(Input.EVENTS.indexOf("payload"));
      facts.put("payload", payload == null ? null : excerpt(payload.bytes()));
    }
    return new Moment(
        reception.receivedAt(),
        "received",
        reception.ingestionId(),
        facts.get(),
        DecisionAccounts.of(reception, byIngestionId.get(reception.against())));
  }

  private static String excerpt(byte[] payload) {
    // A character of a text has at most four bytes; one that is cut in two is not shown.
    byte[] head = Arrays.copyOf(payload, Math.min(payload.length, 4 * PAYLOAD));
    String text = new String(head, UTF_8);
    int replaced = text.indexOf('\uFFFD');
    return replaced < 0 || replaced >= PAYLOAD ? Excerpt.of(text, PAYLOAD) : Excerpt.of(payload);
  }

  private Moment link(ReceptionFacts link) {
    Facts facts = new Facts();
    facts.put("source_event_id", link.sourceEventId());
    facts.put("ingestion_id", link.ingestionId());
    facts.put("decision", link.decision().name());
    facts.put("timeliness", link.timeliness() == null ? null : link.timeliness().name());
    facts.put("supersedes", link.supersedes());
    facts.place(link.place());
    return new Moment(link.receivedAt(), "received", link.sourceEventId(), facts.get(), null);
  }

  // --- effects -------------------------------------------------------------------------------

  private void addEffects(List<EffectFacts> effects, List<Moment> moments) {
    Map<String, EffectFacts> rows = new LinkedHashMap<>();
    for (EffectFacts effect : effects) {
      if (effect.outboxId() != null && effect.status() != null) {
        rows.putIfAbsent(effect.outboxId(), effect);
      }
      acknowledged(effect, moments);
    }
    rows.values().forEach(row -> lifeOf(row, moments));
  }

  private void acknowledged(EffectFacts effect, List<Moment> moments) {
    if (effect.firstAckedAt() == null) {
      return;
    }
    Facts facts = new Facts();
    Acknowledgement ack = effect.ack() == null ? null : acks.get(effect.ack());
    facts.put("effect_type", effect.effectType());
    facts.put("consumer", effect.consumer());
    facts.put("effect_key", effect.effectKey());
    facts.put("acks", effect.acks());
    facts.put("last_acked_at", Objects.toString(effect.lastAckedAt(), null));
    facts.put("outcome", effect.outcome());
    if (ack != null) {
      facts.put("ack_id", ack.ackId());
      facts.put("worker", ack.worker());
      facts.put("applied", ack.applied());
      facts.put("replay_id", ack.replayId());
    }
    facts.place(effect.ack());
    moments.add(
        new Moment(effect.firstAckedAt(), "acknowledged", effect.outboxId(), facts.get(), null));
  }

  private void lifeOf(EffectFacts effect, List<Moment> moments) {
    OutboxRow row = effect.row() == null ? null : outbox.get(effect.row());
    Facts facts = new Facts();
    facts.put("effect_type", effect.effectType());
    facts.put("status", effect.status());
    if (row == null) {
      facts.place(effect.row());
      moments.add(new Moment(null, "outbox row", effect.outboxId(), facts.get(), null));
      return;
    }
    facts.put("attempts", row.attempts());
    facts.put("topic", row.topic());
    facts.put("aggregate_type", row.aggregateType());
    facts.put("aggregate_id", row.aggregateId());
    facts.put("priority", row.priority());
    facts.put("row_version", row.rowVersion().shown());
    facts.put("replay_id", row.replayId());
    facts.place(effect.row());
    moments.add(
        new Moment(row.createdAt(), "outbox row created", row.outboxId(), facts.get(), null));
    Instant visible = row.visibleAt().orNull();
    if (visible != null && !visible.equals(row.createdAt())) {
      moments.add(plain(visible, "outbox row visible", row));
    }
    if (row.claimedAt().orNull() != null) {
      Facts lease = new Facts();
      lease.put("lease_owner", row.leaseOwner());
      lease.put("lease_until", Objects.toString(row.leaseUntil().orNull(), null));
      moments.add(
          new Moment(
              row.claimedAt().orNull(), "outbox row claimed", row.outboxId(), lease.get(), null));
    }
    if (row.dispatchedAt().orNull() != null) {
      moments.add(plain(row.dispatchedAt().orNull(), "outbox row dispatched", row));
    }
    if (row.dlqAt().orNull() != null) {
      moments.add(plain(row.dlqAt().orNull(), "outbox row given up", row));
    }
  }

  private static Moment plain(Instant at, String what, OutboxRow row) {
    return new Moment(at, what, row.outboxId(), ImmutableMap.of(), null);
  }

  private ImmutableList<EffectAccount> effectAccounts(
      ReceptionFacts first, Reception content, List<EffectFacts> effects) {
    TreeMap<String, List<EffectFacts>> byType = new TreeMap<>();
    for (EffectFacts effect : effects) {
      if (!effect.outcome().equals("SUPPRESSED")) {
        byType
            .computeIfAbsent(Objects.toString(effect.effectType(), ""), t -> new ArrayList<>())
            .add(effect);
      }
    }
    ImmutableMap.Builder<String, OutboxRow> rows = ImmutableMap.builder();
    for (EffectFacts effect : effects) {
      if (effect.outboxId() != null && effect.row() != null && outbox.containsKey(effect.row())) {
        rows.put(effect.outboxId(), outbox.get(effect.row()));
      }
    }
    ImmutableMap<String, OutboxRow> sent = rows.buildKeepingLast();
    ImmutableList.Builder<EffectAccount> accounts = ImmutableList.builder();
    byType.forEach(
        (type, ofType) ->
            accounts.add(
                EffectAccounts.of(
                    ofType, sent, first, limits(type, first, content), edges, heads)));
    if (spec != null && first != null && content != null) {
      for (String type : new EffectPolicy(spec).types()) {
        if (!byType.containsKey(type)) {
          accounts.add(notExpected(type, first, content));
        }
      }
    }
    return accounts.build();
  }

  private EffectAccount notExpected(String type, ReceptionFacts first, Reception content) {
    List<Effect> entries = entries(type);
    boolean asked = entries.stream().anyMatch(entry -> holds(entry, first, content));
    return new EffectAccount(
        type,
        asked ? Had.NOT_KNOWN : Had.NOT_EXPECTED,
        asked
            ? new Account(
                "The run did not look for it: "
                    + (content.replayed()
                        ? "the event is known by a replay alone."
                        : "its rows or its event were not judged."),
                ImmutableList.of())
            : Conditions.unmet(entries, values(first, content), flags(first)));
  }

  private List<Effect> entries(String type) {
    return spec.effects().stream().filter(entry -> entry.type().equals(type)).toList();
  }

  /** What holds for the rows of a type: the first entry that fits, else all of them together. */
  private Effect limits(String type, ReceptionFacts first, Reception content) {
    if (spec == null) {
      return null;
    }
    if (first != null && content != null) {
      for (Effect entry : entries(type)) {
        if (holds(entry, first, content)) {
          return entry;
        }
      }
    }
    return new EffectPolicy(spec).limits(type);
  }

  private boolean holds(Effect entry, ReceptionFacts first, Reception content) {
    return Conditions.hold(entry, values(first, content), flags(first));
  }

  private Function<String, String> values(ReceptionFacts first, Reception content) {
    EventColumns columns = new EventColumns(spec);
    return name ->
        switch (name) {
          case "decision" -> first.decision().name();
          case "timeliness" -> first.timeliness() == null ? null : first.timeliness().name();
          default -> columns.value(name, content);
        };
  }

  private static List<String> flags(ReceptionFacts first) {
    return first.flags().stream().map(Flag::name).toList();
  }

  // --- projections ---------------------------------------------------------------------------

  private ImmutableList<Account> windows(ReceptionFacts first) {
    ImmutableList.Builder<Account> accounts = ImmutableList.builder();
    for (WindowFacts placed : first.windows()) {
      ProjectionRule rule = rule(placed);
      accounts.add(
          WindowAccounts.of(
              first,
              placed,
              rule == null ? null : window(rule, first.occurredAt(), placed.start()),
              rule == null ? null : rule.allowedLateness(),
              chained));
    }
    String heldBack = DecisionAccounts.heldBack(first);
    if (heldBack != null) {
      accounts.add(new Account(heldBack, ImmutableList.of()));
    }
    return accounts.build();
  }

  private ProjectionRule rule(WindowFacts placed) {
    return spec == null
        ? null
        : spec.projections().stream()
            .filter(
                rule ->
                    rule.name().equals(placed.projection())
                        && rule.version().equals(placed.version()))
            .findFirst()
            .orElse(null);
  }

  private static Window window(ProjectionRule rule, Instant occurredAt, Instant start) {
    return occurredAt == null || rule.window() == null
        ? null
        : Windows.of(rule.window(), occurredAt).stream()
            .filter(window -> window.start().equals(start))
            .findFirst()
            .orElse(null);
  }

  private ImmutableList<Cell> cells(ReceptionFacts first, Reception content) throws IOException {
    ProjectedFields fields = spec.projectedFields();
    ImmutableList.Builder<Cell> cells = ImmutableList.builder();
    for (ProjectionRule rule : spec.projections()) {
      String businessKey = content.projected().get(fields.indexOf(rule.key()));
      List<Instant> starts =
          first.windows().stream()
              .filter(w -> w.projection().equals(rule.name()) && w.version().equals(rule.version()))
              .map(WindowFacts::start)
              .toList();
      if (businessKey != null && (!rule.windowed() || !starts.isEmpty())) {
        addCells(rule, businessKey, starts, cells);
      }
    }
    return cells.build();
  }

  private void addCells(
      ProjectionRule rule,
      String businessKey,
      List<Instant> starts,
      ImmutableList.Builder<Cell> cells)
      throws IOException {
    TableSchema table = ProjectionTables.of(rule);
    byte[] key = businessKey.getBytes(UTF_8);
    starts.forEach(
        start ->
            findings.cell(
                new CellName(rule.name(), rule.version(), businessKey, start.toString())));
    if (!rule.windowed()) {
      findings.cell(new CellName(rule.name(), rule.version(), businessKey, null));
    }
    try {
      for (TableFile file : run.files(table)) {
        TableFile.Found found =
            file.find(List.of("business_key"), texts -> Arrays.equals(texts[0], key), CELLS);
        file.read(
            found.numbers(),
            values -> {
              TableRow row = new TableRow(table, values);
              if (!rule.windowed() || isTouched(row, starts)) {
                cells.add(cell(rule, row));
              }
            });
      }
    } catch (IOException e) {
      throw new BrokenRunException(
          "%s: %s; run again to replace the run".formatted(run.path(), e.getMessage()), e);
    }
  }

  /** A window that begins where the event's does, or a session that has swallowed it. */
  private static boolean isTouched(TableRow row, List<Instant> starts) {
    Instant begin = row.time("window_start");
    Instant end = row.time("window_end");
    return begin != null
        && starts.stream()
            .anyMatch(
                start ->
                    start.equals(begin)
                        || end != null && start.isAfter(begin) && start.isBefore(end));
  }

  private static Cell cell(ProjectionRule rule, TableRow row) {
    Facts facts = new Facts();
    for (TableSchema.Column column : row.table().columns()) {
      Object value = row.value(column.name());
      if (value instanceof List<?> list) {
        facts.put(column.name(), list.isEmpty() ? null : list.toString());
      } else {
        facts.put(column.name(), value instanceof Instant time ? time.toString() : value);
      }
    }
    return new Cell(rule.name(), rule.version(), facts.get());
  }

  /** Facts by name, those that there are. */
  private static final class Facts {

    private final ImmutableMap.Builder<String, Object> facts = ImmutableMap.builder();

    void put(String name, Object value) {
      if (value != null) {
        facts.put(name, value);
      }
    }

    void place(RecordPlace place) {
      if (place != null) {
        put("file", place.file());
        put("position", place.position());
      }
    }

    ImmutableMap<String, Object> get() {
      return facts.buildOrThrow();
    }
  }
}
