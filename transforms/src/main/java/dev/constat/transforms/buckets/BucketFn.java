package dev.constat.transforms.buckets;

import java.io.IOException;
import java.util.Objects;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.values.KV;

/**
 * The consumer of {@link GroupIntoBuckets}: sorts the records of a bucket and folds them. Blocks
 * are read once; memory for sorting is bounded and kept from bucket to bucket.
 *
 * <p>A subclass may have methods for other moments of a {@code DoFn}'s life. One that needs the
 * teardown overrides {@link #teardown} and calls it.
 *
 * @param <OutputT> the type of the main output
 */
public abstract class BucketFn<OutputT> extends DoFn<KV<Integer, Iterable<byte[]>>, OutputT> {

  private final BlockStore blocks;
  private final SpillSpace space;
  private final long budget;
  private transient RecordSorter sorter;

  /** Sorts with {@link RecordSorter#DEFAULT_BUDGET}. */
  protected BucketFn(BlockStore blocks, SpillSpace space) {
    this(blocks, space, RecordSorter.DEFAULT_BUDGET);
  }

  /**
   * Sorts with as many bytes of memory as {@code budget} says, and the rest in {@code space}.
   *
   * @param blocks where blocks wait
   */
  protected BucketFn(BlockStore blocks, SpillSpace space, long budget) {
    RecordSorter.checkBudget(budget);
    this.blocks = Objects.requireNonNull(blocks, "blocks");
    this.space = Objects.requireNonNull(space, "space");
    this.budget = budget;
  }

  /**
   * Folds the records of one bucket. Groups or records that it leaves unread are passed over.
   *
   * @param bucket which one
   * @param records what it holds, valid until this method returns
   * @param context takes outputs and gives side inputs; its element has been used up
   */
  protected abstract void fold(int bucket, SortedRecords records, ProcessContext context)
      throws Exception;

  @ProcessElement
  public final void processElement(ProcessContext context) throws Exception {
    if (sorter == null) {
      sorter = new RecordSorter(space, budget);
    }
    try {
      for (byte[] ticket : context.element().getValue()) {
        sorter.addBlock(blocks, ticket);
      }
      fold(context.element().getKey(), sorter.sort(), context);
    } catch (Throwable e) {
      try {
        teardown();
      } catch (IOException | RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    sorter.clear();
  }

  @Teardown
  public void teardown() throws IOException {
    if (sorter != null) {
      RecordSorter closing = sorter;
      sorter = null;
      closing.close();
    }
  }
}
