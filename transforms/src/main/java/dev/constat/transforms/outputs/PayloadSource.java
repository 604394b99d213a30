package dev.constat.transforms.outputs;

import dev.constat.rules.envelope.Place;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;

/**
 * Reads payloads again, by the places of their records. Its implementation lives where archives may
 * be seen.
 */
public interface PayloadSource extends Serializable {

  /**
   * Reads some payloads.
   *
   * @param places of records of one part of one file, in ascending order, none twice
   * @param payloads is told of each, in the same order
   */
  void read(List<Place> places, Reader payloads) throws IOException;

  /** Takes payloads. */
  @FunctionalInterface
  interface Reader {

    /**
     * Takes one.
     *
     * @param payload as received, or null where the record has none
     */
    void payload(Place place, byte[] payload) throws IOException;
  }
}
