package dev.constat.pipelines.cli;

import dev.constat.pipelines.run.Reconciliation;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RepairPlan;
import dev.constat.rules.spec.ReplayPlan;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecOverrides;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists what a replay would publish, or what would have to be sent again to mend errors. */
@Command(
    name = "plan-replay",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what a replay of a topic would publish, or which messages would have to",
      "be sent again to mend the errors found. A dry run always: nothing is sent."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  constat plan-replay shop.yaml --topic trade \\",
      "      --from 2026-01-05T08:00:00Z --to 2026-01-05T10:00:00Z",
      "  constat plan-replay shop.yaml --pending-repair",
      "",
      "A replay publishes the accepted events of the topic that were created in the",
      "interval, both ends included, by (created_at, original id): replay-plan.jsonl.",
      "A repair sends what nobody acknowledged, and has the proof of it on each line:",
      "repair-plan.jsonl. What cannot be published is in withheld.jsonl, each with its",
      "reason.",
      "",
      "Exit codes: 0 planned; 2 usage or run spec; 3 inconclusive, or the run broke.",
      "Findings do not change it: reconcile judges them. What follows -- goes to Beam."
    })
final class PlanReplayCommand implements RunCommand {

  private final Console console;

  @Mixin private final RunOptions run;

  @Option(names = "--topic", paramLabel = "TOPIC", description = "The topic to replay.")
  private String topic;

  @Option(
      names = "--from",
      paramLabel = "T",
      description = "The first created_at that is replayed (inclusive; default: the beginning).")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "T",
      description = "The last created_at that is replayed (inclusive; default: the end).")
  private String to;

  @Option(
      names = "--replay-id",
      paramLabel = "ID",
      description =
          "What the replay goes by: x-replay-batch-id (default: replay- and a digest of run spec,"
              + " topic and interval).")
  private String replayId;

  @Option(
      names = "--pending-repair",
      description = "Plan the messages that would mend the errors found instead.")
  private boolean pendingRepair;

  @Option(
      names = "--as-of",
      paramLabel = "T",
      description = "Plan as if nothing that came after T were known.")
  private String asOf;

  PlanReplayCommand(Console console, RunOptions run) {
    this.console = console;
    this.run = run;
  }

  @Override
  public RunOptions options() {
    return run;
  }

  @Override
  public Reconciliation.Request request() throws IOException {
    checkOptions();
    RunSpecOverrides overrides = new RunSpecOverrides(asOf, null, null, null);
    return run.request(read -> planned(overrides.applyTo(read)), null, null);
  }

  @Override
  public Integer call() throws IOException {
    Reconciliation.Result result = run.run(request());
    run.answer(result, () -> new PlanText(console.out()).print(result));
    return RunOptions.exitCode(result);
  }

  private void checkOptions() {
    if (pendingRepair && (topic != null || from != null || to != null || replayId != null)) {
      throw new UsageException(
          "--pending-repair looks at everything; leave out --topic, --from, --to and --replay-id");
    }
    if (!pendingRepair && topic == null) {
      throw new UsageException(
          "--topic is missing; name the topic to replay, or ask for --pending-repair");
    }
    if (topic != null && topic.isEmpty()) {
      throw new UsageException("--topic is empty; name the topic to replay");
    }
    if (replayId != null && replayId.isBlank()) {
      throw new UsageException("--replay-id is empty; give it a name, or leave it out");
    }
  }

  private RunSpec planned(RunSpec spec) {
    if (!pendingRepair) {
      return spec.planning(ReplayPlan.of(spec, topic, from, to, replayId));
    }
    if (!spec.archives().containsKey(Input.OUTBOX)) {
      throw new UsageException(
          "--pending-repair mends outbox rows, and the run spec has no archives: outbox;"
              + " configure it");
    }
    return spec.planning(new RepairPlan());
  }
}
