package dev.constat.pipelines.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;

/** The ids next to one that is not there: the greatest before it and the smallest behind it. */
final class Neighbours {

  private final byte[] id;
  private byte[] before;
  private byte[] behind;

  Neighbours(String id) {
    this.id = id.getBytes(UTF_8);
  }

  /** The next id that is there; may be called side by side. */
  synchronized void next(byte[] other) {
    int order = Arrays.compareUnsigned(other, id);
    if (order < 0 && (before == null || Arrays.compareUnsigned(other, before) > 0)) {
      before = other.clone();
    } else if (order > 0 && (behind == null || Arrays.compareUnsigned(other, behind) < 0)) {
      behind = other.clone();
    }
  }

  /** Those that there are, in order. */
  synchronized ImmutableList<String> get() {
    ImmutableList.Builder<String> ids = ImmutableList.builder();
    if (before != null) {
      ids.add(new String(before, UTF_8));
    }
    if (behind != null) {
      ids.add(new String(behind, UTF_8));
    }
    return ids.build();
  }
}
