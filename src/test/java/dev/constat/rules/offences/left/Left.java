package dev.constat.rules.offences.left;

import dev.constat.rules.offences.right.Right;

/** Half of a cycle of packages. */
public record Left(Right right) {}
