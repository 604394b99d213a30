package dev.constat.pipelines.output;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * A folder in the machine's temporary directory ({@code java.io.tmpdir}) for what is needed no
 * longer than a command runs, for the eyes of its owner only. It belongs to the process that opened
 * it, by a lock that ends with the process; closing removes it with all that is in it, and what a
 * process that was killed left behind, the next one to open such a folder removes.
 */
public final class ScratchFolder implements AutoCloseable {

  private static final String PREFIX = "constat-scratch-";
  private static final String LOCK_SUFFIX = ".lock";
  private static final int ATTEMPTS = 20;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Path path;
  private final LockFile lock;
  private final ImmutableList<Staging.Leftover> leftovers;

  private ScratchFolder(Path path, LockFile lock, ImmutableList<Staging.Leftover> leftovers) {
    this.path = path;
    this.lock = lock;
    this.leftovers = leftovers;
  }

  /** Opens a new one, and removes those of dead processes. */
  public static ScratchFolder open() throws IOException {
    return in(TemporaryFiles.machines());
  }

  static ScratchFolder in(Path directory) throws IOException {
    try {
      ImmutableList<Staging.Leftover> leftovers = sweep(directory);
      while (true) {
        Path path = directory.resolve(PREFIX + UUID.randomUUID());
        Optional<LockFile> lock = LockFile.tryHold(lockOf(path));
        if (lock.isEmpty()) {
          continue;
        }
        // Another process that swept meanwhile may have taken the lock for one of the dead, for as
        // long as nobody held it, and have removed it; then it keeps nobody out.
        if (Files.exists(lock.get().file())) {
          Files.createDirectory(path, forItsOwner(directory));
          return new ScratchFolder(path, lock.get(), leftovers);
        }
        lock.get().close();
      }
    } catch (IOException e) {
      throw TemporaryFiles.in(directory.toString()).unusable("create a folder", e);
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** What dead processes had left when this was opened. */
  public ImmutableList<Staging.Leftover> leftovers() {
    return leftovers;
  }

  /** Removes the folder; what is still written to while it goes, the next one to open removes. */
  @Override
  public void close() throws IOException {
    try (lock) {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        try {
          Folders.remove(path, LocalFiles.INSTANCE);
          Files.deleteIfExists(lock.file());
          return;
        } catch (IOException e) {
          // Whoever wrote here may be tidying up by itself at this moment, and be done soon.
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
  }

  private static ImmutableList<Staging.Leftover> sweep(Path directory) throws IOException {
    ImmutableList.Builder<Staging.Leftover> found = ImmutableList.builder();
    for (Path entry : Folders.list(directory)) {
      String name = entry.getFileName().toString();
      if (name.startsWith(PREFIX)) {
        try {
          sweep(entry, name.endsWith(LOCK_SUFFIX), found);
        } catch (IOException e) {
          // Of another user, say. A lock alone takes no room; a folder is named.
          if (Folders.isFolder(entry)) {
            found.add(new Staging.Leftover(entry, false));
          }
        }
      }
    }
    return found.build();
  }

  private static void sweep(
      Path entry, boolean isLock, ImmutableList.Builder<Staging.Leftover> found)
      throws IOException {
    Optional<LockFile> lock = LockFile.tryHold(isLock ? entry : lockOf(entry));
    if (lock.isEmpty()) {
      return; // its process lives
    }
    try (LockFile held = lock.get()) {
      if (!isLock && Files.exists(entry)) {
        Folders.remove(entry, LocalFiles.INSTANCE);
        found.add(new Staging.Leftover(entry, true));
      }
      if (!isLock || Files.notExists(folderOf(entry))) {
        Files.deleteIfExists(held.file());
      }
    }
  }

  private static Path lockOf(Path folder) {
    return folder.resolveSibling(folder.getFileName() + LOCK_SUFFIX);
  }

  private static Path folderOf(Path lock) {
    String name = lock.getFileName().toString();
    return lock.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length()));
  }

  private static FileAttribute<?>[] forItsOwner(Path directory) throws IOException {
    return Files.getFileStore(directory).supportsFileAttributeView("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }
}
