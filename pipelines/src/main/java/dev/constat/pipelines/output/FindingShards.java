package dev.constat.pipelines.output;

import com.google.common.base.Preconditions;
import com.google.common.collect.Lists;
import dev.constat.pipelines.output.OutputException.Problem;
import dev.constat.rules.findings.Finding;
import dev.constat.rules.findings.FindingCodec;
import dev.constat.rules.findings.StatedGraver;
import dev.constat.transforms.outputs.FindingSink;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * Findings on their way from the stages to the report: one sorted file per stage and bucket in the
 * folder {@code .shards} of the staging folder, which is no part of the run, merged by the client
 * with bounded memory.
 */
public final class FindingShards implements FindingSink {

  private static final long serialVersionUID = 1;
  private static final String FOLDER = ".shards/";
  private static final int OPEN_FILES = 256;
  private static final int READ_BUFFER = 32 << 10;

  private final String staging;
  private final FileOperations files;

  /** Shards below {@link Staging#folder}. */
  public FindingShards(String staging) {
    this(staging, LocalFiles.INSTANCE);
  }

  FindingShards(String staging, FileOperations files) {
    this.staging = staging;
    this.files = files;
  }

  @Override
  public Shard open(String stage, int bucket) {
    return new Run(String.format(Locale.ROOT, "%s%s-%05d", FOLDER, stage, bucket));
  }

  /** Takes findings in order. */
  @FunctionalInterface
  public interface Reader {

    /** Takes the next finding. */
    void accept(Finding finding) throws IOException;
  }

  /**
   * Hands every finding of {@code shards} to {@code reader}, once, in order, parts of one finding
   * merged whichever shards they stand in; what was stated graver under the same fingerprint is not
   * handed over again. Needs heap for some hundred findings and read buffers, however many shards
   * there are; can be repeated.
   */
  public void merge(Collection<Receipt> shards, Reader reader) throws IOException {
    merge(shards, OPEN_FILES, reader);
  }

  void merge(Collection<Receipt> shards, int openFiles, Reader reader) throws IOException {
    List<Receipt> left = new ArrayList<>(shards);
    left.sort(Comparator.comparing(Receipt::file));
    int passes = 0;
    while (left.size() > openFiles) {
      List<Receipt> merged = new ArrayList<>();
      for (List<Receipt> together : Lists.partition(left, openFiles)) {
        try (Shard run = open("merge-" + passes, merged.size())) {
          mergeOnce(together, run::add);
          run.finish().ifPresent(merged::add);
        }
      }
      if (passes > 0) {
        drop(left);
      }
      left = merged;
      passes++;
    }
    StatedGraver graver = new StatedGraver();
    mergeOnce(
        left,
        finding -> {
          if (!graver.covers(finding)) {
            reader.accept(finding);
          }
        });
    if (passes > 0) {
      drop(left);
    }
  }

  private void drop(List<Receipt> runs) throws IOException {
    for (Receipt run : runs) {
      files.delete(Path.of(staging, run.file()));
    }
  }

  private void mergeOnce(List<Receipt> shards, Reader reader) throws IOException {
    PriorityQueue<Cursor> queue =
        new PriorityQueue<>(Comparator.comparing(Cursor::current, Arrays::compareUnsigned));
    List<Cursor> open = new ArrayList<>();
    try {
      for (Receipt shard : shards) {
        Cursor cursor = new Cursor(Path.of(staging, shard.file()), shard);
        open.add(cursor);
        if (cursor.advance()) {
          queue.add(cursor);
        }
      }
      Finding pending = null;
      while (!queue.isEmpty()) {
        Cursor cursor = queue.poll();
        Finding next = FindingCodec.decode(cursor.current());
        if (cursor.advance()) {
          queue.add(cursor);
        }
        if (pending != null && pending.isAbout(next)) {
          pending = pending.merge(next);
        } else {
          if (pending != null) {
            reader.accept(pending);
          }
          pending = next;
        }
      }
      if (pending != null) {
        reader.accept(pending);
      }
    } finally {
      for (Cursor cursor : open) {
        cursor.close();
      }
    }
  }

  /** A shard while it is written: length and bytes of one finding after the other. */
  private final class Run implements Shard {

    private final String name;
    private StagedFile file;
    private byte[] last;
    private long count;

    Run(String name) {
      this.name = name;
    }

    @Override
    public void add(Finding finding) throws IOException {
      byte[] key = FindingCodec.sortKey(finding);
      Preconditions.checkArgument(
          last == null || Arrays.compareUnsigned(last, key) < 0,
          "[BUG] Findings of %s out of order or not merged: %s",
          name,
          finding);
      last = key;
      if (file == null) {
        file = StagedFile.create(Path.of(staging), name, files);
      }
      byte[] bytes = FindingCodec.encode(finding);
      file.write(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      file.write(bytes);
      count++;
    }

    @Override
    public Optional<Receipt> finish() throws IOException {
      if (file == null) {
        return Optional.empty();
      }
      RunFile written = file.publish(OptionalLong.of(count));
      return Optional.of(new Receipt(name, count, written.bytes()));
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }

  /** A shard while it is read. */
  private static final class Cursor implements AutoCloseable {

    private final Path path;
    private final DataInputStream in;
    private long left;
    private byte[] current;

    Cursor(Path path, Receipt receipt) throws IOException {
      this.path = path;
      this.left = receipt.findings();
      try {
        if (Files.size(path) != receipt.bytes()) {
          throw damaged();
        }
        in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), READ_BUFFER));
      } catch (IOException e) {
        throw OutputException.of(path, e);
      }
    }

    byte[] current() {
      return current;
    }

    boolean advance() throws IOException {
      if (left == 0) {
        return false;
      }
      left--;
      try {
        current = new byte[in.readInt()];
        in.readFully(current);
        return true;
      } catch (EOFException e) {
        throw damaged();
      }
    }

    private OutputException damaged() {
      return OutputException.of(
          Problem.DAMAGED,
          path,
          "A file of findings is not what its receipt says",
          "See that nothing else writes into the output folder, then run again");
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
