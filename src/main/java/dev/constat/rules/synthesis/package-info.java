/**
 * Synthetic archives as pure functions of a profile, a seed and a number: what happens, what of it
 * is received, announced, acknowledged, decided and recorded, and what there is to find. Nothing
 * here is computed by the rules that judge.
 */
package dev.constat.rules.synthesis;
