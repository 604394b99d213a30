package dev.constat.pipelines.tables;

import dev.constat.pipelines.output.Extracts;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecParser;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads all parts of an outbox table at once: a process of its own, for its heap's sake. */
final class BigTableReader {

  private BigTableReader() {}

  /** Arguments: URL, table, folder of the extracts. */
  public static void main(String[] args) throws Exception {
    RunSpec spec =
        RunSpecParser.parse(
            "{constat: 1, archives: {events: {files: none}, outbox: {jdbc: '%s', table: %s}}}"
                .formatted(args[0], args[1]),
            "spec",
            "big");
    try (TablePlanner planner = TablePlanner.create()) {
      List<TablePart> parts = planner.plan(Input.OUTBOX, spec).parts();
      ExecutorService readers = Executors.newFixedThreadPool(parts.size());
      List<Future<?>> reading = new ArrayList<>();
      for (TablePart part : parts) {
        reading.add(
            readers.submit(
                () -> Extracts.write(args[2], part.extract(), TableReader.of(part)::writeTo)));
      }
      for (Future<?> future : reading) {
        future.get();
      }
      readers.shutdown();
    }
  }
}
