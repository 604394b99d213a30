package dev.constat.rules.chain;

import dev.constat.rules.projection.Window;
import java.time.Duration;
import java.util.List;

/** How the versions of projections divide time, as far as chains must know it. */
public interface VersionWindows {

  /** How many versions there are. */
  int versions();

  /** Whether the cells of a version are windows; if not, nothing is ever too late for it. */
  boolean windowed(int version);

  /** How long after their end the windows of a version are refined. */
  Duration allowedLateness(int version);

  /**
   * The windows of a version into which an event falls: at least one; for sessions, its own from
   * when it happened to when the gap is over. Asked only of windowed versions that project it.
   */
  List<Window> windows(int version, Link link);
}
