package dev.constat.transforms.offences.right;

import dev.constat.transforms.offences.left.Left;

/** Half of a cycle of packages. */
public record Right(Left left) {}
