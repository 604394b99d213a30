package dev.constat.pipelines.cli;

import com.google.common.collect.ImmutableList;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
    name = "constat",
    description =
        "States where the history of an at-least-once event system and its rules disagree.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  private Main() {}

  /** Ends the process with the code that {@link #run} returns. */
  public static void main(String[] args) {
    HeapGuard guard = HeapGuard.watching();
    PrintStream err = utf8(System.err);
    System.setErr(HarmlessOutput.into(err)); // what libraries log goes there
    System.exit(run(args, utf8(System.out), err, System::getenv, guard::endIfOutOfMemory));
  }

  private static PrintStream utf8(PrintStream stream) {
    return new PrintStream(stream, true, StandardCharsets.UTF_8);
  }

  /**
   * Runs a command.
   *
   * @param args its name and arguments; what follows {@code --} goes to Beam
   * @param out takes the answer
   * @param err takes messages and progress
   * @return the exit code: {@link ExitCode}
   */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    return run(args, out, err, System::getenv);
  }

  /**
   * Runs a command.
   *
   * @param environment variables and their values
   */
  public static int run(String[] args, PrintStream out, PrintStream err, Environment environment) {
    return run(args, out, err, environment, failure -> {});
  }

  private static int run(
      String[] args,
      PrintStream out,
      PrintStream err,
      Environment environment,
      Consumer<Throwable> onFailure) {
    Arguments arguments = Arguments.of(ImmutableList.copyOf(args));
    Console console = Console.over(out, err, environment);
    boolean colour = environment.get("NO_COLOR") == null && System.console() != null;
    CommandLine line =
        arguments
            .withRunCommands(new CommandLine(new Main()), console)
            .addSubcommand(new VerifyCommand(console, arguments.beam()))
            .addSubcommand(new ExplainCommand(console))
            .addSubcommand(new GenerateCommand(console))
            .addSubcommand(new ScoreCommand(console))
            .addSubcommand(new AckCommand(console))
            .addSubcommand(new SchemaCommand(console))
            .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
            .setColorScheme(CommandLine.Help.defaultColorScheme(colour ? Ansi.AUTO : Ansi.OFF))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((e, given) -> refuse(e, console, err))
            .setExecutionExceptionHandler((e, command, result) -> explain(e, console, onFailure));
    int code;
    try {
      code = line.execute(arguments.own().toArray(String[]::new));
    } catch (Throwable e) {
      // An error: whatever happened, the exit code must not be one of those that are answers.
      code = explain(e, console, onFailure);
    }
    console.out().flush();
    console.err().flush();
    out.flush();
    err.flush();
    return code;
  }

  private static int explain(Throwable failure, Console console, Consumer<Throwable> onFailure) {
    onFailure.accept(failure);
    return console.explain(failure);
  }

  private static int refuse(ParameterException e, Console console, PrintStream err) {
    console.say(e.getMessage());
    e.getCommandLine().usage(err);
    return ExitCode.USAGE;
  }

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
