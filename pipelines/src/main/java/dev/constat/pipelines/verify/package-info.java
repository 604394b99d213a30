/** Whether a run is what it says it is: its files against its manifest, and against a rerun. */
package dev.constat.pipelines.verify;
