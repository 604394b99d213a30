package dev.constat.pipelines.cli;

import dev.constat.rules.spec.BaselineParser;
import dev.constat.rules.spec.RunSpecSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints how a run spec looks. */
@Command(
    name = "schema",
    description =
        "Prints the JSON Schema of a run spec or baseline, or a run spec of all defaults.",
    mixinStandardHelpOptions = true)
final class SchemaCommand implements Callable<Integer> {

  private final Console console;

  @Option(names = "--defaults", description = "Print every key with its default, as YAML.")
  private boolean defaults;

  @Option(names = "--baseline", description = "Print the JSON Schema of a baseline.")
  private boolean baseline;

  SchemaCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (defaults && baseline) {
      throw new UsageException("--defaults and --baseline print two things; leave one out");
    }
    console
        .out()
        .print(
            baseline
                ? BaselineParser.schema()
                : defaults ? RunSpecSchema.defaults() : RunSpecSchema.json());
    return ExitCode.CLEAN;
  }
}
