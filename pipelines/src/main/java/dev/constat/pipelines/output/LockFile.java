package dev.constat.pipelines.output;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A lock that a process holds on a file and that ends with the process, however that ends. Also
 * excludes other holders in the same process.
 */
final class LockFile implements AutoCloseable {

  /**
   * Files this process holds. POSIX gives up all locks of a process on a file when the process
   * closes any channel to it, so a held file must not even be opened a second time.
   */
  private static final Set<Path> HELD = new HashSet<>();

  private final Path key;
  private final FileChannel channel;

  private LockFile(Path key, FileChannel channel) {
    this.key = key;
    this.channel = channel;
  }

  /** Holds the lock if nobody does; creates the file where it does not exist. */
  static Optional<LockFile> tryHold(Path file) throws IOException {
    Path key = key(file);
    synchronized (HELD) {
      if (!HELD.add(key)) {
        return Optional.empty();
      }
    }
    return Optional.ofNullable(lock(key, false));
  }

  /** Waits until nobody holds the lock, then holds it. */
  static LockFile hold(Path file) throws IOException {
    Path key = key(file);
    synchronized (HELD) {
      while (!HELD.add(key)) {
        try {
          HELD.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("Interrupted while waiting for " + file);
        }
      }
    }
    return lock(key, true);
  }

  private static LockFile lock(Path key, boolean wait) throws IOException {
    FileChannel channel = null;
    FileLock lock = null;
    try {
      channel = FileChannel.open(key, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = wait ? channel.lock() : channel.tryLock();
      return lock == null ? null : new LockFile(key, channel);
    } finally {
      if (lock == null) {
        if (channel != null) {
          channel.close();
        }
        release(key);
      }
    }
  }

  private static Path key(Path file) throws IOException {
    return file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
  }

  private static void release(Path key) {
    synchronized (HELD) {
      HELD.remove(key);
      HELD.notifyAll();
    }
  }

  /** The file. */
  Path file() {
    return key;
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      release(key);
    }
  }
}
