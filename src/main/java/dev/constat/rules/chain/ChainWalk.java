package dev.constat.rules.chain;

import com.google.common.base.Preconditions;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.projection.Outcome;
import dev.constat.rules.projection.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Follows the corrections of one source and scope, and finds which contributions are in force at
 * the end (spec section 5).
 *
 * <p>A member is a link by its number, in the order in which links were added. They may include
 * events that correct nothing and that nothing corrects: each is a chain of its own.
 *
 * <p>Time is linear in the links but for the search for targets; memory is a few integers per link
 * beside the links. Nothing recurses, so that chains may have any length.
 */
public final class ChainWalk {

  private static final int NO_MEMBER = -1;

  private final VersionWindows windows;
  private final List<Link> links = new ArrayList<>();
  private int[] identified = new int[16];
  private int identifiedCount;

  private int[] targets;
  private BitSet broken;
  private int[] firstSuccessor;
  private int[] nextSuccessor;
  private BitSet inCycle;
  private BitSet behindCycle;
  private BitSet forks;
  private BitSet behindFork;
  private int[] roots;
  private int[] order;

  /** A walk. */
  public ChainWalk(VersionWindows windows) {
    this.windows = windows;
  }

  /**
   * Adds a member. Those with an id come in the order of (id, revision); those without one may
   * stand anywhere, but always in the same place.
   */
  public void add(Link link) {
    Preconditions.checkState(targets == null, "The chains are resolved");
    if (!link.key().heuristic()) {
      checkOrder(link);
      if (identifiedCount == identified.length) {
        identified = Arrays.copyOf(identified, identifiedCount * 2);
      }
      identified[identifiedCount++] = links.size();
    }
    links.add(link);
  }

  private void checkOrder(Link link) {
    if (identifiedCount == 0) {
      return;
    }
    Link before = links.get(identified[identifiedCount - 1]);
    int byId = IdOrder.compare(before.key().id(), link.key().id());
    boolean ordered =
        byId < 0
            || byId == 0
                && Arrays.compareUnsigned(
                        bytes(before.key().revision()), bytes(link.key().revision()))
                    < 0;
    Preconditions.checkArgument(
        ordered, "Invalid link: %s, must come after %s", link.key(), before.key());
  }

  private static byte[] bytes(Revision revision) {
    KeyWriter out = new KeyWriter();
    revision.write(out);
    return out.toBytes();
  }

  /** Follows all chains, once every member is added. */
  public Chains resolve() {
    Preconditions.checkState(targets == null, "The chains are resolved");
    findTargets();
    findCycles();
    findSuccessors();
    orderFromRoots();
    BitSet[] applied = new BitSet[windows.versions()];
    BitSet[] inForce = new BitSet[windows.versions()];
    for (int version = 0; version < applied.length; version++) {
      applied[version] = new BitSet();
      inForce[version] = new BitSet();
      follow(version, applied[version], inForce[version]);
    }
    return new Chains(
        links,
        targets,
        firstSuccessor,
        nextSuccessor,
        roots,
        broken,
        inCycle,
        behindCycle,
        forks,
        behindFork,
        applied,
        inForce);
  }

  private void findTargets() {
    targets = new int[links.size()];
    broken = new BitSet();
    Arrays.fill(targets, NO_MEMBER);
    int idsBefore = 0;
    for (int member = 0; member < targets.length; member++) {
      Link link = links.get(member);
      if (link.correction()) {
        targets[member] = targetOf(member, idsBefore);
        broken.set(member, targets[member] == NO_MEMBER);
      }
      idsBefore += link.key().heuristic() ? 0 : 1;
    }
  }

  /**
   * What a correction corrects.
   *
   * @param idsBefore how many members with an id come before it
   */
  private int targetOf(int member, int idsBefore) {
    Link link = links.get(member);
    String id = link.key().id();
    String supersedes = link.supersedes();
    if (supersedes != null && !supersedes.equals(id)) {
      return greatestOf(supersedes);
    }
    if (idsBefore > 0 && links.get(identified[idsBefore - 1]).key().id().equals(id)) {
      return identified[idsBefore - 1];
    }
    // It names itself, and has no revision that would make that mean another.
    boolean itself = supersedes != null && link.key().revision().equals(Revision.NONE);
    return itself ? member : NO_MEMBER;
  }

  /** The member with the greatest revision of an id. */
  private int greatestOf(String id) {
    int from = 0;
    int to = identifiedCount;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (IdOrder.compare(links.get(identified[middle]).key().id(), id) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from > 0 && links.get(identified[from - 1]).key().id().equals(id)
        ? identified[from - 1]
        : NO_MEMBER;
  }

  private void findCycles() {
    inCycle = new BitSet();
    int[] walkOf = new int[targets.length];
    for (int start = 0; start < targets.length; start++) {
      int walk = start + 1;
      int at = start;
      while (at != NO_MEMBER && walkOf[at] == 0) {
        walkOf[at] = walk;
        at = targets[at];
      }
      if (at != NO_MEMBER && walkOf[at] == walk) {
        while (!inCycle.get(at)) {
          inCycle.set(at);
          at = targets[at];
        }
      }
    }
  }

  /** Lists who succeeds whom; members of cycles succeed nobody, so that what is left are trees. */
  private void findSuccessors() {
    firstSuccessor = new int[targets.length];
    nextSuccessor = new int[targets.length];
    Arrays.fill(firstSuccessor, NO_MEMBER);
    Arrays.fill(nextSuccessor, NO_MEMBER);
    forks = new BitSet();
    for (int member = targets.length - 1; member >= 0; member--) {
      int target = targets[member];
      if (target != NO_MEMBER && !inCycle.get(member)) {
        forks.set(target, firstSuccessor[target] != NO_MEMBER);
        nextSuccessor[member] = firstSuccessor[target];
        firstSuccessor[target] = member;
      }
    }
  }

  /** Puts every member behind its target, and tells it what it hangs behind. */
  private void orderFromRoots() {
    order = new int[targets.length];
    roots = new int[targets.length];
    behindCycle = new BitSet();
    behindFork = new BitSet();
    int end = 0;
    for (int member = 0; member < targets.length; member++) {
      if (targets[member] == NO_MEMBER || inCycle.get(member)) {
        roots[member] = inCycle.get(member) ? NO_MEMBER : member;
        order[end++] = member;
      }
    }
    for (int i = 0; i < end; i++) {
      int target = order[i];
      int next = firstSuccessor[target];
      while (next != NO_MEMBER) {
        roots[next] = roots[target];
        behindCycle.set(next, roots[target] == NO_MEMBER);
        behindFork.set(next, forks.get(target) || behindFork.get(target));
        order[end++] = next;
        next = nextSuccessor[next];
      }
    }
  }

  private void follow(int version, BitSet applied, BitSet inForce) {
    int[] inForceAfter = new int[targets.length];
    for (int member : order) {
      if (roots[member] == NO_MEMBER || behindFork.get(member)) {
        continue;
      }
      int before = targets[member] == NO_MEMBER ? NO_MEMBER : inForceAfter[targets[member]];
      int after = before;
      if (applies(version, member, before)) {
        applied.set(member);
        after = links.get(member).withdrawn() ? NO_MEMBER : member;
      }
      inForceAfter[member] = after;
      boolean last = firstSuccessor[member] == NO_MEMBER || forks.get(member);
      if (last && after != NO_MEMBER) {
        inForce.set(after);
      }
    }
  }

  private boolean applies(int version, int member, int before) {
    Link link = links.get(member);
    if (broken.get(member) || !link.projected().get(version)) {
      return false;
    }
    if (!windows.windowed(version)) {
      return true;
    }
    if (!link.correction()) {
      return tooLate(version, link, link) < windows.windows(version, link).size();
    }
    return tooLate(version, link, link) == 0
        && (before == NO_MEMBER || !tooLateToReplace(version, link, links.get(before)));
  }

  /** In how many of the windows of a member another, or itself, is too late. */
  private int tooLate(int version, Link link, Link of) {
    Duration lateness = windows.allowedLateness(version);
    int count = 0;
    for (Window window : windows.windows(version, of)) {
      count += Outcome.of(link.watermark(), window.end(), lateness) == Outcome.TOO_LATE ? 1 : 0;
    }
    return count;
  }

  /** Whether a correction is too late in one of the windows in which what is in force counts. */
  private boolean tooLateToReplace(int version, Link correction, Link before) {
    Duration lateness = windows.allowedLateness(version);
    for (Window window : windows.windows(version, before)) {
      boolean counts = Outcome.of(before.watermark(), window.end(), lateness) != Outcome.TOO_LATE;
      if (counts
          && Outcome.of(correction.watermark(), window.end(), lateness) == Outcome.TOO_LATE) {
        return true;
      }
    }
    return false;
  }
}
