package dev.constat.transforms.buckets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;

/**
 * Local temporary space for what does not fit a memory budget. Its implementation lives where files
 * may be seen.
 */
public interface SpillSpace extends Serializable {

  /** A new, empty run of bytes. */
  Run open() throws IOException;

  /** Bytes that are written once, read back once and dropped. */
  interface Run extends AutoCloseable {

    /** The stream to write it with; closed by the caller before {@link #read}. */
    OutputStream write() throws IOException;

    /** The stream to read it back with; closed by the caller. */
    InputStream read() throws IOException;

    /** Drops it. */
    @Override
    void close() throws IOException;
  }
}
