package dev.constat.transforms.buckets;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;

/** Takes the tickets of the blocks that a {@link BlockAppender} has filled. */
@FunctionalInterface
public interface BlockOutput {

  /** Takes the ticket of a block of a bucket, and owns the array from then on. */
  void output(int bucket, byte[] ticket);

  /** Gives blocks to the main output while an element is processed. */
  static BlockOutput to(DoFn.OutputReceiver<KV<Integer, byte[]>> receiver) {
    return (bucket, ticket) -> receiver.output(KV.of(bucket, ticket));
  }

  /** Gives blocks to one of several outputs while an element is processed. */
  static BlockOutput to(DoFn<?, ?>.ProcessContext context, TupleTag<KV<Integer, byte[]>> tag) {
    return (bucket, ticket) -> context.output(tag, KV.of(bucket, ticket));
  }

  /** Gives blocks to the main output, in the global window, when a bundle ends. */
  static <InputT> BlockOutput to(DoFn<InputT, KV<Integer, byte[]>>.FinishBundleContext context) {
    return (bucket, ticket) ->
        context.output(
            KV.of(bucket, ticket), GlobalWindow.INSTANCE.maxTimestamp(), GlobalWindow.INSTANCE);
  }

  /** Gives blocks to one of several outputs, in the global window, when a bundle ends. */
  static BlockOutput to(DoFn<?, ?>.FinishBundleContext context, TupleTag<KV<Integer, byte[]>> tag) {
    return (bucket, ticket) ->
        context.output(
            tag,
            KV.of(bucket, ticket),
            GlobalWindow.INSTANCE.maxTimestamp(),
            GlobalWindow.INSTANCE);
  }
}
