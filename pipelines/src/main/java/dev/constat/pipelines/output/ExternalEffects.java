package dev.constat.pipelines.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.ImmutableSortedSet;
import java.io.IOException;

/**
 * What a run did to the world besides leaving its files: nothing, and not by luck. Constat has no
 * code that could, which its tests hold it to; of code that the user brought nobody but the user
 * can say so, and it is named.
 *
 * @param codeOfOthers kinds of projections that are not Constat's own
 * @param tables the tables that were asked for their rows
 */
public record ExternalEffects(
    ImmutableSortedSet<String> codeOfOthers, ImmutableSortedSet<String> tables) {

  /** Of a run of Constat's own code alone. */
  public static final ExternalEffects NONE =
      new ExternalEffects(ImmutableSortedSet.of(), ImmutableSortedSet.of());

  private static final String STATEMENT =
      "Nothing was published, sent or called: there is no code here that does. Files were written"
          + " to the output folder, and to the temporary folder while the run lasted.";

  private static final String ASKED =
      " Databases were asked for rows of tables, by connections that only read.";

  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("external_effects");
    json.writeStringField("statement", tables.isEmpty() ? STATEMENT : STATEMENT + ASKED);
    json.writeArrayFieldStart("code_of_others");
    for (String kind : codeOfOthers) {
      json.writeString(kind);
    }
    json.writeEndArray();
    if (!tables.isEmpty()) {
      json.writeArrayFieldStart("tables");
      for (String table : tables) {
        json.writeString(table);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}
