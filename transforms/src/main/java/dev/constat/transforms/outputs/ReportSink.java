package dev.constat.transforms.outputs;

import java.io.IOException;
import java.io.Serializable;

/**
 * Takes the report of the whole pipeline to the client. Its implementation lives where files may be
 * seen.
 */
public interface ReportSink extends Serializable {

  /** Keeps the report; a retry replaces what an earlier attempt left. */
  void deliver(StageReport report) throws IOException;
}
