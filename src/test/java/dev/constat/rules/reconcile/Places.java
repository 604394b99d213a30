package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Place;
import java.nio.charset.StandardCharsets;

/** Places of records: a record stands where its id sends it, so that tests can name it. */
final class Places {

  private Places() {}

  /** The place of the record with an id, in the order of short ids. */
  static Place of(Input input, String id) {
    long position = 0;
    for (byte b : (id == null ? "" : id).getBytes(StandardCharsets.UTF_8)) {
      position = position << 8 | b & 0xFF;
    }
    return new Place(input.ordinal(), 0, 0, position & Long.MAX_VALUE, 0);
  }
}
