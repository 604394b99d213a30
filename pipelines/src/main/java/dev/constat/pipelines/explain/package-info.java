/** Everything that a finished run and its archives say about one event, found in seconds. */
package dev.constat.pipelines.explain;
