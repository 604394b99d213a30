package dev.constat.transforms.outputs;

import dev.constat.rules.findings.Finding;
import java.io.IOException;
import java.io.Serializable;
import java.util.Optional;

/**
 * Takes the findings of one bucket of a stage, in the order of {@link
 * dev.constat.rules.findings.FindingCodec#sortKey}, parts of one finding merged, and keeps them for
 * the client under a name that follows from stage and bucket alone. Its implementation lives where
 * files may be seen.
 */
public interface FindingSink extends Serializable {

  /** Opens the shard of {@code bucket} of {@code stage}. */
  Shard open(String stage, int bucket) throws IOException;

  /**
   * The findings of one bucket while they are written. Closing one that is not finished drops it.
   */
  interface Shard extends AutoCloseable {

    /** Adds the next finding. */
    void add(Finding finding) throws IOException;

    /** Completes the shard and says what it is; empty where it has no finding. */
    Optional<Receipt> finish() throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * What stands where after a shard was written.
   *
   * @param file path below the staging folder, with forward slashes
   * @param findings number of findings
   * @param bytes size
   */
  record Receipt(String file, long findings, long bytes) implements Serializable {}
}
