package dev.constat.transforms.stages;

import dev.constat.transforms.buckets.Buckets;
import dev.constat.transforms.buckets.SpillSpace;
import dev.constat.transforms.outputs.FindingSink;
import dev.constat.transforms.outputs.Meter;
import dev.constat.transforms.outputs.TableSink;
import java.io.Serializable;

/**
 * Where the stages of a run leave things, and how they are cut.
 *
 * @param buckets the buckets of every stage
 * @param spill local space for what does not fit memory
 * @param tables takes tables
 * @param findings takes findings
 * @param meter is told of progress
 */
public record StageSinks(
    Buckets buckets, SpillSpace spill, TableSink tables, FindingSink findings, Meter meter)
    implements Serializable {}
