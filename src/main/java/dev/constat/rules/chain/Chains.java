package dev.constat.rules.chain;

import java.util.BitSet;
import java.util.List;

/**
 * The chains of one source and scope, resolved. Members go by the number in which they were added
 * to their {@link ChainWalk}, versions by their index.
 */
public final class Chains {

  /** Stands for no member. */
  public static final int NONE = -1;

  private final List<Link> links;
  private final int[] targets;
  private final int[] firstSuccessor;
  private final int[] nextSuccessor;
  private final int[] roots;
  private final BitSet broken;
  private final BitSet inCycle;
  private final BitSet behindCycle;
  private final BitSet forks;
  private final BitSet behindFork;
  private final BitSet[] applied;
  private final BitSet[] inForce;

  Chains(
      List<Link> links,
      int[] targets,
      int[] firstSuccessor,
      int[] nextSuccessor,
      int[] roots,
      BitSet broken,
      BitSet inCycle,
      BitSet behindCycle,
      BitSet forks,
      BitSet behindFork,
      BitSet[] applied,
      BitSet[] inForce) {
    this.links = links;
    this.targets = targets;
    this.firstSuccessor = firstSuccessor;
    this.nextSuccessor = nextSuccessor;
    this.roots = roots;
    this.broken = broken;
    this.inCycle = inCycle;
    this.behindCycle = behindCycle;
    this.forks = forks;
    this.behindFork = behindFork;
    this.applied = applied;
    this.inForce = inForce;
  }

  /** How many members there are. */
  public int size() {
    return links.size();
  }

  /** The link of a member. */
  public Link link(int member) {
    return links.get(member);
  }

  /** What a member corrects, or {@link #NONE} where it is no correction or a broken one. */
  public int target(int member) {
    return targets[member];
  }

  /**
   * Where the chain of a member begins, whose place in the order of {@code current} it takes;
   * {@link #NONE} where it leads into a cycle.
   */
  public int root(int member) {
    return roots[member];
  }

  /**
   * Whether a member did what it does to a version: added its contribution, replaced the one that
   * was in force, or took it back.
   */
  public boolean applied(int version, int member) {
    return applied[version].get(member);
  }

  /**
   * Whether the contribution of a member is what its chain adds to a version at the end. That of a
   * correction counts in all its windows, that of a root in those where it is not too late.
   */
  public boolean inForce(int version, int member) {
    return inForce[version].get(member);
  }

  /** Whether the cells of a member are AMBIGUOUS: it is a fork point or stands behind one. */
  public boolean ambiguous(int member) {
    return forks.get(member) || behindFork.get(member);
  }

  /**
   * Whether the cells of a member are INCOMPLETE: its target is absent, or it is in a cycle or
   * hangs behind one.
   */
  public boolean incomplete(int member) {
    return broken.get(member) || inCycle.get(member) || behindCycle.get(member);
  }

  /** Whether a member is a correction whose target is absent. */
  public boolean broken(int member) {
    return broken.get(member);
  }

  /** Whether a member is in a cycle. */
  public boolean inCycle(int member) {
    return inCycle.get(member);
  }

  /** Whether several members correct a member, those that close a cycle apart. */
  public boolean fork(int member) {
    return forks.get(member);
  }

  /** The first of those that correct a member, those that close a cycle apart, or none. */
  int firstSuccessor(int member) {
    return firstSuccessor[member];
  }

  /** The next of those that correct what a member corrects, or none. */
  int nextSuccessor(int member) {
    return nextSuccessor[member];
  }
}
