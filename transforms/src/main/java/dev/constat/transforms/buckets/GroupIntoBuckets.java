package dev.constat.transforms.buckets;

import static com.google.common.base.Preconditions.checkArgument;

import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;

/**
 * Brings the blocks of each bucket together.
 *
 * <p><b>Input.</b> Blocks of a {@link BlockAppender} with their bucket, bounded, in the global
 * window.
 *
 * <p><b>Output.</b> Each bucket that has blocks, once, with all of them in no particular order.
 * They can be iterated once. The output must have exactly one consumer, a {@link BucketFn}: several
 * would make the runner hold each bucket in memory. Flink's batch translation fuses a consumer to
 * the grouping only if it has no side inputs; to one that has some, each bucket goes as one record.
 * That is a ticket of some bytes for each block where a {@link BlockStore} keeps them, and all of
 * the bucket where blocks travel themselves, so there a worker's heap must hold one.
 *
 * <p><b>Cost.</b> One shuffle of the records' bytes, or of the tickets of their blocks. Buckets are
 * worked on in parallel, the records of a bucket are not.
 */
public final class GroupIntoBuckets
    extends PTransform<
        PCollection<KV<Integer, byte[]>>, PCollection<KV<Integer, Iterable<byte[]>>>> {

  private GroupIntoBuckets() {}

  public static GroupIntoBuckets create() {
    return new GroupIntoBuckets();
  }

  @Override
  public PCollection<KV<Integer, Iterable<byte[]>>> expand(
      PCollection<KV<Integer, byte[]>> blocks) {
    checkArgument(
        blocks.isBounded() == PCollection.IsBounded.BOUNDED,
        "Invalid input: %s is unbounded, must be bounded",
        blocks.getName());
    checkArgument(
        blocks.getCoder().equals(Blocks.coder()),
        "Invalid coder of %s: %s, must be %s",
        blocks.getName(),
        blocks.getCoder(),
        Blocks.coder());
    return blocks.apply("Group blocks by bucket", GroupByKey.create());
  }
}
