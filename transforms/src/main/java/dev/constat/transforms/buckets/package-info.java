/**
 * Moves records into buckets and hands each bucket over in sorted groups, with a fixed amount of
 * memory however large a bucket or a group is.
 *
 * <p>A record is four parts: the bytes of its group, the bytes that order it inside the group, a
 * small integer that says its kind, and a body. Records are ordered by group, then order, then
 * kind, then body, bytes compared as unsigned; two records that tie are the same record. Keys are
 * made with {@link dev.constat.rules.encoding.KeyWriter}.
 *
 * <ul>
 *   <li>{@link dev.constat.transforms.buckets.Buckets} says in which bucket a group lives, whatever
 *       the runner or its parallelism.
 *   <li>{@link dev.constat.transforms.buckets.BlockAppender} packs records into one block of bytes
 *       per bucket, so that a shuffle moves few large elements.
 *   <li>{@link dev.constat.transforms.buckets.BlockStore} keeps blocks until they are sorted, where
 *       workers share a disk; otherwise they travel themselves.
 *   <li>{@link dev.constat.transforms.buckets.GroupIntoBuckets} brings the blocks of a bucket
 *       together.
 *   <li>{@link dev.constat.transforms.buckets.BucketFn} sorts them with a {@link
 *       dev.constat.transforms.buckets.RecordSorter} and gives the stage a {@link
 *       dev.constat.transforms.buckets.SortedRecords} to fold, group by group.
 * </ul>
 */
package dev.constat.transforms.buckets;
