package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.pipelines.output.RebuildReport;
import dev.constat.pipelines.output.RunReport;
import dev.constat.pipelines.output.TaskReport;
import dev.constat.rules.baseline.Acknowledgements;
import dev.constat.rules.diff.Cause;
import dev.constat.rules.diff.DiffFold;
import dev.constat.rules.diff.DiffTables;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.findings.Level;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.findings.Verdict;
import dev.constat.rules.identity.Decision;
import dev.constat.rules.order.OrderReport;
import dev.constat.rules.reconcile.Books;
import dev.constat.rules.reconcile.CheckTally;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.LagBuckets;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.reconcile.SelfCheck;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.SourceContract;
import dev.constat.rules.time.LagSweep;
import dev.constat.rules.time.Timeliness;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes the report of a run of what its stages counted and of the findings that were merged. */
final class RunAssembly {

  private final RunSpec spec;
  private final RunFacts facts;
  private final Tally tally;

  RunAssembly(RunFacts facts, Tally tally) {
    this.spec = facts.spec();
    this.facts = facts;
    this.tally = tally;
  }

  /**
   * The report.
   *
   * @param baseline what the baseline did, or null where none was given
   */
  RunReport report(String version, FindingCounts counts, Acknowledgements.Report baseline) {
    ImmutableList<String> reasons = reasons(counts);
    Verdict verdict =
        !reasons.isEmpty()
            ? Verdict.INCONCLUSIVE
            : counts.any(Level.ERROR) ? Verdict.DISCREPANCIES : Verdict.MATCH;
    return new RunReport(
        spec.name(),
        version,
        facts.asOf(),
        verdict,
        reasons,
        inputs(),
        decisions(),
        timeliness(),
        counts.byKind(),
        silent(),
        Books.of(spec, tally),
        coverage(),
        sources(),
        LagSweep.of(tally),
        effects(),
        spec.archives().containsKey(Input.OUTBOX)
            ? OrderReport.of(tally, spec.integerOutboxIds())
            : OrderReport.NONE,
        DeliveryReport.of(spec, tally),
        ReplayListing.of(facts, tally),
        counts.causes(),
        baseline);
  }

  /**
   * What the run made besides judging, or null where that is all.
   *
   * @param report what it found
   * @param replayId the id that a rebuild goes by
   * @param work digest of all that the result depends on
   */
  TaskReport task(RunReport report, String replayId, String work) {
    if (spec.plan() != null) {
      return new PlanAssembly(facts, tally).report(report);
    }
    return spec.rebuild() == null ? null : rebuild(replayId, work);
  }

  private RebuildReport rebuild(String replayId, String work) {
    ImmutableList<ProjectionRule> rules = spec.projections();
    ImmutableList.Builder<RebuildReport.Version> versions = ImmutableList.builder();
    for (ProjectionRule rule : rules) {
      String version = rule.version();
      versions.add(
          new RebuildReport.Version(
              version,
              tally.sum(CheckTally.REBUILT, version, "cells"),
              tally.sum(CheckTally.REBUILT, version, "on_time"),
              tally.sum(CheckTally.REBUILT, version, "refined"),
              tally.sum(CheckTally.REBUILT, version, "too_late")));
    }
    ImmutableList.Builder<RebuildReport.Difference> differences = ImmutableList.builder();
    for (ProjectionRule rule : rules.subList(1, rules.size())) {
      ImmutableSortedMap.Builder<String, Long> causes = ImmutableSortedMap.naturalOrder();
      for (Cause cause : Cause.values()) {
        causes.put(cause.key(), tally.sum(DiffFold.CAUSES, rule.version(), cause.key()));
      }
      differences.add(
          new RebuildReport.Difference(
              rule.version(),
              tally.sum(DiffFold.CELLS, rule.version()),
              tally.sum(DiffFold.ROWS, rule.version()),
              causes.buildOrThrow(),
              DiffTables.notCompared(rules.get(0), rule)));
    }
    return new RebuildReport(
        replayId,
        work,
        rules.get(0).name(),
        spec.rebuild().from(),
        spec.rebuild().to(),
        versions.build(),
        differences.build());
  }

  private ImmutableList<String> reasons(FindingCounts counts) {
    ImmutableList.Builder<String> reasons = ImmutableList.builder();
    reasons.addAll(SelfCheck.of(tally, counts.findings()));
    for (Input input : spec.archives().keySet()) {
      RunFacts.InputFacts read = facts.input(input);
      if (read.unreadable() > 0) {
        reasons.add(read.unreadable() + " records or files of " + input.key() + " are unreadable");
      }
      if (read.undecided() > 0) {
        reasons.add(
            read.undecided()
                + " records of "
                + input.key()
                + " have a required time without a zone");
      }
      if (read.rows() == 0 && !spec.archives().get(input).allowEmpty()) {
        reasons.add("nothing was read from " + input.key());
      }
    }
    if (counts.firstInputError() != null) {
      reasons.add("the first: " + counts.firstInputError());
    }
    return reasons.build();
  }

  private ImmutableList<RunReport.InputFacts> inputs() {
    ImmutableList.Builder<RunReport.InputFacts> inputs = ImmutableList.builder();
    for (Map.Entry<Input, RunSpec.Archive> archive : spec.archives().entrySet()) {
      RunFacts.InputFacts read = facts.input(archive.getKey());
      inputs.add(
          new RunReport.InputFacts(
              archive.getKey().key(),
              read.rows(),
              read.unreadable() + read.undecided(),
              read.first(),
              read.last(),
              read.start(),
              read.cut(),
              read.cutInferred(),
              archive.getValue().retention()));
    }
    return inputs.build();
  }

  private ImmutableSortedMap<String, Long> decisions() {
    ImmutableSortedMap.Builder<String, Long> decisions = ImmutableSortedMap.naturalOrder();
    for (Decision decision : Decision.values()) {
      decisions.put(
          decision.name(), tally.sum(CheckTally.BOOK, Input.EVENTS.key(), decision.name()));
    }
    return decisions.build();
  }

  private ImmutableSortedMap<String, Long> timeliness() {
    ImmutableSortedMap.Builder<String, Long> answers = ImmutableSortedMap.naturalOrder();
    for (Timeliness answer : Timeliness.values()) {
      answers.put(
          answer.name(),
          tally.sumsUnder(CheckTally.TIMELINESS).entrySet().stream()
              .filter(count -> count.getKey().get(2).equals(answer.name()))
              .mapToLong(Map.Entry::getValue)
              .sum());
    }
    return answers.buildOrThrow();
  }

  private ImmutableSortedMap<String, Long> timeliness(String source, String version) {
    ImmutableSortedMap.Builder<String, Long> answers = ImmutableSortedMap.naturalOrder();
    for (Timeliness answer : Timeliness.values()) {
      long count = tally.sum(CheckTally.TIMELINESS, source, version, answer.name());
      if (count > 0) {
        answers.put(answer.name(), count);
      }
    }
    return answers.buildOrThrow();
  }

  private ImmutableSortedMap<String, Long> silent() {
    TreeMap<String, Long> silent = new TreeMap<>();
    tally
        .sumsUnder(CheckTally.SILENT)
        .forEach(
            (path, count) ->
                silent.merge(Tally.step(path, 1) + " " + Tally.step(path, 0), count, Long::sum));
    return ImmutableSortedMap.copyOfSorted(silent);
  }

  private ImmutableList<RunReport.Coverage> coverage() {
    TreeSet<String> checks = new TreeSet<>();
    tally.sumsUnder(CheckTally.JUDGED).keySet().forEach(path -> checks.add(path.get(0)));
    tally.sumsUnder(CheckTally.NOT_JUDGED).keySet().forEach(path -> checks.add(path.get(0)));
    ImmutableList.Builder<RunReport.Coverage> coverage = ImmutableList.builder();
    for (String check : checks) {
      ImmutableSortedMap.Builder<String, Long> notJudged = ImmutableSortedMap.naturalOrder();
      tally
          .sumsUnder(CheckTally.NOT_JUDGED, check)
          .forEach((path, count) -> notJudged.put(path.get(0), count));
      coverage.add(
          new RunReport.Coverage(
              check, tally.sum(CheckTally.JUDGED, check), notJudged.buildOrThrow()));
    }
    if (spec.effects().isEmpty() && spec.rebuild() == null) {
      coverage.add(
          new RunReport.Coverage(
              "effects", 0, ImmutableSortedMap.of("no effects in the run spec", 1L)));
    }
    return coverage.build();
  }

  private ImmutableList<RunReport.SourceFacts> sources() {
    SortedMap<List<String>, TreeMap<String, Long>> bySource =
        new TreeMap<>(
            (a, b) -> {
              int bySourceName = a.get(0).compareTo(b.get(0));
              return bySourceName != 0 ? bySourceName : a.get(1).compareTo(b.get(1));
            });
    tally
        .sumsUnder(CheckTally.SOURCES)
        .forEach(
            (path, count) ->
                bySource
                    .computeIfAbsent(path.subList(0, 2), key -> new TreeMap<>())
                    .merge(path.get(2), count, Long::sum));
    tally
        .sumsUnder(CheckTally.REPLAYED)
        .forEach(
            (path, count) ->
                bySource
                    .computeIfAbsent(path.subList(0, 2), key -> new TreeMap<>())
                    .merge("replayed", count, Long::sum));
    ImmutableList.Builder<RunReport.SourceFacts> sources = ImmutableList.builder();
    bySource.forEach(
        (key, decisions) -> {
          String source = Tally.step(key, 0);
          String version = Tally.step(key, 1);
          byte[] oldest = tally.min(CheckTally.QUARANTINED_FIRST, source, version);
          sources.add(
              new RunReport.SourceFacts(
                  source,
                  version,
                  ImmutableSortedMap.copyOf(decisions),
                  timeliness(source, version),
                  tally.sum(CheckTally.DISORDER, source, version),
                  tally.sum(CheckTally.CONFLICTING_KEYS, source, version),
                  tally.sum(CheckTally.QUARANTINED, source, version),
                  oldest == null ? null : instant(oldest),
                  known(source, version),
                  lags(source, version),
                  tally.sum(CheckTally.LAG_MILLIS, source, version)));
        });
    return sources.build();
  }

  private boolean known(String source, String version) {
    SourceContract contract = spec.contract(source);
    return contract.schemaVersions() == null
        || version != null && contract.schemaVersions().contains(version);
  }

  private ImmutableList<Long> lags(String source, String version) {
    ImmutableList.Builder<Long> lags = ImmutableList.builder();
    for (int bucket = 0; bucket <= LagBuckets.BOUNDS.length(); bucket++) {
      lags.add(tally.sum(CheckTally.LAG, source, version, Integer.toString(bucket)));
    }
    return lags.build();
  }

  private ImmutableList<RunReport.EffectFacts> effects() {
    SortedMap<String, TreeMap<String, Long>> byType = new TreeMap<>();
    Map<String, String> types = new TreeMap<>();
    tally
        .sumsUnder(CheckTally.STATES)
        .forEach(
            (path, count) -> {
              byType.computeIfAbsent(path.get(0), type -> new TreeMap<>()).put(path.get(1), count);
              types.put(path.get(0), Tally.step(path, 0));
            });
    ImmutableList.Builder<RunReport.EffectFacts> effects = ImmutableList.builder();
    byType.forEach(
        (key, states) ->
            effects.add(
                new RunReport.EffectFacts(
                    types.get(key),
                    ImmutableSortedMap.copyOf(states),
                    tally.sum(CheckTally.RETRIED, types.get(key)))));
    return effects.build();
  }

  private static Instant instant(byte[] encoded) {
    return new KeyReader(encoded).instant();
  }
}
