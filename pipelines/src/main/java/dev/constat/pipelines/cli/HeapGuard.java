package dev.constat.pipelines.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Ends the process when its heap is too small for the work, with a message that says what to do. An
 * {@link OutOfMemoryError} may come to any thread, of which a runner has many, and some only take
 * note of it and leave the others waiting; and a heap that is just too small brings none at all,
 * but collections one after the other, for hours.
 *
 * <p>Nothing is tidied up on the way: that takes memory too. What the run leaves, the next one
 * removes.
 */
final class HeapGuard {

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** So many intervals in a row, with so much of their time spent on collections, are too many. */
  private static final int PATIENCE = 10;

  private static final double HOPELESS = 0.9;

  private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);

  /** What is said in the end; made while there is memory to make it of. */
  private final byte[] message =
      ("constat: out of memory with a heap of "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MiB; nothing was published. Give the JVM more: CONSTAT_JAVA_OPTS=-Xmx4g for"
              + " bin/constat, or java -Xmx4g\n")
          .getBytes(StandardCharsets.UTF_8);

  private HeapGuard() {}

  /** Guards this process from here on. */
  static HeapGuard watching() {
    HeapGuard guard = new HeapGuard();
    Thread.UncaughtExceptionHandler former = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          guard.endIfOutOfMemory(failure);
          if (former != null) {
            former.uncaughtException(thread, failure);
          } else {
            failure.printStackTrace();
          }
        });
    Thread thread = new Thread(guard::watch, "heap-guard");
    thread.setDaemon(true);
    thread.start();
    return guard;
  }

  /** Ends the process if that is what {@code failure}, or a cause of it, says. */
  void endIfOutOfMemory(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError
          || cause instanceof InaccessibleObjectException && isAboutMemory(cause)) {
        end();
      }
    }
  }

  /** Flink wants to add to the message of such an error, and fails at that. */
  private static boolean isAboutMemory(Throwable cause) {
    for (StackTraceElement caller : cause.getStackTrace()) {
      if (caller.getMethodName().contains("OutOfMemory")) {
        return true;
      }
    }
    return false;
  }

  private void watch() {
    long collected = collectionMillis();
    long before = System.nanoTime();
    int hopeless = 0;
    while (true) {
      try {
        Thread.sleep(INTERVAL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // nobody does, but if so
        return;
      }
      long collectedNow = collectionMillis();
      long now = System.nanoTime();
      double share = (collectedNow - collected) / ((now - before) / 1e6);
      collected = collectedNow;
      before = now;
      hopeless = share >= HOPELESS ? hopeless + 1 : 0;
      if (hopeless == PATIENCE) {
        end();
      }
    }
  }

  private static long collectionMillis() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      millis += Math.max(0, collector.getCollectionTime());
    }
    return millis;
  }

  private void end() {
    try {
      err.write(message);
    } catch (IOException e) {
      // Nobody is there to hear it; the exit code says it too.
    } finally {
      Runtime.getRuntime().halt(ExitCode.INCONCLUSIVE);
    }
  }
}
