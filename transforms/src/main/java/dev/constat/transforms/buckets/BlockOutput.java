package dev.constat.transforms.buckets;

import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.TupleTag;

/** Takes the blocks that a {@link BlockAppender} has filled. */
@FunctionalInterface
public interface BlockOutput {

  /** Takes a block of a bucket, and owns the array from then on. */
  void output(int bucket, byte[] block);

  /** Gives blocks to the main output while an element is processed. */
  static BlockOutput to(DoFn.OutputReceiver<KV<Integer, byte[]>> receiver) {
    return (bucket, block) -> receiver.output(KV.of(bucket, block));
  }

  /** Gives blocks to one of several outputs while an element is processed. */
  static BlockOutput to(DoFn<?, ?>.ProcessContext context, TupleTag<KV<Integer, byte[]>> tag) {
    return (bucket, block) -> context.output(tag, KV.of(bucket, block));
  }

  /** Gives blocks to the main output, in the global window, when a bundle ends. */
  static <InputT> BlockOutput to(DoFn<InputT, KV<Integer, byte[]>>.FinishBundleContext context) {
    return (bucket, block) ->
        context.output(
            KV.of(bucket, block), GlobalWindow.INSTANCE.maxTimestamp(), GlobalWindow.INSTANCE);
  }

  /** Gives blocks to one of several outputs, in the global window, when a bundle ends. */
  static BlockOutput to(DoFn<?, ?>.FinishBundleContext context, TupleTag<KV<Integer, byte[]>> tag) {
    return (bucket, block) ->
        context.output(
            tag, KV.of(bucket, block), GlobalWindow.INSTANCE.maxTimestamp(), GlobalWindow.INSTANCE);
  }
}
