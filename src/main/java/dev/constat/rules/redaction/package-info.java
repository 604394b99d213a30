/** Replaces what identifies somebody or something by keyed hashes, where outputs are written. */
package dev.constat.rules.redaction;
