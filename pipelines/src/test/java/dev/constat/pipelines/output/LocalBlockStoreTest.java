package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.transforms.buckets.BlockStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.beam.sdk.util.SerializableUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBlockStoreTest {

  @TempDir Path directory;

  /** A block that was kept, with what stands for it. */
  private record Kept(byte[] ticket, byte[] block) {}

  @Test
  void givesBackWhatItKept() throws Exception {
    try (LocalBlockStore store = LocalBlockStore.in(directory, "round-trip", 10_000)) {
      List<Kept> kept = new ArrayList<>();
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        List<Callable<List<Kept>>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
          int seed = writer;
          writers.add(() -> keep(SerializableUtils.clone(store), seed));
        }
        for (Future<List<Kept>> written : threads.invokeAll(writers)) {
          kept.addAll(written.get());
        }
      } finally {
        threads.shutdown();
      }
      Collections.shuffle(kept, new Random(1));
      for (Kept one : kept) {
        assertThat(taken(SerializableUtils.clone(store), one.ticket())).isEqualTo(one.block());
      }
    }
  }

  private static List<Kept> keep(BlockStore store, int seed) throws IOException {
    Random chance = new Random(seed);
    List<Kept> kept = new ArrayList<>();
    byte[] buffer = new byte[3_000];
    for (int i = 0; i < 200; i++) {
      byte[] block = new byte[chance.nextInt(buffer.length)];
      chance.nextBytes(block);
      System.arraycopy(block, 0, buffer, 0, block.length);
      kept.add(new Kept(store.keep(buffer, block.length), block));
    }
    return kept;
  }

  private static byte[] taken(BlockStore store, byte[] ticket) throws IOException {
    byte[] block = new byte[store.length(ticket) + 2];
    store.take(ticket, block, 1);
    assertThat(block[0]).isZero();
    assertThat(block[block.length - 1]).isZero();
    return Arrays.copyOfRange(block, 1, block.length - 1);
  }

  @Test
  void deletesAFileOnceItsBlocksAreTaken() throws IOException {
    try (LocalBlockStore store = LocalBlockStore.in(directory, "deletes", 100)) {
      List<byte[]> tickets = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        tickets.add(store.keep(new byte[50], 50));
      }
      assertThat(store.openFiles()).isEqualTo(5);

      taken(store, tickets.get(2));
      assertThat(store.openFiles()).isEqualTo(5);
      taken(store, tickets.get(3));
      assertThat(store.openFiles()).isEqualTo(4);
      assertThatThrownBy(() -> taken(store, tickets.get(2)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("The blocks of file 1 were taken before");

      // The file that is written to stays, and goes when the next one is begun.
      taken(store, tickets.get(8));
      taken(store, tickets.get(9));
      assertThat(store.openFiles()).isEqualTo(4);
      taken(store, store.keep(new byte[50], 50));
      assertThat(store.openFiles()).isEqualTo(4);
    }
  }

  @Test
  void leavesNothingBehind() throws IOException {
    LocalBlockStore store = LocalBlockStore.in(directory, "leaves-nothing", 100);
    byte[] ticket = store.keep(new byte[50], 50);
    store.close();

    try (var left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    assertThatThrownBy(() -> taken(store, ticket))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The block store leaves-nothing is not open in this process");
    store.close(); // once more does no harm
  }

  @Test
  void refusesANameThatIsTaken() throws IOException {
    try (LocalBlockStore store = LocalBlockStore.in(directory, "twice", 100)) {
      assertThat(store.openFiles()).isZero();
      assertThatThrownBy(() -> LocalBlockStore.in(directory, "twice", 100))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("A store named twice is open already");
    }
  }

  @Test
  void saysWhereThereIsNoRoom() throws IOException {
    Path missing = directory.resolve("missing");
    try (LocalBlockStore store = LocalBlockStore.in(missing, "no-room", 100)) {
      assertThatThrownBy(() -> store.keep(new byte[50], 50))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("Cannot create a file in temporary directory " + missing)
          .hasMessageContaining("there is no such directory");
    }
  }
}
