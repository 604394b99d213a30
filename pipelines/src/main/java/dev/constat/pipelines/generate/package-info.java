/** Writes synthetic archives: files, threads and the folder that they become. */
package dev.constat.pipelines.generate;
