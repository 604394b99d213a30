package dev.constat.pipelines.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.constat.pipelines.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class HotArchiveTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void everythingOfOneKeyIsCounted(HotArchive.Shape shape) throws Exception {
    HotArchive archive = new HotArchive(shape, 20_000);
    archive.write(folder);
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int exitCode =
        Main.run(
            new String[] {
              "reconcile",
              folder.resolve("constat.yaml").toString(),
              "--out",
              folder.resolve("out").toString(),
              "--run-id",
              "hot",
              "--runner",
              "embedded"
            },
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
            new PrintStream(err, true, UTF_8));

    assertThat(exitCode).as(err.toString(UTF_8)).isEqualTo(1);
    assertThat(counts(folder.resolve("out/hot/summary.json"))).isEqualTo(archive.expected());
  }

  @Test
  void tooFewReceptionsAreRefused() {
    assertThatThrownBy(() -> new HotArchive(HotArchive.Shape.EVENT, 1_999))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid number of receptions: 1999, must be from 2000 to 50000000");
  }

  /** What a summary counts of the kinds that {@link HotArchive#expected} speaks of. */
  private static SortedMap<String, Long> counts(Path summary) throws Exception {
    JsonNode json = new ObjectMapper().readTree(summary.toFile());
    SortedMap<String, Long> counts = new TreeMap<>();
    for (String group : new String[] {"decisions", "timeliness"}) {
      json.get(group)
          .fields()
          .forEachRemaining(
              count -> counts.put(group + " " + count.getKey(), count.getValue().asLong()));
    }
    counts.values().removeIf(count -> count == 0);
    json.get("findings")
        .fields()
        .forEachRemaining(
            kind -> {
              counts.put("findings " + kind.getKey(), kind.getValue().get("findings").asLong());
              counts.put(
                  "occurrences " + kind.getKey(), kind.getValue().get("occurrences").asLong());
            });
    return counts;
  }
}
