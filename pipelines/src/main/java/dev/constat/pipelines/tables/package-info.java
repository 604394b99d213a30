/**
 * Inputs that are tables of a database.
 *
 * <p>A table is read once, in parts, each part by one query that streams, and written down as JSON
 * lines below the staging folder of the run: its extract. From there on it is a file like any
 * other, so that every record has a place, payloads can be read again, a repeated attempt reads the
 * same, and what a run judged is what it read. The rows of a part stand in the order of their key,
 * so that the same table gives the same extract.
 *
 * <p>This is the one package that talks to somebody, and it only asks.
 */
package dev.constat.pipelines.tables;
