package dev.constat.pipelines.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.constat.pipelines.explain.Explanation.Moment;
import dev.constat.pipelines.explain.Explanation.Part;
import dev.constat.pipelines.output.JsonText;
import dev.constat.rules.explain.Account;
import dev.constat.rules.explain.EffectAccount;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/** Writes an explanation as one JSON document. */
public final class ExplanationJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final JsonGenerator json;

  private ExplanationJson(JsonGenerator json) {
    this.json = json;
  }

  /** Writes to {@code out}, which the caller closes. */
  public static void write(Explanation explanation, OutputStream out) throws IOException {
    try (JsonGenerator json = JsonText.document(out)) {
      new ExplanationJson(json).write(explanation);
      JsonText.newLine(json);
    }
  }

  private void write(Explanation explanation) throws IOException {
    json.writeStartObject();
    json.writeStringField("run_id", explanation.runId());
    json.writeStringField("name", explanation.runName());
    json.writeStringField("as_of", explanation.asOf());
    json.writeStringField("source", explanation.source());
    json.writeStringField("source_event_id", explanation.id());
    json.writeArrayFieldStart("keys");
    for (Part part : explanation.parts()) {
      write(part);
    }
    json.writeEndArray();
    writeMoments("chain", explanation.chain());
    json.writeArrayFieldStart("findings");
    for (JsonNode finding : explanation.findings()) {
      MAPPER.writeTree(json, finding);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("notes");
    for (String note : explanation.notes()) {
      json.writeString(note);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(Part part) throws IOException {
    json.writeStartObject();
    json.writeFieldName("key");
    if (part.key() == null) {
      json.writeNull();
    } else {
      MAPPER.writeTree(json, MAPPER.readTree(part.key()));
    }
    writeAccounts("why", part.why());
    json.writeArrayFieldStart("effects");
    for (EffectAccount effect : part.effects()) {
      json.writeStartObject();
      json.writeStringField("effect_type", effect.type());
      json.writeStringField("had", effect.had().name());
      writeMembers(effect.account());
      json.writeEndObject();
    }
    json.writeEndArray();
    writeAccounts("windows", part.windows());
    writeMoments("moments", part.moments());
    json.writeArrayFieldStart("cells");
    for (Explanation.Cell cell : part.cells()) {
      json.writeStartObject();
      json.writeStringField("projection", cell.projection());
      json.writeStringField("version", cell.version());
      writeFacts("values", cell.values());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeAccounts(String name, List<Account> accounts) throws IOException {
    json.writeArrayFieldStart(name);
    for (Account account : accounts) {
      json.writeStartObject();
      writeMembers(account);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeMembers(Account account) throws IOException {
    json.writeStringField("why", account.why());
    json.writeArrayFieldStart("unless");
    for (String unless : account.unless()) {
      json.writeString(unless);
    }
    json.writeEndArray();
  }

  private void writeMoments(String name, List<Moment> moments) throws IOException {
    json.writeArrayFieldStart(name);
    for (Moment moment : moments) {
      json.writeStartObject();
      json.writeStringField("at", moment.at() == null ? null : moment.at().toString());
      json.writeStringField("what", moment.what());
      json.writeStringField("subject", moment.subject());
      writeFacts("facts", moment.facts());
      if (moment.account() != null) {
        writeMembers(moment.account());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeFacts(String name, Map<String, Object> facts) throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Object> fact : facts.entrySet()) {
      json.writeFieldName(fact.getKey());
      if (fact.getValue() instanceof Long number) {
        json.writeNumber(number);
      } else if (fact.getValue() instanceof Boolean truth) {
        json.writeBoolean(truth);
      } else {
        json.writeString(fact.getValue().toString());
      }
    }
    json.writeEndObject();
  }
}
