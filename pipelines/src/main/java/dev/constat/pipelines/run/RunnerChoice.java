package dev.constat.pipelines.run;

import java.util.Locale;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.runners.direct.DirectRunner;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;

/** Which runner does the work. The answer is the same; only the time it takes is not. */
public enum RunnerChoice {
  /** The direct runner for small inputs, embedded Flink for all others. */
  AUTO,
  /** Flink inside this process. */
  EMBEDDED,
  /** Beam's direct runner. */
  DIRECT;

  /** Up to so many bytes of input, starting Flink takes longer than the work. */
  static final long SMALL_INPUT = 8L << 20;

  /** Up to so many files: the direct runner makes a bundle of each, and bundles cost it dearly. */
  static final int FEW_FILES = 50;

  private static final String LOCAL_FLINK = "[local]";

  /** As the command line writes it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What {@link #AUTO} stands for. */
  RunnerChoice forInput(long bytes, int files) {
    if (this != AUTO) {
      return this;
    }
    return bytes <= SMALL_INPUT && files <= FEW_FILES ? DIRECT : EMBEDDED;
  }

  /**
   * The options of a pipeline.
   *
   * @param beamArguments what the user hands to Beam; a {@code --runner} there takes the place of
   *     {@link #AUTO}
   * @param inputBytes size of the input
   * @param inputFiles number of its files
   * @param jobName name of the job; Beam's own default holds a clock and a random part
   * @throws BeamArgumentException if Beam does not know an argument
   */
  PipelineOptions options(String[] beamArguments, long inputBytes, int inputFiles, String jobName) {
    PipelineOptions options;
    try {
      options = PipelineOptionsFactory.fromArgs(beamArguments).create();
    } catch (IllegalArgumentException e) {
      throw new BeamArgumentException(e);
    }
    if (this != AUTO || !namesRunner(beamArguments)) {
      options.setRunner(
          forInput(inputBytes, inputFiles) == DIRECT ? DirectRunner.class : FlinkRunner.class);
    }
    int cores = Runtime.getRuntime().availableProcessors();
    if (options.getRunner() == DirectRunner.class) {
      DirectOptions direct = options.as(DirectOptions.class);
      direct.setEnforceImmutability(false);
      direct.setEnforceEncodability(false);
      int parallelism = options.as(FlinkPipelineOptions.class).getParallelism();
      if (parallelism > 0) {
        direct.setTargetParallelism(parallelism);
      }
    } else if (options.getRunner() == FlinkRunner.class) {
      FlinkPipelineOptions flink = options.as(FlinkPipelineOptions.class);
      if (flink.getFlinkMaster().equals("[auto]")) {
        flink.setFlinkMaster(LOCAL_FLINK);
      }
      if (flink.getParallelism() <= 0) {
        flink.setParallelism(cores);
      }
    }
    options.setJobName(jobName);
    return options;
  }

  /** Whether all workers of a pipeline are threads of this process. */
  static boolean inThisProcess(PipelineOptions options) {
    return options.getRunner() == DirectRunner.class
        || options.getRunner() == FlinkRunner.class
            && options.as(FlinkPipelineOptions.class).getFlinkMaster().equals(LOCAL_FLINK);
  }

  private static boolean namesRunner(String[] beamArguments) {
    for (String argument : beamArguments) {
      if (argument.startsWith("--runner=")) {
        return true;
      }
    }
    return false;
  }
}
