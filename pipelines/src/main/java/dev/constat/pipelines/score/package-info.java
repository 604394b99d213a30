/** Holds what a run found against what it had to find. */
package dev.constat.pipelines.score;
