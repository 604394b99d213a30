package dev.constat.pipelines.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.explain.Explanation.Moment;
import dev.constat.pipelines.explain.Explanation.Part;
import dev.constat.pipelines.output.JsonText;
import dev.constat.rules.explain.Account;
import dev.constat.rules.explain.EffectAccount;
import java.io.PrintStream;
import java.util.Map;
import java.util.Objects;

/** Prints an explanation for people: the answer first, then what it rests on, in order of time. */
public final class ExplanationText {

  private static final String HANGING = "      ";

  private final PrintStream out;

  /** Prints to {@code out}. */
  public ExplanationText(PrintStream out) {
    this.out = out;
  }

  /** Prints an explanation. */
  public void print(Explanation explanation) {
    line(
        "%s %s, as run %s of %s tells it%s"
            .formatted(
                explanation.source(),
                explanation.id(),
                explanation.runId(),
                explanation.runName(),
                explanation.asOf() == null ? "" : " as of " + explanation.asOf()));
    for (Part part : explanation.parts()) {
      print(part, explanation.parts().size() > 1);
    }
    if (!explanation.chain().isEmpty()) {
      line("");
      line("corrections: other events of its chain");
      explanation.chain().forEach(link -> print(link, ImmutableList.of()));
    }
    line("");
    if (explanation.findings().isEmpty()) {
      line("findings: none");
    } else {
      line("findings");
      explanation.findings().forEach(this::print);
    }
    if (!explanation.notes().isEmpty()) {
      line("");
      line("not shown");
      explanation.notes().forEach(note -> line("  " + note));
    }
  }

  private void print(Part part, boolean several) {
    line("");
    if (part.key() == null) {
      line("what names it and belongs to no key");
    } else if (several) {
      line("key " + part.key());
    }
    line("why");
    part.why().forEach(account -> print("  ", account));
    part.effects().forEach(this::print);
    part.windows().forEach(account -> print("  ", account));
    line("");
    line("in order of time");
    part.moments().forEach(moment -> print(moment, part.why()));
    if (!part.cells().isEmpty()) {
      line("");
      line("cells that it touched");
      for (Explanation.Cell cell : part.cells()) {
        line("  " + cell.projection() + " version " + cell.version());
        facts(cell.values());
      }
    }
  }

  private void print(EffectAccount effect) {
    print(
        "  " + Objects.requireNonNullElse(effect.type(), "no effect type") + ": ",
        effect.account());
  }

  private void print(String begin, Account account) {
    line(begin + account.why());
    account.unless().forEach(unless -> line(HANGING + "> " + unless));
  }

  /** What was said of the event as a whole is not said again. */
  private void print(Moment moment, ImmutableList<Account> said) {
    line(
        "  %s  %s %s"
            .formatted(
                moment.at() == null ? "at an unknown time" : moment.at(),
                moment.what(),
                Objects.toString(moment.subject(), "")));
    if (moment.account() != null && !said.contains(moment.account())) {
      print(HANGING, moment.account());
    }
    facts(moment.facts());
  }

  private void facts(Map<String, Object> facts) {
    facts.forEach((name, value) -> line(HANGING + name + ": " + value));
  }

  private void print(JsonNode finding) {
    line(
        "  %s %s %s"
            .formatted(
                finding.path("level").asText(),
                finding.path("kind").asText(),
                finding.path("subject")));
    line(HANGING + finding.path("reason").asText());
  }

  /** Ids and payloads come from archives: what a terminal would obey is shown instead. */
  private void line(String text) {
    out.print(JsonText.harmless(text) + "\n");
  }
}
