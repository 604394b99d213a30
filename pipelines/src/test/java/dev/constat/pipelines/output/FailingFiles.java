package dev.constat.pipelines.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Local files until a given step: there the process dies, or the disk is full once. */
final class FailingFiles implements FileOperations {

  private static final long serialVersionUID = 1;

  /** Stands for the death of the process: no code handles it, and nothing is written after it. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1;
  }

  private final boolean deadly;
  private int left;
  private boolean dead;

  private FailingFiles(boolean deadly, int steps) {
    this.deadly = deadly;
    this.left = steps;
  }

  static FailingFiles never() {
    return new FailingFiles(false, Integer.MAX_VALUE);
  }

  static FailingFiles dyingAfter(int steps) {
    return new FailingFiles(true, steps);
  }

  static FailingFiles fullAfter(int steps) {
    return new FailingFiles(false, steps);
  }

  /** Whether the step was reached. */
  boolean failed() {
    return left < 0;
  }

  private boolean isLast() {
    if (dead) {
      throw new Death();
    }
    return left-- == 0;
  }

  private void step() throws IOException {
    if (isLast()) {
      fail();
    }
  }

  private void fail() throws IOException {
    if (deadly) {
      dead = true;
      throw new Death();
    }
    throw new IOException("No space left on device");
  }

  @Override
  public OutputStream create(Path file) throws IOException {
    step();
    OutputStream out = LocalFiles.INSTANCE.create(file);
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        step();
        out.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (isLast()) {
          out.write(bytes, offset, length / 2);
          fail();
        }
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public void createFolders(Path folder) throws IOException {
    step();
    LocalFiles.INSTANCE.createFolders(folder);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    step();
    LocalFiles.INSTANCE.move(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    step();
    LocalFiles.INSTANCE.delete(path);
  }

  @Override
  public void force(Path path) throws IOException {
    step(); // no test pulls the plug, and waiting for the disk would make them slow
  }
}
