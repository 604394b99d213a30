/**
 * The running maximum: for every record of a scope, in order of position, the greatest value among
 * those before it; with scopes of any size worked on in parallel.
 *
 * <p>Scope, position and value are bytes whose unsigned order is the order wanted, made with {@link
 * dev.constat.rules.encoding.KeyWriter}. A scope of more records than a slab is meant to hold is
 * cut between positions into slabs, each of which is a group of its own. Two small tables make that
 * possible, known at barriers that exist anyway; only scopes of several slabs stand in them.
 *
 * <ul>
 *   <li>{@link dev.constat.transforms.scan.Samples} notes at Read where some of the records stand.
 *   <li>{@link dev.constat.transforms.scan.Slabs} says from that where scopes are cut.
 *   <li>{@link dev.constat.transforms.scan.SlabMaxima} says what stands before a slab, from what
 *       the stage before the scan has kept of each.
 *   <li>{@link dev.constat.transforms.scan.RunningMaximum} goes on from there, record by record.
 * </ul>
 */
package dev.constat.transforms.scan;
