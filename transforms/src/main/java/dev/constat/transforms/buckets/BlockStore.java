package dev.constat.transforms.buckets;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Where blocks wait between the stage that fills them and the one that sorts them. What travels
 * through the runner is a ticket for each.
 *
 * <p>A runner serialises what it moves once for each output and consumer of a stage, sorts it and
 * writes it to disk in between. Where all workers share a disk, blocks had better be written to it
 * once and be read once, with tickets of a few bytes in their place; its implementation lives where
 * files may be seen. Everywhere else a block is its own ticket.
 */
public interface BlockStore extends Serializable {

  /** Lets blocks travel themselves: for workers that share nothing. */
  BlockStore TRAVELLING = new Travelling();

  /**
   * Keeps a block.
   *
   * @param block its bytes, which the caller uses again
   * @param length how many of them
   * @return its ticket
   */
  byte[] keep(byte[] block, int length) throws IOException;

  /** The length of the block that a ticket stands for, in bytes. */
  int length(byte[] ticket);

  /**
   * Reads the block that a ticket stands for, which may be done once.
   *
   * @param into takes {@link #length} bytes from {@code at} on
   */
  void take(byte[] ticket, byte[] into, int at) throws IOException;

  /** The store of blocks that are their own tickets. */
  final class Travelling implements BlockStore {

    private static final long serialVersionUID = 1L;

    private Travelling() {}

    @Override
    public byte[] keep(byte[] block, int length) {
      return Arrays.copyOf(block, length);
    }

    @Override
    public int length(byte[] ticket) {
      return ticket.length;
    }

    @Override
    public void take(byte[] ticket, byte[] into, int at) {
      System.arraycopy(ticket, 0, into, at, ticket.length);
    }
  }
}
