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
 */
public record ExternalEffects(ImmutableSortedSet<String> codeOfOthers) {

  /** Of a run of Constat's own code alone. */
  public static final ExternalEffects NONE = new ExternalEffects(ImmutableSortedSet.of());

  private static final String STATEMENT =
      "Nothing was published, sent or called: there is no code here that does. Files were written"
          + " to the output folder, and to the temporary folder while the run lasted.";

  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("external_effects");
    json.writeStringField("statement", STATEMENT);
    json.writeArrayFieldStart("code_of_others");
    for (String kind : codeOfOthers) {
      json.writeString(kind);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
