package dev.constat.pipelines.run;

/** Beam does not understand an argument that was meant for it. */
public final class BeamArgumentException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  BeamArgumentException(IllegalArgumentException cause) {
    super("an argument behind -- is not one of Beam's: " + cause.getMessage(), cause);
  }
}
