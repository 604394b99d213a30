package dev.constat.pipelines.fuzz;

import java.util.Arrays;

/** All targets in one, so that a short run starts one JVM: the first byte tells which is meant. */
final class EveryTarget {

  private EveryTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (input.length > 0) {
      Target[] targets = Target.values();
      targets[(input[0] & 0xFF) % targets.length].test(Arrays.copyOfRange(input, 1, input.length));
    }
  }

  /** What is tried where a target is given {@code input}. */
  static byte[] of(Target target, byte[] input) {
    byte[] all = new byte[input.length + 1];
    all[0] = (byte) target.ordinal();
    System.arraycopy(input, 0, all, 1, input.length);
    return all;
  }
}
