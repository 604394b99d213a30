package dev.constat.transforms.scan;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The greatest value before and behind each slab, for scopes that are cut. */
public final class SlabMaxima implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Maximum, by family, scope and slab: values of the slab's records. */
  private static final String PATH = "slab maximum";

  private final Slabs slabs;
  private final byte[][][] before;
  private final byte[][][] behind;

  private SlabMaxima(Slabs slabs, byte[][][] before, byte[][][] behind) {
    this.slabs = slabs;
    this.before = before;
    this.behind = behind;
  }

  /**
   * Says what stands before and behind each slab.
   *
   * @param tally with what every {@link Keeper} of the family kept
   */
  public static SlabMaxima of(Tally tally, String family, Slabs slabs) {
    byte[][][] before = new byte[slabs.cutScopes()][][];
    byte[][][] behind = new byte[slabs.cutScopes()][][];
    for (int index = 0; index < before.length; index++) {
      String scope = Steps.of(slabs.scope(index));
      int count = slabs.slabs(index);
      before[index] = new byte[count][];
      behind[index] = new byte[count][];
      for (int slab = 1; slab < count; slab++) {
        byte[] last = tally.max(PATH, family, scope, Integer.toString(slab - 1));
        before[index][slab] = greater(before[index][slab - 1], last);
      }
      for (int slab = count - 2; slab >= 0; slab--) {
        byte[] next = tally.max(PATH, family, scope, Integer.toString(slab + 1));
        behind[index][slab] = greater(behind[index][slab + 1], next);
      }
    }
    return new SlabMaxima(slabs, before, behind);
  }

  private static byte[] greater(byte[] a, byte[] b) {
    return a == null || b != null && Arrays.compareUnsigned(b, a) > 0 ? b : a;
  }

  /**
   * The greatest value of the scope before a group that {@link Slabs#writeGroup} wrote, or null
   * where there is none; not to be written to.
   */
  public byte[] before(byte[] buffer, int groupFrom, int groupTo) {
    return of(before, buffer, groupFrom, groupTo);
  }

  /** The greatest value of the scope behind such a group, likewise. */
  public byte[] behind(byte[] buffer, int groupFrom, int groupTo) {
    return of(behind, buffer, groupFrom, groupTo);
  }

  private byte[] of(byte[][][] values, byte[] buffer, int groupFrom, int groupTo) {
    int scopeTo = Slabs.scopeTo(groupTo);
    int index = slabs.indexOf(buffer, groupFrom, scopeTo);
    return index < 0 ? null : values[index][ByteBuffer.wrap(buffer).getInt(scopeTo)];
  }

  /**
   * Keeps the greatest value of each slab while the records pass that will be scanned. Memory is
   * one value per slab of the scopes that are cut.
   */
  public static final class Keeper {

    private final String family;
    private final Slabs slabs;
    private final byte[][][] greatest;

    /** A keeper that has seen nothing. */
    public Keeper(String family, Slabs slabs) {
      this.family = family;
      this.slabs = slabs;
      this.greatest = new byte[slabs.cutScopes()][][];
      for (int index = 0; index < greatest.length; index++) {
        greatest[index] = new byte[slabs.slabs(index)][];
      }
    }

    /** Takes a record's value in. */
    public void add(KeyWriter scope, KeyWriter position, KeyWriter value) {
      int index = slabs.indexOf(scope.buffer(), 0, scope.size());
      if (index < 0) {
        return;
      }
      int slab = slabs.slabOf(index, position);
      byte[] known = greatest[index][slab];
      if (known == null
          || Arrays.compareUnsigned(value.buffer(), 0, value.size(), known, 0, known.length) > 0) {
        greatest[index][slab] = value.toBytes();
      }
    }

    /** Adds what it kept to a tally; doing so twice changes nothing. */
    public void addTo(Tally tally) {
      for (int index = 0; index < greatest.length; index++) {
        String scope = Steps.of(slabs.scope(index));
        for (int slab = 0; slab < greatest[index].length; slab++) {
          if (greatest[index][slab] != null) {
            tally.max(greatest[index][slab], PATH, family, scope, Integer.toString(slab));
          }
        }
      }
    }
  }
}
