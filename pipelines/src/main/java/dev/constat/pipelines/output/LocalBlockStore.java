package dev.constat.pipelines.output;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.io.Closer;
import dev.constat.transforms.buckets.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Blocks in temporary files of one process, for a runner whose workers are its threads. Every block
 * is written once and read once; a file whose blocks have all been read is deleted, often before
 * the system has brought it to disk.
 *
 * <p>Copies of a store that the runner makes find its files by their name, until {@link #close}.
 *
 * <p><b>Disk.</b> Files that hold a block nobody has taken, each of {@value #FILE_LENGTH} bytes,
 * and up to {@value Files#LANES} that are being written to.
 */
public final class LocalBlockStore implements BlockStore, Closeable {

  private static final long serialVersionUID = 1L;

  /** A file takes no more blocks when it has so many bytes. */
  static final long FILE_LENGTH = 128L << 20;

  /** A file's number, where the block begins in it, and its length. */
  private static final int TICKET = 2 * Integer.BYTES + Long.BYTES;

  private static final Map<String, Files> OPEN = new ConcurrentHashMap<>();

  private final String name;

  private LocalBlockStore(String name) {
    this.name = name;
  }

  /**
   * A store in the machine's own temporary directory ({@code java.io.tmpdir}).
   *
   * @param name no other open store of this process has it
   */
  public static LocalBlockStore inTemporaryDirectory(String name) {
    return open(name, TemporaryFiles.in(null), FILE_LENGTH);
  }

  /**
   * A store.
   *
   * @param fileLength a file takes no more blocks when it has so many bytes
   */
  static LocalBlockStore in(Path directory, String name, long fileLength) {
    return open(name, TemporaryFiles.in(directory.toString()), fileLength);
  }

  private static LocalBlockStore open(String name, TemporaryFiles place, long fileLength) {
    Files former = OPEN.putIfAbsent(name, new Files(place, fileLength));
    checkState(former == null, "A store named %s is open already", name);
    return new LocalBlockStore(name);
  }

  @Override
  public byte[] keep(byte[] block, int length) throws IOException {
    ByteBuffer ticket = ByteBuffer.allocate(TICKET);
    files().keep(ByteBuffer.wrap(block, 0, length), ticket);
    return ticket.array();
  }

  @Override
  public int length(byte[] ticket) {
    return ByteBuffer.wrap(ticket).getInt(Integer.BYTES + Long.BYTES);
  }

  @Override
  public void take(byte[] ticket, byte[] into, int at) throws IOException {
    ByteBuffer says = ByteBuffer.wrap(ticket);
    int file = says.getInt();
    long from = says.getLong();
    files().take(file, from, ByteBuffer.wrap(into, at, says.getInt()));
  }

  /** Deletes all blocks that nobody took. */
  @Override
  public void close() throws IOException {
    Files files = OPEN.remove(name);
    if (files != null) {
      files.close();
    }
  }

  /** How many files hold blocks at the moment. */
  int openFiles() {
    return files().openFiles();
  }

  private Files files() {
    Files files = OPEN.get(name);
    checkState(files != null, "The block store %s is not open in this process", name);
    return files;
  }

  /**
   * The files of a store. Places are given out one at a time; bytes move in parallel, and to
   * several files, since a system lets one thread at a time write to a file.
   */
  private static final class Files implements Closeable {

    /** How many files are written to at a time. */
    private static final int LANES = 8;

    private final TemporaryFiles place;
    private final long fileLength;
    private final Map<Integer, BlockFile> files = new HashMap<>();
    private final int[] current = new int[LANES];
    private int created;

    Files(TemporaryFiles place, long fileLength) {
      this.place = place;
      this.fileLength = fileLength;
      Arrays.fill(current, -1);
    }

    void keep(ByteBuffer block, ByteBuffer ticket) throws IOException {
      BlockFile file;
      long at;
      int lane = (int) (Thread.currentThread().getId() % LANES);
      synchronized (this) {
        int number = current[lane];
        file = files.get(number);
        if (file == null || file.length >= fileLength) {
          BlockFile full = file;
          file = new BlockFile(place.create(".blocks"));
          if (full != null) {
            full.open = false;
            deleteIfRead(number, full);
          }
          number = created++;
          files.put(number, file);
          current[lane] = number;
        }
        at = file.length;
        file.length += block.remaining();
        file.unread++;
        ticket.putInt(number).putLong(at).putInt(block.remaining());
      }
      try {
        while (block.hasRemaining()) {
          at += file.channel.write(block, at);
        }
      } catch (IOException e) {
        throw place.unusable("write", e);
      }
    }

    void take(int number, long from, ByteBuffer block) throws IOException {
      BlockFile file;
      synchronized (this) {
        file = files.get(number);
        checkState(file != null, "The blocks of file %s were taken before", number);
      }
      try {
        for (long at = from; block.hasRemaining(); ) {
          int read = file.channel.read(block, at);
          checkState(read > 0, "[BUG] File %s ends before byte %s", number, at);
          at += read;
        }
      } catch (IOException e) {
        throw place.unusable("read", e);
      }
      synchronized (this) {
        file.unread--;
        deleteIfRead(number, file);
      }
    }

    synchronized int openFiles() {
      return files.size();
    }

    @Override
    public synchronized void close() throws IOException {
      try (Closer closer = Closer.create()) {
        files.values().forEach(file -> closer.register(file.channel));
        files.clear();
      }
    }

    private void deleteIfRead(int number, BlockFile file) throws IOException {
      if (!file.open && file.unread == 0) {
        files.remove(number);
        file.channel.close();
      }
    }
  }

  /** A file of blocks. */
  private static final class BlockFile {

    private final FileChannel channel;
    private long length;
    private int unread;
    private boolean open = true;

    BlockFile(FileChannel channel) {
      this.channel = channel;
    }
  }
}
