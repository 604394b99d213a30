package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.output.ChosenTables;
import dev.constat.pipelines.output.InputFiles;
import dev.constat.pipelines.output.LineTables;
import dev.constat.pipelines.output.ParquetTables;
import dev.constat.pipelines.output.RedactedTables;
import dev.constat.rules.diff.DiffTables;
import dev.constat.rules.plan.PlanTables;
import dev.constat.rules.projection.ProjectionTables;
import dev.constat.rules.redaction.Redaction;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.table.TableSchema;
import dev.constat.rules.table.Tables;
import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.util.Collection;

/** The tables that a run leaves, and how: plans as JSON lines, all others as Parquet. */
final class RunTables {

  private final RunSpec spec;
  private final ParquetTables parquet;
  private final LineTables lines;
  private final ImmutableList<TableSchema> tables;

  private RunTables(RunSpec spec, ParquetTables parquet, LineTables lines) {
    this.spec = spec;
    this.parquet = parquet;
    this.lines = lines;
    this.tables = tablesOf(spec);
  }

  /**
   * Tables of a run below its staging folder.
   *
   * @param inputs names of the files that rows come from
   */
  static RunTables below(String staging, RunSpec spec, InputFiles inputs) {
    return new RunTables(spec, new ParquetTables(staging, inputs), new LineTables(staging));
  }

  private static ImmutableList<TableSchema> tablesOf(RunSpec spec) {
    if (spec.plan() != null) {
      return PlanTables.of(spec.plan());
    }
    ImmutableList.Builder<TableSchema> tables = ImmutableList.builder();
    if (spec.rebuild() == null) {
      tables.addAll(Tables.ALL);
    }
    spec.projections().forEach(rule -> tables.add(ProjectionTables.of(rule)));
    if (spec.comparesVersions()) {
      tables.add(DiffTables.PROJECTION_DIFF);
    }
    return tables.build();
  }

  /**
   * Where stages write them; what nobody asked for is dropped.
   *
   * @param redaction how they are redacted, or null where they are not
   */
  TableSink sink(Redaction redaction) {
    return redaction == null ? sink() : new RedactedTables(sink(), redaction);
  }

  private TableSink sink() {
    if (spec.plan() != null) {
      return new ChosenTables(lines, tables);
    }
    return spec.rebuild() == null ? parquet : new ChosenTables(parquet, tables);
  }

  /** Writes each table without a row as one empty file; returns the receipts of these. */
  ImmutableList<TableSink.Receipt> completing(
      Collection<TableSink.Receipt> receipts, Buckets buckets) throws IOException {
    return spec.plan() == null
        ? parquet.completing(tables, receipts, buckets.count())
        : lines.completing(tables, receipts);
  }
}
