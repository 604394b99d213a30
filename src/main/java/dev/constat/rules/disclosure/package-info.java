/** What of a value may be shown where a run is redacted, and sentences that know their values. */
package dev.constat.rules.disclosure;
