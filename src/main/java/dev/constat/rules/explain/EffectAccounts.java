package dev.constat.rules.explain;

import com.google.common.base.Preconditions;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.explain.EffectAccount.Had;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.outbox.Status;
import dev.constat.rules.spec.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Why an event had, or had not, its effect of one type (spec section 6): told from the rows of the
 * effects table, and from the outbox rows themselves where they could be read again.
 */
public final class EffectAccounts {

  private final ImmutableMap<String, OutboxRow> outbox;
  private final ReceptionFacts first;
  private final Effect limits;
  private final Edges edges;
  private final ImmutableMap<String, String> heads;

  private final Set<String> why = new LinkedHashSet<>();
  private final Set<String> unless = new LinkedHashSet<>();
  private int done;
  private int open;
  private int unknown;
  private int replayed;

  private EffectAccounts(
      ImmutableMap<String, OutboxRow> outbox,
      ReceptionFacts first,
      Effect limits,
      Edges edges,
      ImmutableMap<String, String> heads) {
    this.outbox = outbox;
    this.first = first;
    this.limits = limits;
    this.edges = edges;
    this.heads = heads;
  }

  /**
   * The account of an effect type.
   *
   * @param rows those of the effects table about the event and the type; at least one
   * @param outbox outbox rows by id, as far as they could be read
   * @param first the first reception of the event, or null where there is none
   * @param limits what its delivery is held to, or null where that is not known
   * @param edges what the run could see
   * @param heads rows that an earlier one of their aggregate holds back, each with that one
   */
  public static EffectAccount of(
      List<EffectFacts> rows,
      ImmutableMap<String, OutboxRow> outbox,
      ReceptionFacts first,
      Effect limits,
      Edges edges,
      ImmutableMap<String, String> heads) {
    Preconditions.checkArgument(!rows.isEmpty(), "No rows, no account");
    EffectAccounts accounts = new EffectAccounts(outbox, first, limits, edges, heads);
    return accounts.account(rows);
  }

  private EffectAccount account(List<EffectFacts> rows) {
    TreeMap<String, Set<String>> keys = new TreeMap<>();
    rows.forEach(row -> tell(row, keys));
    keys.forEach(
        (consumer, used) -> {
          if (used.size() > 1) {
            why.add(
                "at %s it happened under %s effect keys (%s)"
                    .formatted(consumer, used.size(), String.join(", ", used)));
            unless.add("Under one effect key, what came after the first would be a redelivery.");
          }
        });
    Had had =
        done > 0
            ? open > 0 ? Had.PARTLY : Had.YES
            : open > 0 ? Had.NO : unknown > 0 ? Had.NOT_KNOWN : Had.NOT_EXPECTED;
    return new EffectAccount(
        rows.get(0).effectType(), had, new Account(sentence(had), ImmutableList.copyOf(unless)));
  }

  private String sentence(Had had) {
    String begin =
        switch (had) {
          case YES -> "It had its effect: ";
          case PARTLY -> "It had its effect in part: ";
          case NO -> replayed > 0 ? "It had its effect by a replay alone: " : "It had no effect: ";
          case NOT_EXPECTED -> "No effect was expected: ";
          case NOT_KNOWN -> "The run cannot tell: ";
        };
    return begin + String.join("; ", why) + ".";
  }

  private void tell(EffectFacts row, TreeMap<String, Set<String>> keys) {
    OutboxRow sent = row.outboxId() == null ? null : outbox.get(row.outboxId());
    if (row.acks() > 0
        && row.effectKey() != null
        && row.consumer() != null
        && !row.outcome().equals("REPLAY")
        && !row.outcome().equals("ORPHAN")) {
      keys.computeIfAbsent(row.consumer(), consumer -> new LinkedHashSet<>()).add(row.effectKey());
    }
    switch (row.outcome()) {
      case "DONE" -> done(row);
      case "NO_ACK" -> unanswered(row, sent);
      case "PENDING" -> pending(row, sent);
      case "DLQ" -> dead(row, sent);
      case "MISSING" -> missing();
      case "SURPLUS" -> surplus(row);
      case "ORPHAN" -> orphan(row);
      case "REPLAY" -> replay(row);
      case "SUPPRESSED" -> why.add("%s repeats were suppressed".formatted(row.repeats()));
      case "IN_FLIGHT" -> inFlight(row, sent);
      case "OUT_OF_HORIZON" -> outOfHorizon(row, sent);
      default -> {
        unknown++;
        why.add(
            row.outboxId() == null
                ? "whether a row was due is not judged"
                : "row %s is not judged%s".formatted(row.outboxId(), standing(row)));
      }
    }
  }

  private static String standing(EffectFacts row) {
    return row.status() == null ? "" : ", it stands at " + row.status();
  }

  private static String named(String consumer) {
    return consumer == null ? "somebody without a name" : consumer;
  }

  private void done(EffectFacts row) {
    done++;
    why.add(
        "row %s was acknowledged by %s%s%s%s"
            .formatted(
                row.outboxId(),
                named(row.consumer()),
                row.firstAckedAt() == null ? "" : " at " + row.firstAckedAt(),
                row.effectKey() == null ? "" : " under key " + row.effectKey(),
                row.repeats() == 0
                    ? ""
                    : row.repeats() == 1
                        ? ", and once more"
                        : ", and %s times more".formatted(row.repeats())));
    if (row.status() != null
        && (row.status().equals(Status.PENDING.name())
            || row.status().equals(Status.PROCESSING.name()))) {
      why.add("the row still stands at %s, so that it may be sent again".formatted(row.status()));
    }
  }

  private void unanswered(EffectFacts row, OutboxRow sent) {
    open++;
    Instant at = sent == null ? null : sent.dispatchedAt().orNull();
    if (row.firstAckedAt() != null) {
      why.add(
          "%s answered row %s at %s and applied nothing"
              .formatted(named(row.consumer()), row.outboxId(), row.firstAckedAt()));
      unless.add(
          "An answer of %s that says applied would be its effect."
              .formatted(named(row.consumer())));
      return;
    }
    why.add(
        "row %s was dispatched%s, and %s never acknowledged it"
            .formatted(row.outboxId(), at == null ? "" : " at " + at, named(row.consumer())));
    if (at != null && limits != null) {
      unless.add(
          "An acknowledgement by %s was due by %s (grace %s)."
              .formatted(named(row.consumer()), at.plus(limits.grace()), limits.grace()));
    }
  }

  private void pending(EffectFacts row, OutboxRow sent) {
    open++;
    if (sent == null) {
      why.add("row %s is not sent yet%s".formatted(row.outboxId(), standing(row)));
      return;
    }
    if (sent.status() == Status.PROCESSING) {
      claimed(row, sent);
      return;
    }
    Instant due = sent.createdAt();
    Instant visible = sent.visibleAt().orNull();
    if (visible != null && visible.isAfter(due)) {
      due = visible;
    }
    String head = heads.get(row.outboxId());
    if (head != null) {
      why.add(
          "row %s is PENDING since %s, held back by row %s before it in its aggregate"
              .formatted(row.outboxId(), due, head));
      unless.add("It could go once row %s is delivered or given up.".formatted(head));
      return;
    }
    if (limits != null && sent.attempts() != null && sent.attempts() >= limits.maxAttempts()) {
      why.add(
          "row %s waits at PENDING after %s attempts of %s, so that nobody tries again"
              .formatted(row.outboxId(), sent.attempts(), limits.maxAttempts()));
      unless.add("With max_attempts of %s it would be tried again.".formatted(sent.attempts() + 1));
      return;
    }
    if (limits == null || edges.outboxCut() == null) {
      why.add("row %s is PENDING since %s".formatted(row.outboxId(), due));
      return;
    }
    Duration waited = Duration.between(due, edges.outboxCut());
    if (waited.compareTo(limits.pendingAfter()) > 0) {
      why.add(
          "row %s is PENDING since %s, %s before the outbox ends, more than the %s allowed"
              .formatted(row.outboxId(), due, waited, limits.pendingAfter()));
      unless.add("With pending_after of %s it would count as waiting.".formatted(waited));
    } else {
      why.add(
          "row %s is PENDING since %s and may wait for %s"
              .formatted(row.outboxId(), due, limits.pendingAfter()));
    }
  }

  private void claimed(EffectFacts row, OutboxRow sent) {
    Instant until = sent.leaseUntil().orNull();
    String owner = sent.leaseOwner() == null ? "somebody without a name" : sent.leaseOwner();
    if (until == null || edges.outboxCut() == null || limits == null) {
      why.add("row %s is claimed by %s and not sent".formatted(row.outboxId(), owner));
      return;
    }
    Duration past = Duration.between(until, edges.outboxCut());
    if (past.compareTo(limits.grace()) > 0) {
      why.add(
          "row %s is claimed by %s, whose lease ended at %s, %s before the outbox ends"
              .formatted(row.outboxId(), owner, until, past));
      unless.add("With a grace of %s the lease would still stand.".formatted(past));
    } else {
      why.add("row %s is claimed by %s until %s".formatted(row.outboxId(), owner, until));
    }
  }

  private void dead(EffectFacts row, OutboxRow sent) {
    open++;
    why.add(
        "row %s was given up%s%s"
            .formatted(
                row.outboxId(),
                sent == null || sent.dlqAt().orNull() == null ? "" : " at " + sent.dlqAt().orNull(),
                sent == null || sent.attempts() == null
                    ? ""
                    : " after %s attempts".formatted(sent.attempts())));
    unless.add("Sent again from the dead letters and acknowledged, it would have its effect.");
  }

  private void missing() {
    open++;
    why.add("no outbox row announces it, although the event was accepted");
    if (first != null && limits != null) {
      unless.add(
          "A row was due by %s (grace %s)."
              .formatted(first.receivedAt().plus(limits.grace()), limits.grace()));
    }
  }

  private void surplus(EffectFacts row) {
    why.add(
        row.against() == null
            ? "row %s is one too many: nothing asks for it".formatted(row.outboxId())
            : "row %s is one too many: %s is in force".formatted(row.outboxId(), row.against()));
    if (row.acks() > 0) {
      done++;
      why.add(
          "%s acknowledged that row%s"
              .formatted(
                  named(row.consumer()),
                  row.effectKey() == null ? "" : ", under key " + row.effectKey()));
    }
  }

  private void orphan(EffectFacts row) {
    unknown++;
    why.add(
        row.status() == null && row.row() == null
            ? "an acknowledgement by %s names row %s, which is not there"
                .formatted(named(row.consumer()), row.outboxId())
            : first == null
                ? "row %s names the event, and nobody received it".formatted(row.outboxId())
                : "row %s cannot be told to belong to this event".formatted(row.outboxId()));
  }

  private void replay(EffectFacts row) {
    replayed += row.acks() > 0 ? 1 : 0;
    why.add(
        row.firstAckedAt() == null
            ? "a replay wrote row %s".formatted(row.outboxId())
            : "of a replay, row %s was acknowledged by %s%s%s"
                .formatted(
                    row.outboxId(),
                    named(row.consumer()),
                    row.acks() == 0 ? ", who applied nothing," : "",
                    row.effectKey() == null ? "" : " under key " + row.effectKey()));
    unknown++;
  }

  private void inFlight(EffectFacts row, OutboxRow sent) {
    unknown++;
    Instant since = since(row, sent);
    why.add(
        row.outboxId() == null
            ? "no row announces it yet, and one may still be on its way"
            : row.status() == null
                ? "row %s may belong to an event that is still on its way".formatted(row.outboxId())
                : "row %s was sent, and the answer of %s may still be on its way"
                    .formatted(row.outboxId(), named(row.consumer())));
    if (since != null && limits != null) {
      unless.add(
          "It can be told once the inputs reach beyond %s (grace %s)."
              .formatted(since.plus(limits.grace()), limits.grace()));
    }
  }

  private void outOfHorizon(EffectFacts row, OutboxRow sent) {
    unknown++;
    Instant since = since(row, sent);
    Instant start = row.outboxId() == null ? edges.outboxStart() : edges.acksStart();
    why.add(
        row.outboxId() == null
            ? "its row, if there was one, is no longer kept"
            : "row %s was sent%s, and the answer of %s is no longer kept"
                .formatted(
                    row.outboxId(), since == null ? "" : " at " + since, named(row.consumer())));
    if (since != null && start != null) {
      unless.add(
          "It could be told if %s went back to %s; they begin at %s."
              .formatted(
                  row.outboxId() == null ? "outbox rows" : "acknowledgements", since, start));
    }
  }

  private Instant since(EffectFacts row, OutboxRow sent) {
    if (row.outboxId() == null) {
      return first == null ? null : first.receivedAt();
    }
    if (sent == null) {
      return null;
    }
    return Objects.requireNonNullElse(sent.dispatchedAt().orNull(), sent.createdAt());
  }
}
