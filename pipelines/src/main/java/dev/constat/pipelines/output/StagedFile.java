package dev.constat.pipelines.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file below a staging folder while it is written: under a temporary name of its own, with its
 * size and digest taken on the way. {@link #publish} gives it its name in one step and replaces
 * what an earlier attempt left there; closing one that is not published drops it.
 */
final class StagedFile extends OutputStream {

  private static final int BUFFER = 64 << 10;
  private static final AtomicLong ATTEMPTS = new AtomicLong();

  private final FileOperations files;
  private final Path target;
  private final String name;
  private final Path temporary;
  private final OutputStream out;
  private final MessageDigest digest = sha256();
  private final byte[] buffer = new byte[BUFFER];
  private int buffered;
  private long written;
  private boolean open = true;

  private StagedFile(
      FileOperations files, Path target, String name, Path temporary, OutputStream out) {
    this.files = files;
    this.target = target;
    this.name = name;
    this.temporary = temporary;
    this.out = out;
  }

  /** Opens the file {@code name} below the folder {@code staging}, which must exist. */
  static StagedFile create(Path staging, String name, FileOperations files) throws IOException {
    RunFile.checkName(name);
    Path target = staging.resolve(name);
    try {
      if (!Files.isDirectory(staging)) {
        throw new NoSuchFileException(staging.toString());
      }
      files.createFolders(target.getParent());
    } catch (IOException e) {
      throw OutputException.of(staging, e);
    }
    while (true) {
      // Other attempts, processes and machines may be at the same file: what makes the name unique
      // is that creating it fails where it exists. It does not end like the file, so no pattern of
      // a reader matches it.
      Path temporary =
          target.resolveSibling("." + target.getFileName() + ".tmp-" + ATTEMPTS.incrementAndGet());
      try {
        return new StagedFile(files, target, name, temporary, files.create(temporary));
      } catch (FileAlreadyExistsException taken) {
        continue;
      } catch (IOException e) {
        throw OutputException.of(target, e);
      }
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java platform has it
    }
  }

  @Override
  public void write(int b) throws IOException {
    if (buffered == BUFFER) {
      drain();
    }
    buffer[buffered++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length > BUFFER - buffered) {
      drain();
      if (length >= BUFFER) {
        pass(bytes, offset, length);
        return;
      }
    }
    System.arraycopy(bytes, offset, buffer, buffered, length);
    buffered += length;
  }

  private void drain() throws IOException {
    pass(buffer, 0, buffered);
    buffered = 0;
  }

  private void pass(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw OutputException.of(target, e);
    }
    digest.update(bytes, offset, length);
    written += length;
  }

  /** Completes the file and says what it is; {@code rows} where it is part of a table. */
  RunFile publish(OptionalLong rows) throws IOException {
    drain();
    try {
      out.close();
      files.move(temporary, target);
    } catch (IOException e) {
      throw OutputException.of(target, e);
    }
    open = false;
    return new RunFile(name, rows, written, HexFormat.of().formatHex(digest.digest()));
  }

  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    try (out) {
      files.delete(temporary);
    }
  }
}
