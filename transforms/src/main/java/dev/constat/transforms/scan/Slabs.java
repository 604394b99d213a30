package dev.constat.transforms.scan;

import static com.google.common.base.Preconditions.checkArgument;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Where the large scopes of a family are cut. Records of one position are never cut apart, so a
 * slab is larger than meant where more of them share a position. A scope without cuts is one slab
 * and is not listed: memory is that of the positions at which something is cut.
 */
public final class Slabs implements Serializable {

  private static final long serialVersionUID = 1L;

  /** How many bytes of a group say which slab it is. */
  static final int NUMBER_BYTES = Integer.BYTES;

  private final byte[][] scopes;
  private final byte[][][] cuts;

  private Slabs(byte[][] scopes, byte[][][] cuts) {
    this.scopes = scopes;
    this.cuts = cuts;
  }

  /**
   * Cuts the scopes of a family.
   *
   * @param tally with the samples of all records
   * @param samples how they were taken
   * @param slabSize about how many records a slab is meant to hold
   */
  public static Slabs of(Tally tally, Samples samples, long slabSize) {
    checkArgument(slabSize >= 1, "Invalid size of a slab: %s, must be at least 1", slabSize);
    List<byte[]> scopes = new ArrayList<>();
    List<byte[][]> cuts = new ArrayList<>();
    long most = Math.max(1, slabSize / samples.rate());
    Cutter cutter = new Cutter(most);
    String scope = null;
    for (Map.Entry<List<String>, Long> sample :
        tally.sumsUnder(Samples.PATH, samples.family()).entrySet()) {
      String next = sample.getKey().get(0);
      if (!next.equals(scope)) {
        cutter.end(scope, scopes, cuts);
        scope = next;
      }
      cutter.add(sample.getKey().get(1), sample.getValue());
    }
    cutter.end(scope, scopes, cuts);
    return new Slabs(scopes.toArray(byte[][]::new), cuts.toArray(byte[][][]::new));
  }

  /** Cuts one scope after the other. */
  private static final class Cutter {

    private final long most;
    private final List<byte[]> cuts = new ArrayList<>();
    private long inSlab;

    Cutter(long most) {
      this.most = most;
    }

    void add(String position, long count) {
      if (inSlab > 0 && inSlab + count > most) {
        cuts.add(Steps.bytes(position));
        inSlab = 0;
      }
      inSlab += count;
    }

    void end(String scope, List<byte[]> scopes, List<byte[][]> cutsOfScopes) {
      if (!cuts.isEmpty()) {
        scopes.add(Steps.bytes(scope));
        cutsOfScopes.add(cuts.toArray(byte[][]::new));
        cuts.clear();
      }
      inSlab = 0;
    }
  }

  /** How many scopes are cut. */
  public int cutScopes() {
    return scopes.length;
  }

  /** Of how many slabs a scope consists. */
  public int slabsOf(KeyWriter scope) {
    int index = indexOf(scope.buffer(), 0, scope.size());
    return index < 0 ? 1 : slabs(index);
  }

  /** In which slab of its scope a record stands, from 0. */
  public int slabOf(KeyWriter scope, KeyWriter position) {
    int index = indexOf(scope.buffer(), 0, scope.size());
    return index < 0 ? 0 : slabOf(index, position);
  }

  /**
   * Appends the group of a record: the bytes of its scope, then the number of its slab. Groups are
   * as many as slabs, so that those of one scope spread over buckets.
   */
  public void writeGroup(KeyWriter group, KeyWriter scope, KeyWriter position) {
    writeGroup(group, scope, slabOf(scope, position));
  }

  /** Appends the group of a slab of a scope, given by its number. */
  public void writeGroup(KeyWriter group, KeyWriter scope, int slab) {
    group
        .raw(scope.buffer(), 0, scope.size())
        .octet(slab >>> 24)
        .octet(slab >>> 16)
        .octet(slab >>> 8)
        .octet(slab);
  }

  /** Where the bytes of the scope end in those of a group. */
  public static int scopeTo(int groupTo) {
    return groupTo - NUMBER_BYTES;
  }

  int slabOf(int index, KeyWriter position) {
    byte[][] cutsOfScope = cuts[index];
    int from = 0;
    int to = cutsOfScope.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      byte[] cut = cutsOfScope[middle];
      if (Arrays.compareUnsigned(cut, 0, cut.length, position.buffer(), 0, position.size()) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** The number of a scope that is cut, or less than 0. */
  int indexOf(byte[] buffer, int scopeFrom, int scopeTo) {
    int from = 0;
    int to = scopes.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      byte[] scope = scopes[middle];
      int order = Arrays.compareUnsigned(scope, 0, scope.length, buffer, scopeFrom, scopeTo);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return -1;
  }

  /** The bytes of a scope that is cut. */
  byte[] scope(int index) {
    return scopes[index];
  }

  /** How many slabs a scope has that is cut. */
  int slabs(int index) {
    return cuts[index].length + 1;
  }
}
