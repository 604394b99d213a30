package dev.constat.pipelines.output;

import dev.constat.rules.redaction.Redaction;
import dev.constat.rules.redaction.Redactor;
import dev.constat.rules.table.TableSchema;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.util.Optional;

/**
 * Tables that hold what a redacted run shows. Rows keep the order in which they come, which is that
 * of what they would show otherwise.
 */
public final class RedactedTables implements TableSink {

  private static final long serialVersionUID = 1;

  private final TableSink tables;
  private final Redaction redaction;

  /** Redacts what goes to {@code tables}. */
  public RedactedTables(TableSink tables, Redaction redaction) {
    this.tables = tables;
    this.redaction = redaction;
  }

  @Override
  public Part open(TableSchema table, int bucket, int buckets) throws IOException {
    return new RedactedPart(table, tables.open(table, bucket, buckets), redaction.redactor());
  }

  private static final class RedactedPart implements Part {

    private final TableSchema table;
    private final Part part;
    private final Redactor redactor;

    RedactedPart(TableSchema table, Part part, Redactor redactor) {
      this.table = table;
      this.part = part;
      this.redactor = redactor;
    }

    @Override
    public void add(Object[] row) throws IOException {
      part.add(redactor.row(table, row));
    }

    @Override
    public Optional<Receipt> finish() throws IOException {
      return part.finish();
    }

    @Override
    public void close() throws IOException {
      part.close();
    }
  }
}
