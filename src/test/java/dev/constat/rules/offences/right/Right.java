package dev.constat.rules.offences.right;

import dev.constat.rules.offences.left.Left;

/** Half of a cycle of packages. */
public record Right(Left left) {}
