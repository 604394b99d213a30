package dev.constat.pipelines.output;

/** What a run made besides judging, where it was asked for something else than the main job. */
public sealed interface TaskReport permits RebuildReport, ReplayPlanReport, RepairPlanReport {}
