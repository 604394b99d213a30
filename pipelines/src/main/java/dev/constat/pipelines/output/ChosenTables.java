package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableSet;
import dev.constat.rules.table.TableSchema;
import dev.constat.transforms.outputs.TableSink;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

/** Tables of which only some are kept; the rows of all others are dropped as they come. */
public final class ChosenTables implements TableSink {

  private static final long serialVersionUID = 1;

  private final TableSink tables;
  private final ImmutableSet<String> chosen;

  /** Keeps the {@code chosen} ones in {@code tables}. */
  public ChosenTables(TableSink tables, Collection<TableSchema> chosen) {
    this.tables = tables;
    this.chosen = chosen.stream().map(TableSchema::name).collect(ImmutableSet.toImmutableSet());
  }

  @Override
  public Part open(TableSchema table, int bucket, int buckets) throws IOException {
    return chosen.contains(table.name()) ? tables.open(table, bucket, buckets) : new Dropped();
  }

  private static final class Dropped implements Part {

    @Override
    public void add(Object[] row) {
      // nobody asked for it
    }

    @Override
    public Optional<Receipt> finish() {
      return Optional.empty();
    }

    @Override
    public void close() {
      // nothing was opened
    }
  }
}
