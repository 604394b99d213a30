/** What is known of earlier runs: which findings somebody answers for. */
package dev.constat.rules.baseline;
