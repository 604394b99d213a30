package dev.constat.rules.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.projection.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Small random graphs against a reference that recurses and looks at everything each time. */
class RandomChainsTest {

  private static final int GRAPHS = 10_000;

  @Test
  void agreeWithTheReference() {
    int inForce = 0;
    int ambiguous = 0;
    int cyclic = 0;
    for (int seed = 0; seed < GRAPHS; seed++) {
      List<Link> links = links(new Random(seed));
      Chains chains = Links.resolve(links);
      Reference reference = new Reference(links);
      for (int member = 0; member < links.size(); member++) {
        String as = "seed " + seed + " member " + member;
        assertThat(chains.target(member)).as(as).isEqualTo(reference.target(member));
        assertThat(chains.inCycle(member)).as(as).isEqualTo(reference.inCycle(member));
        assertThat(chains.root(member)).as(as).isEqualTo(reference.root(member));
        assertThat(chains.ambiguous(member)).as(as).isEqualTo(reference.ambiguous(member));
        assertThat(chains.incomplete(member)).as(as).isEqualTo(reference.incomplete(member));
        for (int version = 0; version < 3; version++) {
          assertThat(chains.inForce(version, member))
              .as("%s version %s", as, version)
              .isEqualTo(reference.inForce(version, member));
          inForce += chains.inForce(version, member) ? 1 : 0;
        }
        ambiguous += chains.ambiguous(member) ? 1 : 0;
        cyclic += chains.inCycle(member) ? 1 : 0;
      }
    }
    assertThat(Math.min(inForce, Math.min(ambiguous, cyclic))).isGreaterThan(GRAPHS / 10);
  }

  private static List<Link> links(Random random) {
    List<Link> links = new ArrayList<>();
    int ids = 1 + random.nextInt(5);
    int heuristic = random.nextInt(2);
    for (int id = 0; id < ids; id++) {
      int revisions = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0;
      for (int revision = revisions == 0 ? 0 : 1; revision <= revisions; revision++) {
        EventKey key =
            EventKey.ofId(
                "S",
                "e" + id,
                List.of(),
                revision == 0 ? Revision.NONE : Revision.of(Integer.toString(revision)));
        links.add(link(random, key, ids, revision > 1));
      }
    }
    for (int i = 0; i < heuristic; i++) {
      links.add(
          random.nextInt(links.size() + 1),
          link(random, EventKey.ofFingerprint("S", "fp/1", "f" + i), ids, false));
    }
    return links;
  }

  private static Link link(Random random, EventKey key, int ids, boolean revised) {
    String supersedes = random.nextInt(4) == 0 ? null : "e" + random.nextInt(ids + 1);
    Instant occurred = Links.at("10:00").plusSeconds(60L * random.nextInt(40));
    BitSet projected = new BitSet();
    for (int version = 0; version < 3; version++) {
      projected.set(version, random.nextInt(6) > 0);
    }
    return new Link(
        key,
        "i",
        occurred,
        occurred,
        supersedes != null || revised,
        supersedes,
        OptionalTime.ABSENT,
        random.nextInt(6) == 0,
        random.nextBoolean() ? null : Links.at("10:00").plusSeconds(60L * random.nextInt(60)),
        projected,
        new Place(0, 0, 0, 0, 0));
  }

  /** The rules, word by word. */
  private static final class Reference {

    private final List<Link> links;

    Reference(List<Link> links) {
      this.links = links;
    }

    int target(int member) {
      Link link = links.get(member);
      String id = link.key().id();
      if (!link.correction()) {
        return Chains.NONE;
      }
      String named = link.supersedes() == null ? id : link.supersedes();
      int target = Chains.NONE;
      for (int other = 0; other < links.size(); other++) {
        EventKey key = links.get(other).key();
        if (!named.equals(key.id())) {
          continue;
        }
        boolean eligible = !named.equals(id) || revision(key) < revision(link.key());
        if (eligible
            && (target == Chains.NONE || revision(key) > revision(links.get(target).key()))) {
          target = other;
        }
      }
      boolean itself =
          target == Chains.NONE && named.equals(id) && link.key().revision().text() == null;
      return itself ? member : target;
    }

    private static int revision(EventKey key) {
      return key.revision().text() == null ? 0 : Integer.parseInt(key.revision().text());
    }

    /** The member and all it leads to, itself twice if it leads there. */
    private List<Integer> path(int member) {
      List<Integer> path = new ArrayList<>();
      int at = member;
      while (at != Chains.NONE && path.size() <= links.size()) {
        path.add(at);
        at = target(at);
      }
      return path;
    }

    boolean inCycle(int member) {
      return path(member).lastIndexOf(member) > 0;
    }

    private boolean endless(int member) {
      return path(member).size() > links.size();
    }

    int root(int member) {
      List<Integer> path = path(member);
      return endless(member) ? Chains.NONE : path.get(path.size() - 1);
    }

    private boolean broken(int member) {
      return links.get(member).correction() && target(member) == Chains.NONE;
    }

    boolean incomplete(int member) {
      return broken(member) || endless(member);
    }

    private int successors(int member) {
      int successors = 0;
      for (int other = 0; other < links.size(); other++) {
        successors += target(other) == member && !inCycle(other) ? 1 : 0;
      }
      return successors;
    }

    private boolean behindFork(int member) {
      if (inCycle(member) || target(member) == Chains.NONE) {
        return false;
      }
      return successors(target(member)) > 1 || behindFork(target(member));
    }

    boolean ambiguous(int member) {
      return successors(member) > 1 || behindFork(member);
    }

    /** What is in force once a member has done what it does. */
    private int after(int version, int member) {
      int before = target(member) == Chains.NONE ? Chains.NONE : after(version, target(member));
      Link link = links.get(member);
      if (broken(member) || !link.projected().get(version)) {
        return before;
      }
      if (Links.WINDOWS.windowed(version)) {
        List<Window> own = Links.WINDOWS.windows(version, link);
        if (!link.correction()) {
          if (own.stream().allMatch(window -> late(version, link, window))) {
            return before;
          }
        } else if (own.stream().anyMatch(window -> late(version, link, window))
            || before != Chains.NONE
                && Links.WINDOWS.windows(version, links.get(before)).stream()
                    .filter(window -> !late(version, links.get(before), window))
                    .anyMatch(window -> late(version, link, window))) {
          return before;
        }
      }
      return link.withdrawn() ? Chains.NONE : member;
    }

    private static boolean late(int version, Link link, Window window) {
      Instant limit = window.end().plus(Links.WINDOWS.allowedLateness(version));
      return link.watermark() != null && !link.watermark().isBefore(limit);
    }

    boolean inForce(int version, int member) {
      for (int end = 0; end < links.size(); end++) {
        boolean stands = !endless(end) && !behindFork(end) && successors(end) != 1;
        if (stands && after(version, end) == member) {
          return true;
        }
      }
      return false;
    }
  }
}
