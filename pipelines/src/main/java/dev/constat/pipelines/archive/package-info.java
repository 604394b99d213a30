/**
 * Reading archives that lie in files: listing them, cutting them into splits and reading a split
 * record by record. Knows nothing of Beam.
 */
package dev.constat.pipelines.archive;
