package dev.constat.pipelines.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

final class MicroBenchmarksTest {

  static {
    // Nothing is timed here, so it does not matter who else is at work.
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void eachRunsOnceWithEachOfItsParameters(@TempDir Path folder) throws RunnerException {
    var results =
        new Runner(
                new OptionsBuilder()
                    .include(MicroBenchmarksTest.class.getPackageName() + "\\.")
                    .mode(Mode.SingleShotTime)
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .shouldFailOnError(true)
                    .output(folder.resolve("output.txt").toString())
                    .build())
            .run();

    Set<String> run = new TreeSet<>();
    results.forEach(result -> run.add(result.getParams().getBenchmark()));
    assertThat(run).isEqualTo(declared());
    assertThat(results).hasSize(52);
  }

  private static Set<String> declared() {
    Set<String> names = new TreeSet<>();
    for (JavaClass type :
        new ClassFileImporter().importPackages(MicroBenchmarksTest.class.getPackageName())) {
      for (JavaMethod method : type.getMethods()) {
        if (method.isAnnotatedWith(Benchmark.class)) {
          names.add(type.getName() + "." + method.getName());
        }
      }
    }
    return names;
  }

  @Test
  void groupingFindsTheEventsThatItsPeersFind() throws Exception {
    for (GroupingBenchmark.Ids ids : GroupingBenchmark.Ids.values()) {
      GroupingBenchmark grouping = new GroupingBenchmark();
      grouping.ids = ids;
      grouping.prepare();
      try {
        int events = grouping.peerHashMap();

        assertThat(events).isEqualTo(80_000);
        assertThat(List.of(grouping.sortInMemory(), grouping.sortInFiles()))
            .containsExactly(events, events);
        assertThat(grouping.peerArraysSort()).isEqualTo(events);
      } finally {
        grouping.close();
      }
    }
  }

  @Test
  void rawBytesAreHashedAsThePeerHashesThem() throws Exception {
    for (Content content : Content.values()) {
      ContentHashBenchmark hashes = new ContentHashBenchmark();
      hashes.content = content;
      hashes.prepare();

      assertThat(hashes.rawBytes()).isEqualTo(hashes.peerRawBytes());
    }
  }

  @Test
  void timesAreReadAsThePeerReadsThem() throws Exception {
    for (String text :
        List.of(
            "2026-01-05T10:00:00Z", "2026-01-05T10:00:00.123456Z", "2026-01-05T11:30:00+01:30")) {
      TimeTextBenchmark times = new TimeTextBenchmark();
      times.text = text;
      times.prepare();

      assertThat(times.read()).isEqualTo(times.peerRead());
      assertThat(times.readKeyAndWriteText()).isEqualTo(times.peerWriteText());
    }
  }

  @Test
  void keysAreReadAsThePeerReadsThem() throws Exception {
    KeyBenchmark keys = new KeyBenchmark();
    keys.prepare();

    assertThat(keys.read()).isEqualTo(keys.peerRead());
  }
}
