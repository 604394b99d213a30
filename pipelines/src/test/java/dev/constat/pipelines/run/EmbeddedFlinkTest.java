package dev.constat.pipelines.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.pipelines.output.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedFlinkTest {

  @TempDir private Path temporary;

  @Test
  void nobodyButThisMachineReachesIt() throws IOException {
    try (Staging staging = Staging.open(temporary.resolve("out"), "token")) {
      Configuration settings = settings(staging);

      assertThat(settings.get(RestOptions.BIND_ADDRESS)).isEqualTo("127.0.0.1");
      assertThat(settings.get(JobManagerOptions.BIND_HOST)).isEqualTo("127.0.0.1");
      assertThat(settings.get(BlobServerOptions.OFFLOAD_MINSIZE)).isEqualTo(Integer.MAX_VALUE);
    }
  }

  @Test
  void whatItLeavesGoesWithTheStagingFolder() throws IOException {
    Path out = temporary.resolve("a folder: with [signs] and \"quotes\"");
    try (Staging staging = Staging.open(out, "token")) {
      assertThat(Path.of(settings(staging).get(WebOptions.UPLOAD_DIR)))
          .isAbsolute()
          .startsWith(staging.folder().toAbsolutePath());
    }
    try (var left = Files.list(out)) {
      assertThat(left).allMatch(path -> path.getFileName().toString().equals(".constat-lock"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"flink-conf.yaml", "config.yaml"})
  void whatTheUserSetsStays(String file) throws IOException {
    Path theirs = Files.createDirectories(temporary.resolve("conf"));
    Files.writeString(
        theirs.resolve(file), "rest.bind-address: 192.0.2.1\nblob.fetch.retries: 7\n");
    try (Staging staging = Staging.open(temporary.resolve("out"), "token")) {
      Configuration settings = settings(staging, "--flinkConfDir=" + theirs);

      assertThat(settings.get(RestOptions.BIND_ADDRESS)).isEqualTo("192.0.2.1");
      assertThat(settings.get(BlobServerOptions.FETCH_RETRIES)).isEqualTo(7);
      assertThat(settings.get(JobManagerOptions.BIND_HOST)).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void othersAreLeftAlone() throws IOException {
    try (Staging staging = Staging.open(temporary.resolve("out"), "token")) {
      PipelineOptions direct = RunnerChoice.DIRECT.options(new String[0], 1, 1, "constat-test");
      EmbeddedFlink.confine(direct, staging, staging.folder());
      PipelineOptions cluster =
          RunnerChoice.EMBEDDED.options(
              new String[] {"--flinkMaster=127.0.0.1:8081"}, 1, 1, "constat-test");
      EmbeddedFlink.confine(cluster, staging, staging.folder());

      assertThat(direct.as(FlinkPipelineOptions.class).getFlinkConfDir()).isNull();
      assertThat(cluster.as(FlinkPipelineOptions.class).getFlinkConfDir()).isNull();
      assertThat(staging.folder().resolve(".flink")).doesNotExist();
    }
  }

  private static Configuration settings(Staging staging, String... arguments) throws IOException {
    PipelineOptions options = RunnerChoice.EMBEDDED.options(arguments, 1, 1, "constat-test");
    EmbeddedFlink.confine(options, staging, staging.folder());
    return GlobalConfiguration.loadConfiguration(
        options.as(FlinkPipelineOptions.class).getFlinkConfDir());
  }
}
