package dev.constat.pipelines.run;

import dev.constat.transforms.outputs.ReportSink;
import dev.constat.transforms.outputs.StageReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** Brings the report of the pipeline to the client through a file below the staging folder. */
final class StagedReport implements ReportSink {

  private static final long serialVersionUID = 1L;
  private static final String NAME = ".report";

  private final String staging;

  StagedReport(String staging) {
    this.staging = staging;
  }

  @Override
  public void deliver(StageReport report) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StageReport.CODER.encode(report, bytes);
    Path temporary = Path.of(staging, NAME + "-" + UUID.randomUUID());
    Files.write(temporary, bytes.toByteArray());
    Files.move(temporary, Path.of(staging, NAME), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What was delivered. */
  StageReport read() throws IOException {
    return StageReport.CODER.decode(
        new ByteArrayInputStream(Files.readAllBytes(Path.of(staging, NAME))));
  }
}
