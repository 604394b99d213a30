/**
 * The stages of a reconciliation: the records that travel between them, the folds that judge one
 * bucket, and the transforms that wire them.
 */
package dev.constat.transforms.stages;
