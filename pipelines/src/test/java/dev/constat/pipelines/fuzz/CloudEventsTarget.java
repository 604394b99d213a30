package dev.constat.pipelines.fuzz;

import dev.constat.pipelines.fuzz.JsonLinesTarget.Reading;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpecParser;
import java.io.IOException;
import java.util.Arrays;

/**
 * A file of CloudEvents, as {@link JsonLinesTarget} takes one of JSON lines, and held to the same.
 */
final class CloudEventsTarget {

  private static final Archive ARCHIVE =
      RunSpecParser.parse(
              "constat: 1\narchives: {events: {files: e, format: cloudevents}}\n",
              "constat.yaml",
              "name")
          .archives()
          .get(Input.EVENTS);

  private CloudEventsTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length >= 2) {
      byte[] text = Arrays.copyOfRange(input, 2, input.length);
      new Reading(ARCHIVE, JsonLinesTarget.limit(input[1] & 0xFF))
          .test(text, 1 + (input[0] & 0xFF));
    }
  }
}
