package dev.constat.transforms.outputs;

import dev.constat.rules.envelope.Place;
import java.io.IOException;
import java.io.Serializable;

/**
 * Reads payloads again, by the places of their records. Its implementation lives where archives may
 * be seen.
 */
public interface PayloadSource extends Serializable {

  /** Opens the part of a file that {@code first} lies in. */
  Reader open(Place first) throws IOException;

  /** Payloads of one part of a file, asked for in the order of their places. */
  interface Reader extends AutoCloseable {

    /** The payload of the record at a place, or null where it has none. */
    byte[] payload(Place place) throws IOException;

    @Override
    void close() throws IOException;
  }
}
