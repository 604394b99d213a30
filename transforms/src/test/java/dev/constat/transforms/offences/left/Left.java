package dev.constat.transforms.offences.left;

import dev.constat.transforms.offences.right.Right;

/** Half of a cycle of packages. */
public record Left(Right right) {}
