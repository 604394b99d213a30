package dev.constat.rules.diff;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.projection.Window;
import dev.constat.rules.spec.ProjectionRule;
import dev.constat.rules.spec.WindowRule;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * Moves events that count in a session from where they happened to where the session begins and
 * ends. Records of one key come in their order, so that one session per version is open at a time.
 */
public final class SessionPlaces {

  private final List<ProjectionRule> rules;
  private final Window[] open;

  /** Places for the versions of a run. */
  public SessionPlaces(List<ProjectionRule> rules) {
    this.rules = rules;
    this.open = new Window[rules.size()];
  }

  /** Whether any version has sessions. */
  public static boolean needed(List<ProjectionRule> rules) {
    return rules.stream().anyMatch(rule -> rule.window() instanceof WindowRule.Session);
  }

  /** Begins with a key. */
  public void begin() {
    Arrays.fill(open, null);
  }

  /**
   * Says where a record of {@link DiffRecords} belongs.
   *
   * @param buffer holds its order, from {@code from} up to {@code to}
   * @param out takes the order that it belongs to
   * @return false if it belongs to no cell
   */
  public boolean place(int kind, byte[] buffer, int from, int to, KeyWriter out) {
    KeyReader in = new KeyReader(buffer, from, to);
    Instant start = in.nullableInstant();
    in.octet();
    Instant end = in.nullableInstant();
    out.clear();
    if (kind == DiffRecords.CELL) {
      int version = in.octet() << 8 | in.octet();
      if (rules.get(version).window() instanceof WindowRule.Session) {
        open[version] = new Window(start, end);
      }
      out.raw(buffer, from, to);
      return true;
    }
    String event = in.text();
    int session = in.octet() << 8 | in.octet();
    if (session == 0) {
      out.raw(buffer, from, to);
      return true;
    }
    Window window = open[session - 1];
    if (window == null || !start.isBefore(window.end())) {
      return false;
    }
    DiffRecords.order(out, window.start(), kind, window.end())
        .text(event)
        .octet(session >>> 8)
        .octet(session);
    return true;
  }
}
