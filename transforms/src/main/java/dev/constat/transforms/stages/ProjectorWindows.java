package dev.constat.transforms.stages;

import dev.constat.rules.chain.Link;
import dev.constat.rules.chain.VersionWindows;
import dev.constat.rules.projection.Projector;
import dev.constat.rules.projection.Window;
import dev.constat.rules.projection.Windows;
import java.time.Duration;
import java.util.List;

/** The windows of a run's projections, as chains ask for them. */
record ProjectorWindows(List<Projector> projectors) implements VersionWindows {

  @Override
  public int versions() {
    return projectors.size();
  }

  @Override
  public boolean windowed(int version) {
    return projectors.get(version).rule().windowed();
  }

  @Override
  public Duration allowedLateness(int version) {
    return projectors.get(version).rule().allowedLateness();
  }

  @Override
  public List<Window> windows(int version, Link link) {
    return Windows.of(projectors.get(version).rule().window(), link.occurredAt());
  }
}
