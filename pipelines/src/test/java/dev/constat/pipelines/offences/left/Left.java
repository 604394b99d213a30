package dev.constat.pipelines.offences.left;

import dev.constat.pipelines.offences.right.Right;

/** Half of a cycle of packages. */
public record Left(Right right) {}
