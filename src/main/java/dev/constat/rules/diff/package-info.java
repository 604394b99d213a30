/**
 * Compares versions of a projection, cell by cell, and says which events make the difference and
 * why (spec section 5).
 */
package dev.constat.rules.diff;
