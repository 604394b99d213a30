/** A run from its spec to its folder: reads archives, wires the stages, assembles the report. */
package dev.constat.pipelines.run;
