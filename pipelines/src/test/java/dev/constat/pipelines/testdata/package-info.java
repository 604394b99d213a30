/** Makes the archives of {@code test-data} that are too large to be written by hand. */
package dev.constat.pipelines.testdata;
