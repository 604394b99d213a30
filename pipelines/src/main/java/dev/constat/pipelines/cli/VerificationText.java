package dev.constat.pipelines.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.constat.pipelines.output.JsonText;
import dev.constat.pipelines.verify.Verification;
import java.io.IOException;
import java.io.PrintStream;

/** Tells what verifying a run came to: to people, or as one JSON document. */
final class VerificationText {

  private final PrintStream out;

  VerificationText(PrintStream out) {
    this.out = out;
  }

  /** Prints it for people. */
  void print(Verification verification) {
    line(
        "run %s of %s, made by %s"
            .formatted(verification.id(), verification.name(), verification.command()));
    line(
        "  %s files of the run, %s files read"
            .formatted(verification.files(), verification.inputs()));
    line(
        verification.rerun() == null
            ? "  not made again"
            : "  made again by %s".formatted(verification.rerun()));
    if (!verification.obstacles().isEmpty()) {
      line("");
      verification.obstacles().forEach(obstacle -> line("  " + obstacle));
    }
    if (!verification.differences().isEmpty()) {
      line("");
      verification.differences().forEach(difference -> line("  " + sentence(difference)));
    }
    line("");
    line(verification.verdict().name());
  }

  private static String sentence(Verification.Difference difference) {
    StringBuilder sentence =
        new StringBuilder(difference.file()).append(": ").append(difference.problem());
    if (difference.offset() != null) {
      sentence.append(", from byte ").append(difference.offset()).append(" on");
    }
    if (difference.line() != null) {
      sentence.append(" (line ").append(difference.line()).append(')');
    }
    return sentence.toString();
  }

  private void line(String text) {
    out.print(JsonText.harmless(text) + "\n");
  }

  /** Writes it as a document. */
  void write(Verification verification) throws IOException {
    try (JsonGenerator json = JsonText.document(out)) {
      json.writeStartObject();
      json.writeStringField("run", verification.run());
      json.writeStringField("run_id", verification.id());
      json.writeStringField("name", verification.name());
      json.writeStringField("command", verification.command());
      json.writeStringField("verdict", verification.verdict().name());
      json.writeNumberField("files", verification.files());
      json.writeNumberField("inputs", verification.inputs());
      json.writeStringField("rerun", verification.rerun());
      json.writeArrayFieldStart("differences");
      for (Verification.Difference difference : verification.differences()) {
        json.writeStartObject();
        json.writeStringField("file", difference.file());
        json.writeStringField("problem", difference.problem());
        json.writeObjectField("byte", difference.offset());
        json.writeObjectField("line", difference.line());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("obstacles");
      for (String obstacle : verification.obstacles()) {
        json.writeString(obstacle);
      }
      json.writeEndArray();
      json.writeEndObject();
      JsonText.newLine(json);
    }
  }
}
