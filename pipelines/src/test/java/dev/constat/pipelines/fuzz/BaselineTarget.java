package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;
import static dev.constat.pipelines.fuzz.Claims.same;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.baseline.Acknowledgements;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Statement;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.spec.Baseline;
import dev.constat.rules.spec.BaselineParser;
import dev.constat.rules.spec.BaselineText;
import dev.constat.rules.spec.SpecException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A baseline, and where it is one, what it acknowledges and what can be added to it. */
final class BaselineTarget {

  private static final String FILE = "baseline.yaml";
  private static final String FINGERPRINT = "0123456789abcdef0123456789abcdef";
  private static final Finding FINDING =
      Statement.of(Kind.DLQ, new JsonObject().put("outbox_id", "ob-1").put("epoch", 3))
          .because("Given up")
          .under("states/1")
          .finding();

  private BaselineTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(input)).toString();
    } catch (CharacterCodingException e) {
      return;
    }
    Baseline baseline;
    try {
      baseline = BaselineParser.parse(text, FILE);
    } catch (SpecException e) {
      Refusals.explain(e, text, FILE, again -> BaselineParser.parse(again, FILE));
      return;
    }
    same("a baseline read twice", baseline, BaselineParser.parse(text, FILE));
    same("its own text", baseline, BaselineParser.parse(baseline.canonicalText(), FILE));
    acknowledge(baseline);
    add(text, baseline);
  }

  private static void acknowledge(Baseline baseline) {
    Acknowledgements known = new Acknowledgements(baseline, Instant.parse("2026-01-05T12:00:00Z"));
    boolean acknowledged = known.acknowledge(FINDING);
    Acknowledgements.Report report = known.report();
    same("findings", acknowledged ? 1L : 0L, report.findings());
    same("entries", baseline.entries().size(), report.entries());
    holds(
        report.expired().size() + report.unused().size() <= report.entries(),
        "more entries than there are",
        report);
  }

  /** What stands there stays, and one entry comes behind it; or there is a refusal. */
  private static void add(String text, Baseline baseline) {
    String more;
    try {
      more =
          BaselineText.acknowledging(
              text, FILE, FINGERPRINT, "me", "a: reason", "2026-02-01T00:00:00Z");
    } catch (SpecException e) {
      holds(!e.getMessage().isBlank(), "says nothing", e);
      return;
    }
    holds(more.startsWith(text), "changed what stood there", more);
    ImmutableList<Baseline.Entry> entries = BaselineParser.parse(more, FILE).entries();
    same("entries before", baseline.entries(), entries.subList(0, entries.size() - 1));
    same("the entry", FINGERPRINT, entries.get(entries.size() - 1).fingerprint());
  }
}
