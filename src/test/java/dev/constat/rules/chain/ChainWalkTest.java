package dev.constat.rules.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.OptionalTime;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Revision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChainWalkTest {

  private static String members(Chains chains, IntPredicate which) {
    List<String> names = new ArrayList<>();
    for (int member = 0; member < chains.size(); member++) {
      if (which.test(member)) {
        names.add(Links.name(chains.link(member)));
      }
    }
    return String.join(" ", names);
  }

  private static String inForce(Chains chains, int version) {
    return members(chains, member -> chains.inForce(version, member));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // links | in force with windows | in force in current | AMBIGUOUS | INCOMPLETE
        // C08: A, B, A
        "e1, e2<e1, e3<e2 | e3 | e3 | '' | ''",
        // no correction at all
        "e1, e2 | e1 e2 | e1 e2 | '' | ''",
        // C39: a target that is nowhere, and one that comes later
        "x2<x1, ?f<x7, x7 | ?f | ?f | '' | x2",
        // what follows a broken correction finds nothing in force
        "x2<x1, x3<x2 | x3 | x3 | '' | x2",
        // C40: a cycle, a self-reference, a fork
        "a<b, b<a | '' | '' | '' | a b",
        "s<s | '' | '' | '' | s",
        "r, r1<r, r2<r | r | r | r r1 r2 | ''",
        // a cycle with a tail
        "a<b, b<c, c<a, t<b, u<t | '' | '' | '' | a b c t u",
        // a fork behind a cycle, and one at a cycle
        "a<a, t<a, u<t, v<t | '' | '' | t u v | a t u v",
        "a<a, t<a, u<a | '' | '' | a t u | a t u",
        // a fork in the middle: the chain stands as it was at the fork point
        "e1, e2<e1, e3<e2, e4<e2, e5<e4 | e2 | e2 | e2 e3 e4 e5 | ''",
        "e1, e2<e1, e3<e2, e4<e2, e5<e4, e6<e4 | e2 | e2 | e2 e3 e4 e5 e6 | ''",
        // a fork behind a broken correction
        "x2<x1, x3<x2, x4<x2 | '' | '' | x2 x3 x4 | x2",
        // two corrections of what is nowhere are each broken, and no fork of what is there
        "x2<x1, x3<x1 | '' | '' | '' | x2 x3",
        // a correction too late for its own window, in the middle and at the end
        "e1, e2<e1 w10:15, e3<e2 | e3 | e3 | '' | ''",
        "e1, e2<e1, e3<e2 w10:15 | e2 | e3 | '' | ''",
        "e1, e2<e1 w10:14 | e2 | e2 | '' | ''",
        // in time for its own window, too late for that of what is in force
        "e1, e2<e1 10:40 w10:15 | e1 | e2 | '' | ''",
        // what was skipped lends its windows to nobody
        "e1 10:30, e2<e1 10:00 w10:30, e3<e2 10:40 w10:31 | e3 | e3 | '' | ''",
        // the window of the last that was applied decides
        "e1 10:00, e2<e1 10:30 w10:10, e3<e2 10:30 w10:35 | e3 | e3 | '' | ''",
        // a root too late is not in force, so nothing holds its correction back
        "e1 w10:20, e2<e1 10:40 w10:20 | e2 | e2 | '' | ''",
        "e1 w10:20 | '' | e1 | '' | ''",
        // not projected: passed over
        "e1, e2<e1 -0, e3<e2 | e3 | e3 | '' | ''",
        "e1, e2<e1 -0 | e1 | e2 | '' | ''",
        "e1 -0, e2<e1 | e2 | e2 | '' | ''",
        // withdrawals
        "e1, e2<e1 withdrawn | '' | '' | '' | ''",
        "e1, e2<e1 withdrawn, e3<e2 | e3 | e3 | '' | ''",
        "e1, e2<e1 withdrawn, e3<e2 10:40 w10:20 | e3 | e3 | '' | ''",
        "e1, e2<e1, e3<e2 withdrawn | '' | '' | '' | ''",
        "e1, e2<e1 withdrawn w10:20 | e1 | '' | '' | ''",
        "e1, e2<e1 withdrawn w10:20, e3<e2 | e3 | e3 | '' | ''",
        "e1 withdrawn | '' | '' | '' | ''",
        "e1 withdrawn, e2<e1 | e2 | e2 | '' | ''",
        "e1, e2<e1 withdrawn, e3<e2, e4<e2 | '' | '' | e2 e3 e4 | ''",
        // revisions
        "e#1, e#2, e#10 | e#10 | e#10 | '' | ''",
        "e#1, e#2<e, e#3<e | e#3 | e#3 | '' | ''",
        "e#2<e | '' | '' | '' | e#2",
        "e#2 | '' | '' | '' | e#2",
        "a<e, e#1, e#2 | a | a | '' | ''",
        "e#1, e#2, f<e, g<f, e#3<g | e#2 | e#2 | '' | e#3 f g",
        // beside each other
        "a, b<a, c, d<c withdrawn, e | b e | b e | '' | ''",
      })
  void whatIsInForce(
      String links, String windowed, String current, String ambiguous, String incomplete) {
    Chains chains = Links.resolve(Links.of(links));
    assertThat(inForce(chains, 0)).as("windows").isEqualTo(windowed);
    assertThat(inForce(chains, 1)).as("current").isEqualTo(current);
    assertThat(members(chains, chains::ambiguous)).as("AMBIGUOUS").isEqualTo(ambiguous);
    assertThat(members(chains, chains::incomplete)).as("INCOMPLETE").isEqualTo(incomplete);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // a root counts where it is not too late
        "e1 10:07 w10:31 | e1",
        "e1 10:07 w10:35 | ''",
        // a correction must be in time for all of its windows, and all in which the root counts
        "e1 10:07, e2<e1 10:07 w10:31 | e1",
        "e1 10:07, e2<e1 10:17 w10:31 | e1",
        "e1 10:07, e2<e1 10:17 w10:29 | e2",
        "e1 10:07 w10:31, e2<e1 10:17 w10:31 | e2",
        "e1 10:07 w10:31, e2<e1 10:17 w10:35 | e1",
      })
  void severalWindows(String links, String inForce) {
    Chains chains = Links.resolve(Links.of(links));
    assertThat(inForce(chains, 2)).isEqualTo(inForce);
  }

  @Test
  void aChainTakesTheNumberOfItsRoot() {
    Chains chains = Links.resolve(Links.of("a<b, b<d, c<a, d, e<nowhere, f<e, g<g, h<g"));
    List<Integer> roots = new ArrayList<>();
    for (int member = 0; member < chains.size(); member++) {
      roots.add(chains.root(member));
    }
    assertThat(roots).containsExactly(3, 3, 3, 3, 4, 4, Chains.NONE, Chains.NONE);
    assertThat(chains.target(0)).isEqualTo(1);
    assertThat(chains.target(4)).isEqualTo(Chains.NONE);
  }

  @Test
  void aContributionMayHaveBeenAppliedAndNoLongerBeInForce() {
    Chains chains = Links.resolve(Links.of("e1, e2<e1 w10:15, e3<e2 withdrawn, e4<e3 -0"));
    assertThat(members(chains, member -> chains.applied(0, member))).isEqualTo("e1 e3");
    assertThat(members(chains, member -> chains.applied(1, member))).isEqualTo("e1 e2 e3 e4");
    assertThat(inForce(chains, 0)).isEmpty();
  }

  @Test
  void chainsMayHaveAnyLength() {
    int length = 100_000;
    List<Link> links = new ArrayList<>();
    // Each corrects the one with the next smaller id, or the next greater one.
    for (String prefix : List.of("a", "b")) {
      for (int i = 0; i < length; i++) {
        int target = prefix.equals("a") ? i - 1 : i + 1;
        boolean root = target < 0 || target == length;
        links.add(numbered(prefix, i, root ? null : id(prefix, target)));
      }
    }
    // And a cycle of the same length.
    for (int i = 0; i < length; i++) {
      links.add(numbered("c", i, id("c", (i + 1) % length)));
    }
    Chains chains = Links.resolve(links);
    assertThat(inForce(chains, 0)).isEqualTo(id("a", length - 1) + " " + id("b", 0));
    assertThat(chains.root(length - 1)).isZero();
    assertThat(chains.root(length)).isEqualTo(2 * length - 1);
    assertThat(chains.inCycle(3 * length - 1)).isTrue();
  }

  private static String id(String prefix, int number) {
    return prefix + String.format(Locale.ROOT, "%06d", number);
  }

  private static Link numbered(String prefix, int number, String supersedes) {
    Instant time = Links.at("10:00").plusMillis(number);
    BitSet projected = new BitSet();
    projected.set(0, 3);
    String id = id(prefix, number);
    return new Link(
        EventKey.ofId("S", id, List.of(), Revision.NONE),
        id,
        time,
        time,
        supersedes != null,
        supersedes,
        OptionalTime.ABSENT,
        false,
        null,
        projected,
        new Place(0, 0, 0, number, 0));
  }

  @Test
  void idsAreInTheOrderOfTheirBytes() {
    // In UTF-16 the third would come before the second.
    Chains chains = Links.resolve(Links.of("a, \uFF5E<a, \uD83D\uDE00<\uFF5E, b<\uD83D\uDE00"));
    assertThat(chains.size()).isEqualTo(4);
    assertThat(IdOrder.compare("\uFF5E", "\uD83D\uDE00")).isNegative();
    assertThat(IdOrder.compare("a\uD83D\uDE01", "a\uD83D\uDE00")).isPositive();
    assertThat(IdOrder.compare("a", "a\uD83D\uDE00")).isNegative();
    assertThat(IdOrder.compare("a", "a")).isZero();
  }

  @Test
  void membersComeInOrder() {
    ChainWalk walk = new ChainWalk(Links.WINDOWS);
    List<Link> links = Links.of("e#1, e#2, f");
    walk.add(links.get(1));
    assertThatThrownBy(() -> walk.add(links.get(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must come after");
    assertThatThrownBy(() -> walk.add(links.get(1))).isInstanceOf(IllegalArgumentException.class);
    walk.add(links.get(2));
    assertThat(walk.resolve().size()).isEqualTo(2);
  }

  @Test
  void linksAreReadBackAsTheyWereWritten() {
    for (Link link : Links.of("e1 w10:05 -1, e2<e1 withdrawn, ?f<e1 r11:00")) {
      KeyWriter out = new KeyWriter();
      link.writeContent(out);
      KeyReader in = new KeyReader(out.toBytes());
      assertThat(Link.read(link.key(), in)).isEqualTo(link);
      assertThat(in.isAtEnd()).isTrue();
    }
  }
}
