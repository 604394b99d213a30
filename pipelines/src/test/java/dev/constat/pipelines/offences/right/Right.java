package dev.constat.pipelines.offences.right;

import dev.constat.pipelines.offences.left.Left;

/** Half of a cycle of packages. */
public record Right(Left left) {}
