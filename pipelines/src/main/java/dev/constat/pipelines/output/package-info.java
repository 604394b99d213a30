/**
 * What a run leaves on a local or shared file system: tables and findings written by workers into a
 * staging folder, documents written by the client, and the commit that makes a run of them.
 *
 * <p>A run exists exactly when its {@code run.json} does. Everything under {@code out} that this
 * package may have left behind unfinished is recognisable by its name or by a mark inside, and the
 * next run removes it.
 */
package dev.constat.pipelines.output;
