package dev.constat.transforms.simulator;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMultiset;
import com.google.common.collect.SortedMultiset;
import com.google.common.collect.TreeMultiset;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Level;
import dev.constat.transforms.simulator.Inbox.Receipt;
import dev.constat.transforms.simulator.OutboxEntry.Status;
import dev.constat.transforms.simulator.Replay.Emission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What has to be found in an archive, told from what was played: from what consumers got and why,
 * what the dispatchers passed over, what replays did.
 */
public final class Truth {

  private final Scenario scenario;
  private final Outbox outbox;
  private final List<Expectation> expectations = new ArrayList<>();
  private final SortedMultiset<String> witnessed = TreeMultiset.create();

  private Truth(Scenario scenario, Outbox outbox) {
    this.scenario = scenario;
    this.outbox = outbox;
  }

  static Truth of(Scenario scenario, Outbox outbox, Intake intake, Broker broker, Replays replays) {
    Truth truth = new Truth(scenario, outbox);
    scenario.pools().forEach(truth::mode);
    broker.inboxes().forEach(truth::effects);
    outbox.entries().forEach(truth::row);
    truth.intake(intake);
    truth.replays(replays);
    return truth;
  }

  private void mode(PoolPlan pool) {
    String mode = pool.ordered() ? pool.keepsOrder() ? "ordered" : "order neglected" : "default";
    witness("mode " + mode + (pool.claims() ? ", claims" : ", no claims"));
    witness("mode " + mode + (pool.workers() > 1 ? ", several workers" : ", one worker"));
  }

  private void witness(String what) {
    witnessed.add(what);
  }

  private void expect(Expectation expectation) {
    expectations.add(expectation);
    if (!expectation.mayBeAbsent()) {
      witness(
          expectation.kind()
              + (expectation.level() == expectation.kind().level()
                  ? ""
                  : " as " + expectation.level().key()));
      expectation.hints().forEach(hint -> witness(expectation.kind() + " " + hint));
      if (scenario.breach() != null && scenario.breach().comesTo(expectation)) {
        witness("breach " + scenario.breach());
      }
    }
  }

  // ---- effects

  private void effects(Inbox inbox) {
    int furtherKeys = Math.max(0, inbox.byKey().size() - 1);
    int appliedAgain = 0;
    for (Map.Entry<String, List<Receipt>> key : inbox.byKey().entrySet()) {
      List<Receipt> receipts = key.getValue();
      int again = (int) receipts.stream().filter(Receipt::appliedAgain).count();
      appliedAgain += again;
      int repeats = receipts.size() - 1 - again;
      if (repeats > 0) {
        redelivery(inbox, key.getKey(), receipts, repeats);
      }
    }
    if (furtherKeys + appliedAgain > 0) {
      List<Receipt> all = inbox.byKey().values().stream().flatMap(List::stream).toList();
      boolean oneRowTwoKeys =
          inbox.byKey().values().stream()
                  .filter(
                      receipts ->
                          receipts.stream()
                              .anyMatch(r -> !r.replayed() && !r.publication().entry().surplus))
                  .count()
              > 1;
      expect(
          unit(Expectation.of(Kind.DOUBLE_EFFECT), inbox)
              .times(furtherKeys + appliedAgain)
              .hint(oneRowTwoKeys, "UNSTABLE_KEY")
              .hint(furtherKeys > 0 && staleOwner(all), "STALE_OWNER"));
    }
  }

  private static Expectation unit(Expectation expectation, Inbox inbox) {
    return expectation
        .about("source", inbox.event().source)
        .about("source_event_id", inbox.event().id)
        .about("effect_type", inbox.type())
        .about("consumer", inbox.consumer());
  }

  /** Whether the archive shows that somebody sent a message who did not own the row in the end. */
  private boolean staleOwner(List<Receipt> receipts) {
    return scenario.workersNamed()
        && receipts.stream()
            .filter(receipt -> !receipt.replayed())
            .map(Receipt::publication)
            .anyMatch(p -> p.entry().owner != null && !p.entry().owner.equals(p.worker()));
  }

  private void redelivery(Inbox inbox, String key, List<Receipt> receipts, int repeats) {
    boolean byReplay = receipts.stream().anyMatch(Receipt::replayed);
    Expectation expectation =
        unit(Expectation.of(Kind.REDELIVERY), inbox)
            .about("effect_key", key)
            .hint(byReplay, "REPLAY")
            .times(repeats);
    List<Receipt> originals = receipts.stream().filter(receipt -> !receipt.replayed()).toList();
    for (int i = 1; i < originals.size(); i++) {
      if (!originals.get(i).appliedAgain()) {
        through(expectation, originals.get(i - 1), originals.get(i));
      }
    }
    expect(expectation);
  }

  /** Why a consumer got a message again, and what of it the archive can show. */
  private void through(Expectation expectation, Receipt before, Receipt again) {
    Publication n = again.publication();
    Window played = window(before.publication(), n);
    boolean wholeStory = n.claim() != null && scenario.everyVersion() && scenario.workersNamed();
    witness("window " + played + (wholeStory ? "" : ", half shown"));
    Set<Window> shown = EnumSet.of(played);
    if (played == Window.SURPLUS_ROW) {
      expectation.through(shown);
      return;
    }
    if (!wholeStory) {
      halfShown(shown, played, n);
    }
    if (n.claim() != null) {
      if (crossedClaim(before) || crossedClaim(again)) {
        // It was sent before; its acknowledgement, which is all that the archive has, came after.
        shown.add(Window.LAPSED_LEASE);
        shown.add(Window.BATCH_OVER_LEASE);
      }
      if (played == Window.PUBLISHED_BEFORE_MARK && !before.at().isBefore(n.claim().from())) {
        shown.add(Window.NOT_SHOWN);
      }
    }
    expectation.through(shown);
  }

  /**
   * Without claims, names of workers or older versions less is known. What then says the least
   * wrong is that the row was tried again, where it was, and that it was marked later.
   */
  private void halfShown(Set<Window> shown, Window played, Publication again) {
    shown.add(Window.NOT_SHOWN);
    if (played != Window.NOT_SHOWN || again.entry().attempts > 1) {
      shown.add(Window.PUBLISHED_BEFORE_MARK);
    }
    if (played == Window.BATCH_OVER_LEASE || played == Window.OVERLAPPING_LEASES) {
      shown.add(Window.LAPSED_LEASE);
    }
  }

  private static Window window(Publication before, Publication again) {
    if (before.equals(again)) {
      return Window.NOT_SHOWN;
    }
    if (before.entry() != again.entry()) {
      return Window.SURPLUS_ROW;
    }
    if (again.afterMark()) {
      return Window.SUPERSEDED_MARK;
    }
    if (before.besideAnother() || again.besideAnother()) {
      return Window.OVERLAPPING_LEASES;
    }
    if (before.stale() || again.stale()) {
      Publication stale = again.stale() ? again : before;
      return stale.claim().rows() > 1 ? Window.BATCH_OVER_LEASE : Window.LAPSED_LEASE;
    }
    return Window.PUBLISHED_BEFORE_MARK;
  }

  /** Whether somebody else claimed the row between a publication and its acknowledgement. */
  private static boolean crossedClaim(Receipt receipt) {
    Publication publication = receipt.publication();
    return publication.entry().claimTimes.stream()
        .anyMatch(claim -> claim.isAfter(publication.at()) && !claim.isAfter(receipt.at()));
  }

  // ---- rows

  private static Expectation aboutRow(Kind kind, OutboxEntry entry) {
    return Expectation.of(kind).about("outbox_id", entry.id);
  }

  private void row(OutboxEntry entry) {
    if (entry.replayId != null || !entry.committed) {
      return;
    }
    PoolPlan pool =
        scenario.pools().stream()
            .filter(candidate -> candidate.types().contains(entry.type))
            .findFirst()
            .orElseThrow();
    if (pool.ordered()) {
      order(entry);
    } else if (!entry.overtook.isEmpty()) {
      throw new AssertionError("Nobody watches the order of " + pool);
    }
    if (scenario.breach() != null) {
      state(entry, pool);
    }
    if (entry.stolen) {
      witness("stolen lease" + (scenario.everyVersion() ? "" : ", last versions"));
      if (scenario.everyVersion()) {
        expect(aboutRow(Kind.LEASE_OVERLAP, entry).times(0));
      }
    }
    if (entry.surplus) {
      expect(aboutRow(Kind.SURPLUS_OUTBOX, entry).hint(true, "DEDUP_EXPIRED"));
    }
    if (entry.event.vanished) {
      expect(aboutRow(Kind.ORPHAN_OUTBOX, entry));
    }
  }

  /** Undelivered last; of equals, the first in order. */
  private OutboxEntry latest(List<OutboxEntry> overtaken) {
    return overtaken.stream()
        .max(
            Comparator.comparing(
                    (OutboxEntry entry) -> entry.seenAt,
                    Comparator.nullsLast(Comparator.naturalOrder()))
                .thenComparing(outbox.contractOrder().reversed()))
        .orElseThrow();
  }

  private void order(OutboxEntry entry) {
    if (!entry.overtook.isEmpty()) {
      OutboxEntry head = latest(entry.overtook);
      String cause = cause(head, entry);
      expect(
          aboutRow(Kind.ORDER_VIOLATION, entry)
              .hint(true, cause)
              .hint(entry.overtakenWhileDead > 0, "DLQ_RESUBMIT")
              .times(0));
      witness("overtaking " + cause + (head.seenAt == null ? ", never delivered" : ""));
    } else if (entry.overtakenWhileDead > 0) {
      expect(
          aboutRow(Kind.ORDER_VIOLATION, entry)
              .as(Level.WARNING)
              .hint(true, "DLQ_RESUBMIT")
              .times(entry.overtakenWhileDead));
    }
  }

  private static String cause(OutboxEntry head, OutboxEntry entry) {
    if (head.attempts > 1) {
      return "RETRY_OVERTAKE";
    }
    if (head.visibleAt != null && head.visibleAt.isAfter(entry.seenAt)) {
      return "LATE_VISIBILITY";
    }
    return entry.event.priority > head.event.priority ? "PRIORITY" : "UNKNOWN";
  }

  private void state(OutboxEntry entry, PoolPlan pool) {
    switch (entry.fault) {
      case DEAD -> {
        if (entry.status == Status.DLQ) {
          expect(aboutRow(Kind.DLQ, entry));
          return;
        }
      }
      case EXHAUSTED -> {
        if (entry.abandoned) {
          expect(aboutRow(Kind.IMPLICIT_DLQ, entry));
          return;
        }
      }
      case CURSOR_SKIP -> {
        if (entry.passedOverFor == null) {
          expect(aboutRow(Kind.STUCK_PENDING, entry).hint(sentLater(entry), "CURSOR_SKIP"));
          return;
        }
      }
      case LEFT_CLAIMED -> {
        if (entry.abandoned) {
          expect(aboutRow(Kind.STUCK_LEASE, entry));
          return;
        }
      }
      case NEVER_MARKED -> {
        if (entry.abandoned) {
          expect(aboutRow(Kind.ACKED_NOT_TERMINAL, entry));
          return;
        }
      }
      case TRIED_TOO_OFTEN -> {
        if (entry.status == Status.DISPATCHED) {
          expect(aboutRow(Kind.RETRY_LIMIT_EXCEEDED, entry));
        }
      }
      case LONG_LEASE -> {
        if (entry.faultPlayed && entry.claimTimes.size() == 1) {
          expect(aboutRow(Kind.IMPLAUSIBLE_LEASE, entry));
        }
      }
      case LOST_MESSAGE ->
          expect(aboutRow(Kind.MISSING_ACK, entry).about("consumer", pool.consumers().get(0)));
      default -> {
        // its state is as it should be
      }
    }
    if (entry.passedOverFor != null) {
      expect(aboutRow(Kind.BLOCKED_BY_HEAD, entry));
    }
  }

  /** Whether a row that stands later in the outbox was sent. */
  private boolean sentLater(OutboxEntry entry) {
    return outbox.entries().stream()
        .anyMatch(
            other ->
                other.replayId == null
                    && other.status == Status.DISPATCHED
                    && outbox.contractOrder().compare(other, entry) > 0);
  }

  // ---- events

  private void intake(Intake intake) {
    intake
        .lost()
        .forEach(
            (event, types) ->
                types.forEach(
                    type ->
                        expect(
                            Expectation.of(Kind.MISSING_OUTBOX)
                                .about("source", event.source)
                                .about("source_event_id", event.id)
                                .about("effect_type", type))));
    for (String ingestion : intake.acceptedAgain()) {
      if (scenario.recordsDecisions()) {
        expect(Expectation.of(Kind.DECISION_MISMATCH).about("ingestion_id", ingestion));
      }
    }
  }

  /** An acknowledgement that no row of the outbox stands behind. */
  void strayAck(String ackId) {
    expect(Expectation.of(Kind.ORPHAN_ACK).about("ack_id", ackId));
  }

  // ---- replays

  private void replays(Replays replays) {
    for (Replay replay : replays.replays()) {
      boolean leave = replay.registered() && replay.authorised();
      witness(
          "replay"
              + (leave ? " with leave" : " without leave")
              + (replay.conduct().effects() ? ", effects" : "")
              + (replay.conduct().resumed() ? ", resumed" : ""));
      Map<Emission, Integer> forbidden = new LinkedHashMap<>();
      for (Emission emission : replay.emissions()) {
        if (!leave) {
          forbidden.merge(emission, 1, Integer::sum);
        } else if (emission.outOfScope()) {
          expect(aboutEmission(Kind.REPLAY_OUT_OF_SCOPE, replay, emission).times(0));
        }
      }
      forbidden.forEach(
          (emission, times) ->
              expect(aboutEmission(Kind.UNAUTHORISED_REPLAY_EFFECT, replay, emission).times(0)));
    }
    Replay last = replays.replays().isEmpty() ? null : replays.replays().get(0);
    if (replays.disordered()) {
      expect(Expectation.of(Kind.REPLAY_ORDER).about("replay_id", last.id()));
    }
    if (replays.brokenOff()) {
      expect(Expectation.of(Kind.REPLAY_PARTIAL).about("replay_id", last.id()).times(0));
    }
    if (replays.overlapping()) {
      expect(Expectation.of(Kind.REPLAY_OVERLAP).about("replay_ids", "[\"r1\",\"r2\"]").times(0));
    }
  }

  private static Expectation aboutEmission(Kind kind, Replay replay, Emission emission) {
    return Expectation.of(kind)
        .about("replay_id", replay.id())
        .about("outbox_id", emission.entry().id)
        .about("consumer", emission.consumer())
        .about("effect_key", emission.key());
  }

  /** What has to be found, or may be. */
  public ImmutableList<Expectation> expectations() {
    return ImmutableList.copyOf(expectations);
  }

  /** What happened, each with how often. */
  public ImmutableSortedMultiset<String> witnessed() {
    return ImmutableSortedMultiset.copyOfSorted(witnessed);
  }
}
