package dev.constat.pipelines.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Says how Jazzer is called for a target: what {@code pipelines/bin/fuzz} asks, one argument a
 * line.
 */
final class Fuzz {

  private static final String INSTRUMENTED =
      "dev.constat.**:com.fasterxml.jackson.core.**:org.yaml.snakeyaml.**"
          + ":org.apache.parquet.column.**:org.apache.parquet.hadoop.**";

  private Fuzz() {}

  /** Prints the arguments for the target that is named, or the names of all. */
  public static void main(String[] args) {
    if (args.length == 0) {
      Arrays.stream(Target.values()).map(Target::key).forEach(System.out::println);
      return;
    }
    Target target =
        Arrays.stream(Target.values())
            .filter(t -> t.key().equals(args[0]))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "There is no target " + args[0] + "; there are " + names()));
    arguments(target.type(), INSTRUMENTED).forEach(System.out::println);
  }

  private static String names() {
    return Arrays.stream(Target.values()).map(Target::key).collect(Collectors.joining(", "));
  }

  /**
   * Jazzer's arguments.
   *
   * @param instrumented classes whose coverage guides it
   */
  static List<String> arguments(Class<?> target, String instrumented) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--target_class=" + target.getName());
    arguments.add("--instrumentation_includes=" + instrumented);
    arguments.add("--custom_hook_includes=dev.constat.**");
    arguments.add("-timeout=300");
    arguments.add("-print_final_stats=1");
    return arguments;
  }
}
