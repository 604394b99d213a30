/**
 * Benchmarks of the rules that every record passes, each beside a peer that does the same or less
 * by other means: what counts is the ratio of the two in one run.
 */
package dev.constat.pipelines.bench.micro;
