package dev.constat.pipelines.report;

import dev.constat.pipelines.output.Execution;
import dev.constat.pipelines.output.RunReport;

/** What was read. */
final class InputsSection {

  private static final int FILES = 200;

  private final RunReport report;
  private final ReportPage.Basis basis;
  private final Values values;

  InputsSection(RunReport report, ReportPage.Basis basis, Values values) {
    this.report = report;
    this.basis = basis;
    this.values = values;
  }

  void into(Html html) {
    Table table =
        Table.of("Inputs")
            .column("input")
            .number("files")
            .number("rows")
            .number("unreadable")
            .column("first")
            .column("last")
            .column("complete from")
            .column("complete to")
            .number("retention");
    for (RunReport.InputFacts input : report.inputs()) {
      table.row(
          Table.words(input.input()),
          Table.count(basis.inputs().stream().filter(f -> f.input().equals(input.input())).count()),
          Table.count(input.rows()),
          Table.count(input.unreadable()),
          cell -> Values.time(cell, input.first()),
          cell -> Values.time(cell, input.last()),
          cell -> Values.time(cell, input.start()),
          cell -> {
            Values.time(cell, input.cut());
            cell.text(input.cut() != null && input.cutInferred() ? " (from the data)" : "");
          },
          cell -> Values.duration(cell, input.retention()));
    }
    table.into(html, "summary.json has all");
    if (basis.inputs().isEmpty()) {
      html.element("p", "No file matched what the run spec names.").line();
      return;
    }
    html.open("details").element("summary", "Files and their digests");
    Table files =
        Table.of("Files that were read", FILES)
            .column("file")
            .column("input")
            .number("rows")
            .number("size")
            .column("SHA-256");
    for (Execution.InputFile file : basis.inputs()) {
      files.row(
          cell -> values.value(cell, file.file()),
          Table.words(file.input()),
          Table.count(file.rows()),
          cell ->
              cell.element(
                  "span", Units.bytes(file.bytes()), "title", Units.count(file.bytes()) + " bytes"),
          cell -> cell.element("code", file.sha256(), "class", "digest"));
    }
    files.into(html, "run.json has all");
    html.close().line();
  }
}
