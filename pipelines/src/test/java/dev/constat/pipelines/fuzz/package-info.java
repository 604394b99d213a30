/**
 * Targets of coverage-guided fuzzing: each takes bytes, has them read as a run would, and holds
 * what came of them against what must be true of any bytes. {@code pipelines/bin/fuzz} runs them
 * for long, the tests of this package replay their corpora and run them shortly.
 */
package dev.constat.pipelines.fuzz;
