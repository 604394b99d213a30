/**
 * Plans: what a replay of a topic would publish, and which messages would have to be sent again to
 * mend the errors found. Nothing of it is ever carried out.
 */
package dev.constat.rules.plan;
