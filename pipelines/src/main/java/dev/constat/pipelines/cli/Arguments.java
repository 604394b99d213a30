package dev.constat.pipelines.cli;

import com.google.common.collect.ImmutableList;
import picocli.CommandLine;

/**
 * The arguments of a command line.
 *
 * @param all as they were given
 * @param own those of Constat, the command first
 * @param beam those behind {@code --}, which go to Beam
 */
record Arguments(ImmutableList<String> all, ImmutableList<String> own, ImmutableList<String> beam) {

  /** Cuts them at the first {@code --}. */
  static Arguments of(ImmutableList<String> all) {
    int cut = all.indexOf("--");
    return cut < 0
        ? new Arguments(all, all, ImmutableList.of())
        : new Arguments(all, all.subList(0, cut), all.subList(cut + 1, all.size()));
  }

  /** Has {@code line} know the commands that leave a run. */
  CommandLine withRunCommands(CommandLine line, Console console) {
    return line.addSubcommand(new ReconcileCommand(console, new RunOptions(console, all, beam)))
        .addSubcommand(new RebuildCommand(console, new RunOptions(console, all, beam)))
        .addSubcommand(new PlanReplayCommand(console, new RunOptions(console, all, beam)));
  }
}
