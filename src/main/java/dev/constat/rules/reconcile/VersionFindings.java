package dev.constat.rules.reconcile;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Findings that are stated once for many events, from what all of them together left in the tally:
 * schema versions, effect types and consumers that nobody declared.
 */
public final class VersionFindings {

  private VersionFindings() {}

  /** The findings of a run. */
  public static List<Finding> of(RunFacts facts, Tally tally) {
    List<Finding> findings = new ArrayList<>();
    unknownSchemas(facts, tally, findings);
    appearedSchemas(facts, tally, findings);
    undeclared(tally, findings);
    unexpected(tally, findings);
    return findings;
  }

  private static void unknownSchemas(RunFacts facts, Tally tally, List<Finding> findings) {
    tally
        .sumsUnder(CheckTally.UNKNOWN_SCHEMA)
        .forEach(
            (path, count) -> {
              String source = Tally.step(path, 0);
              String version = Tally.step(path, 1);
              findings.add(
                  aboutSchema(Kind.UNKNOWN_SCHEMA_VERSION, source, version, tally)
                      .because(
                          version == null
                              ? "Accepted events carry no schema version"
                              : "Accepted events carry a schema version that the contract lacks")
                      .sides(
                          new JsonObject()
                              .put(
                                  "schema_versions",
                                  facts.spec().contract(source).schemaVersions()),
                          new JsonObject().put("schema_version", version).put("events", count))
                      .times(count)
                      .finding());
            });
  }

  private static void appearedSchemas(RunFacts facts, Tally tally, List<Finding> findings) {
    Map<String, List<String>> firstPath = new HashMap<>();
    Map<List<String>, byte[]> firsts = tally.minimaUnder(CheckTally.SCHEMA_FIRST);
    firsts.forEach(
        (path, first) ->
            firstPath.merge(
                path.get(0),
                path,
                (a, b) -> compareArrivals(firsts.get(a), firsts.get(b)) <= 0 ? a : b));
    firsts.forEach(
        (path, first) -> {
          String source = Tally.step(path, 0);
          if (facts.spec().contract(source).schemaVersions() != null
              || firstPath.get(path.get(0)).equals(path)) {
            return;
          }
          String version = Tally.step(path, 1);
          String before = Tally.step(firstPath.get(path.get(0)), 1);
          findings.add(
              aboutSchema(Kind.SCHEMA_VERSION_APPEARED, source, version, tally)
                  .because("A schema version appeared that the source did not begin with")
                  .sides(
                      new JsonObject().put("schema_version", before),
                      new JsonObject().put("schema_version", version))
                  .finding());
        });
  }

  /** Compares (received_at, ingestion_id); where the records stand does not matter. */
  private static int compareArrivals(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, 0, a.length - Place.BYTES, b, 0, b.length - Place.BYTES);
  }

  private static Statement aboutSchema(Kind kind, String source, String version, Tally tally) {
    byte[] first = tally.min(CheckTally.SCHEMA_FIRST, source, version);
    byte[] last = tally.max(CheckTally.SCHEMA_LAST, source, version);
    return Statement.of(kind, new JsonObject().put("source", source).put("schema_version", version))
        .under("schema-versions/1")
        .seenAt(placeBehind(first))
        .when(new KeyReader(first).instant(), new KeyReader(last).instant());
  }

  private static void undeclared(Tally tally, List<Finding> findings) {
    tally
        .sumsUnder(CheckTally.UNDECLARED)
        .forEach(
            (path, count) -> {
              String type = Tally.step(path, 0);
              findings.add(
                  once(
                          Statement.of(
                              Kind.UNDECLARED_EFFECT, new JsonObject().put("effect_type", type)),
                          tally,
                          CheckTally.UNDECLARED,
                          type)
                      .because("Outbox rows announce an effect that no entry of the spec names")
                      .sides(
                          new JsonObject().put("remedy", "add an entry to effects"),
                          new JsonObject().put("outbox_rows", count))
                      .times(count)
                      .finding());
            });
  }

  private static void unexpected(Tally tally, List<Finding> findings) {
    tally
        .sumsUnder(CheckTally.UNEXPECTED)
        .forEach(
            (path, count) -> {
              String type = Tally.step(path, 0);
              String consumer = Tally.step(path, 1);
              findings.add(
                  once(
                          Statement.of(
                              Kind.UNEXPECTED_CONSUMER,
                              new JsonObject().put("effect_type", type).put("consumer", consumer)),
                          tally,
                          CheckTally.UNEXPECTED,
                          type,
                          consumer)
                      .because(
                          type == null
                              ? "A consumer that no entry names acknowledges what no row announces"
                              : "A consumer acknowledges that no entry of the spec names")
                      .sides(
                          new JsonObject().put("remedy", "add it to consumers"),
                          new JsonObject().put("deliveries", count))
                      .times(count)
                      .finding());
            });
  }

  private static Statement once(Statement statement, Tally tally, String path, String... steps) {
    String[] sum = new String[steps.length + 1];
    System.arraycopy(steps, 0, sum, 1, steps.length);
    sum[0] = CheckTally.first(path);
    byte[] first = tally.min(sum);
    sum[0] = CheckTally.last(path);
    byte[] last = tally.max(sum);
    return statement
        .under("effects/1")
        .seenAt(placeBehind(first))
        .when(new KeyReader(first).instant(), new KeyReader(last).instant());
  }

  private static Place placeBehind(byte[] encoded) {
    return Place.fromBytes(encoded, encoded.length - Place.BYTES);
  }
}
