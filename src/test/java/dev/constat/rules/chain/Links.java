package dev.constat.rules.chain;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.projection.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Links as the tables of tests write them: {@code id}, {@code id#revision}, either with {@code
 * <superseded}; then any of {@code 10:05} (when it happened and arrived), {@code w10:20} (the
 * watermark), {@code r11:00} (when it arrived), {@code -0} (not projected by version 0) and {@code
 * withdrawn}. Links are separated by commas. An id {@code ?x} is a fingerprint.
 *
 * <p>Version 0 has windows of ten minutes that are refined for five, version 1 has none, version 2
 * slides by five minutes over ten and refines for twenty.
 */
final class Links {

  static final VersionWindows WINDOWS =
      new VersionWindows() {
        @Override
        public int versions() {
          return 3;
        }

        @Override
        public boolean windowed(int version) {
          return version != 1;
        }

        @Override
        public Duration allowedLateness(int version) {
          return Duration.ofMinutes(version == 0 ? 5 : 20);
        }

        @Override
        public List<Window> windows(int version, Link link) {
          long every = version == 0 ? 600 : 300;
          long start = link.occurredAt().getEpochSecond() / every * every;
          List<Window> windows = new ArrayList<>();
          for (long s = start; s > link.occurredAt().getEpochSecond() - 600; s -= every) {
            windows.add(new Window(Instant.ofEpochSecond(s), Instant.ofEpochSecond(s + 600)));
          }
          return windows;
        }
      };

  private Links() {}

  static Instant at(String time) {
    return Instant.parse("2026-01-05T" + time + ":00Z");
  }

  /** Links of a table's cell, in the order in which a walk takes them. */
  static List<Link> of(String text) {
    List<Link> links = new ArrayList<>();
    for (String link : text.split(" *, *", -1)) {
      links.add(link(link, links.size()));
    }
    links.sort(
        Comparator.comparing((Link link) -> link.key().heuristic())
            .thenComparing(Links::orderBytes, Arrays::compareUnsigned));
    return links;
  }

  private static byte[] orderBytes(Link link) {
    KeyWriter out = new KeyWriter();
    link.key().writeGroup(out);
    link.key().writeWithinGroup(out);
    return out.toBytes();
  }

  private static Link link(String text, int number) {
    String[] words = text.split(" ", -1);
    String[] names = words[0].split("<", -1);
    Instant occurred = at("10:00").plusSeconds(number);
    Instant received = null;
    Instant watermark = null;
    boolean withdrawn = false;
    BitSet projected = new BitSet();
    projected.set(0, 3);
    for (int i = 1; i < words.length; i++) {
      String word = words[i];
      switch (word.charAt(0)) {
        case 'w' -> {
          withdrawn |= word.equals("withdrawn");
          watermark = word.equals("withdrawn") ? watermark : at(word.substring(1));
        }
        case 'r' -> received = at(word.substring(1));
        case '-' -> projected.clear(Integer.parseInt(word.substring(1)));
        default -> occurred = at(word);
      }
    }
    EventKey key = key(names[0]);
    boolean revised = key.revision().number() && !key.revision().text().equals("1");
    return new Link(
        key,
        "i-" + names[0],
        received == null ? occurred : received,
        occurred,
        names.length > 1 || revised,
        names.length > 1 ? names[1] : null,
        OptionalTime.ABSENT,
        withdrawn,
        watermark,
        projected,
        new Place(0, 0, 0, number, 0));
  }

  private static EventKey key(String name) {
    if (name.startsWith("?")) {
      return EventKey.ofFingerprint("S", "fp/1", name.substring(1));
    }
    String[] parts = name.split("#", -1);
    return EventKey.ofId(
        "S", parts[0], List.of(), parts.length > 1 ? Revision.of(parts[1]) : Revision.NONE);
  }

  /** The name of a link as tables write it. */
  static String name(Link link) {
    if (link.key().heuristic()) {
      return "?" + link.key().fingerprint();
    }
    String revision = link.key().revision().shown();
    return link.key().id() + (revision == null ? "" : "#" + revision);
  }

  static Chains resolve(List<Link> links) {
    ChainWalk walk = new ChainWalk(WINDOWS);
    links.forEach(walk::add);
    return walk.resolve();
  }
}
