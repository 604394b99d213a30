package dev.constat.pipelines.run;

import dev.constat.pipelines.output.Staging;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;

/**
 * Settings of the Flink inside this process. By itself it opens two ports on every network of the
 * machine, one for requests and one for the exchange of files, and leaves folders in the temporary
 * directory: an empty one at each end, and all of them, records and its own jars, when it is
 * killed. Here nobody but this machine reaches it, and what it leaves goes with the scratch folder,
 * at the latest when the next run finds that. What the user sets ({@code FLINK_CONF_DIR}, {@code
 * --flinkConfDir}) wins.
 */
final class EmbeddedFlink {

  private static final String FOLDER = ".flink";
  private static final String THIS_MACHINE = "127.0.0.1";

  private EmbeddedFlink() {}

  /**
   * Settles it, where the pipeline runs on it; other runners are left alone.
   *
   * @param staging takes the settings, for Flink to read when it starts
   * @param scratch takes its temporary files
   * @throws org.apache.flink.configuration.IllegalConfigurationException if the user names a folder
   *     without settings
   */
  static void confine(PipelineOptions options, Staging staging, Path scratch) throws IOException {
    if (options.getRunner() != FlinkRunner.class || !RunnerChoice.inThisProcess(options)) {
      return;
    }
    FlinkPipelineOptions flink = options.as(FlinkPipelineOptions.class);
    String theirs = flink.getFlinkConfDir();
    Configuration settings =
        theirs == null
            ? GlobalConfiguration.loadConfiguration()
            : GlobalConfiguration.loadConfiguration(theirs);
    Path folder = staging.folder().toAbsolutePath().resolve(FOLDER);
    setUnlessSet(settings, RestOptions.BIND_ADDRESS, THIS_MACHINE);
    setUnlessSet(settings, JobManagerOptions.BIND_HOST, THIS_MACHINE);
    // Tasks would look for what was put aside at the machine's outward address.
    setUnlessSet(settings, BlobServerOptions.OFFLOAD_MINSIZE, Integer.MAX_VALUE);
    // Exchanges stay on one machine, and what would pack them unpacks a library of its own.
    setUnlessSet(settings, NettyShuffleEnvironmentOptions.BATCH_SHUFFLE_COMPRESSION_ENABLED, false);
    // Settings of the old form end at a #, whatever is done to it.
    String temporary = scratch.toAbsolutePath().toString();
    if (GlobalConfiguration.isStandardYaml() || temporary.indexOf('#') < 0) {
      setUnlessSet(settings, CoreOptions.TMP_DIRS, temporary);
      setUnlessSet(settings, WebOptions.TMP_DIR, temporary);
      setUnlessSet(settings, WebOptions.UPLOAD_DIR, temporary);
    }
    String lines =
        String.join("\n", ConfigurationUtils.convertConfigToWritableLines(settings, false)) + "\n";
    // Not listed among the files of the run, so that the commit drops it.
    staging.write(
        FOLDER + "/" + GlobalConfiguration.getFlinkConfFilename(),
        out -> out.write(lines.getBytes(StandardCharsets.UTF_8)));
    flink.setFlinkConfDir(folder.toString());
  }

  private static <T> void setUnlessSet(Configuration settings, ConfigOption<T> option, T value) {
    if (!settings.contains(option)) {
      settings.set(option, value);
    }
  }
}
