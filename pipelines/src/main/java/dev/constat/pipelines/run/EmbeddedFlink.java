package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.runners.flink.FlinkPipelineOptions;

/**
 * Has the Flink of this process keep its temporary files in one folder, which goes when the process
 * does, or when the next one finds it. By itself it leaves some in the temporary directory at each
 * end, and all of them, records and its own jars, when it is killed.
 */
final class EmbeddedFlink {

  private static final String SETTINGS = "flink-conf.yaml";

  /** Exchanges stay on one machine, and what would pack them unpacks a library of its own. */
  private static final String COMPRESSION = "taskmanager.network.batch-shuffle.compression.enabled";

  private static final ImmutableList<String> PLACES =
      ImmutableList.of("io.tmp.dirs", "web.tmpdir", "web.upload.dir");

  private EmbeddedFlink() {}

  /**
   * Adds to the settings that Flink would have otherwise.
   *
   * @param folder an empty folder
   * @param options name the folder of the settings then; as they were, where the user's settings
   *     name places themselves, or are in the newer format
   */
  static void keepIn(Path folder, FlinkPipelineOptions options) throws IOException {
    String named =
        options.getFlinkConfDir() != null
            ? options.getFlinkConfDir()
            : System.getenv("FLINK_CONF_DIR");
    String settings = "";
    if (named != null) {
      Path file = Path.of(named, SETTINGS);
      if (!Files.isRegularFile(file)) {
        return;
      }
      settings = Files.readString(file);
    }
    String place = folder.toAbsolutePath().toString();
    boolean canBeSaid = place.chars().noneMatch(c -> c == '#' || c == '\n' || c == '\r');
    if (!canBeSaid || settings.lines().anyMatch(line -> line.startsWith("io.tmp.dirs"))) {
      return;
    }
    StringBuilder all = new StringBuilder(settings).append('\n');
    for (String key : PLACES) {
      all.append(key).append(": ").append(place).append('\n');
    }
    if (settings.lines().noneMatch(line -> line.startsWith(COMPRESSION))) {
      all.append(COMPRESSION).append(": false\n");
    }
    Files.writeString(folder.resolve(SETTINGS), all);
    options.setFlinkConfDir(place);
  }
}
