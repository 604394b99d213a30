package dev.constat.rules.reconcile;

import com.google.common.collect.Iterables;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.order.AggregateRow;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A ledger in memory: what was said, by name. */
final class Notes implements Ledger {

  private final List<Map<String, Object>> decisions = new ArrayList<>();
  private final List<Map<String, Object>> effects = new ArrayList<>();
  private final List<Quarantined> quarantine = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final List<AggregateRow> aggregateRows = new ArrayList<>();
  private final Tally tally = new Tally();

  /** What identity says of a reception, under the names of the columns that will hold it. */
  @Override
  public void decision(Arrival arrival) {
    Map<String, Object> row = new HashMap<>();
    row.put("ingestion_id", arrival.reception().ingestionId());
    row.put("key", arrival.key());
    row.put("hash", arrival.hash());
    row.put("hash_rule", arrival.hashRule());
    row.put("decision", arrival.decision().name());
    row.put("in_history", arrival.decision().inHistory());
    row.put("against", arrival.against());
    row.put("repeats", arrival.repeats());
    row.put("last_received_at", arrival.lastReceivedAt());
    row.put("flags", arrival.flags().stream().map(Enum::name).sorted().toList());
    row.put("reason", String.valueOf(arrival.reason()));
    row.put("replay_id", arrival.reception().replayId());
    decisions.add(row);
  }

  @Override
  public void effect(Object[] row) {
    effects.add(byName(Tables.EFFECTS, row));
  }

  @Override
  public void quarantine(Quarantined version) {
    quarantine.add(version);
  }

  @Override
  public void inAggregate(AggregateRow row) {
    aggregateRows.add(row);
  }

  @Override
  public void finding(Finding finding) {
    for (int i = 0; i < findings.size(); i++) {
      if (findings.get(i).isAbout(finding)) {
        findings.set(i, findings.get(i).merge(finding));
        return;
      }
    }
    findings.add(FindingCodec.decode(FindingCodec.encode(finding)));
  }

  @Override
  public Tally tally() {
    return tally;
  }

  private static Map<String, Object> byName(TableSchema table, Object[] row) {
    if (row.length != table.columns().size()) {
      throw new AssertionError("A row of " + table.name() + " has " + row.length + " values");
    }
    Map<String, Object> named = new HashMap<>();
    for (int i = 0; i < row.length; i++) {
      named.put(table.columns().get(i).name(), row[i]);
    }
    return named;
  }

  /** The decision rows of an ingestion_id. */
  List<Map<String, Object>> decisions(String ingestionId) {
    return decisions.stream().filter(row -> ingestionId.equals(row.get("ingestion_id"))).toList();
  }

  /** The only decision row of an ingestion_id. */
  Map<String, Object> decision(String ingestionId) {
    return Iterables.getOnlyElement(decisions(ingestionId));
  }

  /** Rows of effects, as "outbox_id consumer effect_key acks outcome repeats against". */
  List<String> effects() {
    return effects.stream()
        .map(
            row ->
                Stream.of(
                        "outbox_id",
                        "consumer",
                        "effect_key",
                        "acks",
                        "outcome",
                        "repeats",
                        "against")
                    .map(column -> row.get(column) == null ? "-" : row.get(column).toString())
                    .reduce((a, b) -> a + " " + b)
                    .orElseThrow())
        .toList();
  }

  List<Quarantined> quarantine() {
    return quarantine;
  }

  List<AggregateRow> aggregateRows() {
    return aggregateRows;
  }

  List<Finding> findings() {
    return findings;
  }

  List<Finding> findings(Kind kind) {
    return findings.stream().filter(finding -> finding.kind() == kind).toList();
  }

  /** The only finding of a kind. */
  Finding finding(Kind kind) {
    return Iterables.getOnlyElement(findings(kind));
  }

  /** Kinds found, by name, as often as there are findings. */
  List<String> kinds() {
    return findings.stream().map(finding -> finding.kind().name()).sorted().toList();
  }

  long book(String... path) {
    String[] full = new String[path.length + 1];
    full[0] = CheckTally.BOOK;
    System.arraycopy(path, 0, full, 1, path.length);
    return tally.sum(full);
  }

  long judged(Kind check) {
    return tally.sum(CheckTally.JUDGED, check.name());
  }

  long notJudged(Kind check, String reason) {
    return tally.sum(CheckTally.NOT_JUDGED, check.name(), reason);
  }

  long silent(Kind check, Standing standing) {
    return tally.sum(CheckTally.SILENT, check.name(), standing.name());
  }
}
