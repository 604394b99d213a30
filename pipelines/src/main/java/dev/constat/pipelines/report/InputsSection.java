package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.Execution;
import dev.constat.pipelines.output.RunReport;

/** What was read. */
final class InputsSection {

  private static final int FILES = 100;

  private final RunReport report;
  private final ImmutableList<Execution.InputFile> files;
  private final Values values;

  InputsSection(RunReport report, ImmutableList<Execution.InputFile> files, Values values) {
    this.report = report;
    this.files = files;
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
          Table.count(files.stream().filter(f -> f.input().equals(input.input())).count()),
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
    if (files.isEmpty()) {
      html.element("p", "No file matched what the run spec names.").line();
      return;
    }
    html.open("details").element("summary", "Files and their digests");
    Table digests =
        Table.of("Files that were read", FILES)
            .column("file")
            .column("input")
            .number("rows")
            .number("size")
            .column("SHA-256");
    for (Execution.InputFile file : files) {
      digests.row(
          cell -> values.value(cell, file.file()),
          Table.words(file.input()),
          Table.count(file.rows()),
          cell ->
              cell.element(
                  "span", Units.bytes(file.bytes()), "title", Units.count(file.bytes()) + " bytes"),
          cell -> cell.element("code", file.sha256(), "class", "digest"));
    }
    digests.into(html, "run.json has all");
    html.close().line();
  }
}
