/** The benchmark: whole runs of Constat beside other ways to the same tables. */
package dev.constat.pipelines.bench;
