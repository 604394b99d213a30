package dev.constat.transforms.stages;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.encoding.RecentTexts;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.outbox.Delivery;
import dev.constat.rules.reconcile.EffectJudge;
import dev.constat.rules.reconcile.KeyPattern;
import dev.constat.rules.reconcile.RunFacts;
import dev.constat.rules.spec.SourceContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys that receptions of one pair (source, source_event_id) have, and which of them a row
 * means that names the pair.
 *
 * <p>Serves one fold.
 */
final class PairKeys {

  /** Up to so many keys of one pair are told apart when a row does not carry their whole scope. */
  static final int MAX_KEYS = 100_000;

  private static final int OF_A_KEY = EventFold.OF_A_KEY;
  private static final int OF_NO_KEY = EventFold.OF_NO_KEY;

  private final RunFacts facts;
  private final RecentTexts texts;
  private final List<String> namedOfOutbox;
  private final Map<String, SourceContract> contracts = new HashMap<>();

  private byte[] group;
  private String source;
  private SourceContract contract;
  private byte[] lastWithin;
  private long count;
  private final List<EventKey> keys = new ArrayList<>();
  private final Set<KeyPattern> ambiguous = new HashSet<>();

  PairKeys(RunFacts facts, RecentTexts texts) {
    this.facts = facts;
    this.texts = texts;
    this.namedOfOutbox = facts.spec().namedColumns(Input.OUTBOX).asList();
  }

  /** Begins a pair, given the group of its records. */
  void begin(byte[] eventGroup) {
    group = eventGroup;
    KeyReader in = new KeyReader(group, 0, group.length, texts);
    in.octet();
    source = in.repeatedText();
    contract = contracts.computeIfAbsent(source, facts.spec()::contract);
    lastWithin = null;
    count = 0;
    keys.clear();
    ambiguous.clear();
  }

  /** Begins rows that name no pair. */
  void beginNone() {
    group = null;
  }

  String source() {
    return source;
  }

  SourceContract contract() {
    return contract;
  }

  /** Whether a pair may have several keys. */
  boolean scoped() {
    return !contract.scope().isEmpty() || contract.revision() != null;
  }

  /** Whether it does. */
  boolean several() {
    return count > 1;
  }

  /** Notes that there is one key, which need not be told from others. */
  void only() {
    count = 1;
  }

  /** Notes the key of a reception; keys come in order. */
  void note(byte[] buffer, int from, int to) {
    if (lastWithin != null && Arrays.equals(lastWithin, 0, lastWithin.length, buffer, from, to)) {
      return;
    }
    lastWithin = Arrays.copyOfRange(buffer, from, to);
    count++;
    if (scoped() && keys.size() < MAX_KEYS) {
      keys.add(key(new KeyReader(lastWithin)));
    }
  }

  /** Reads a key of the pair. */
  EventKey key(KeyReader within) {
    KeyReader in = new KeyReader(group, 0, group.length, texts);
    return EventKey.read(in, within, contract.scope().size());
  }

  /** Appends under which key a row is judged, or why under none. */
  void writeOwner(KeyWriter owner, KeyReader row) {
    if (group != null && !scoped()) {
      if (count == 1) {
        owner.octet(OF_A_KEY).raw(lastWithin);
      } else {
        owner.octet(OF_NO_KEY).text(EffectJudge.UNKNOWN_EVENT);
      }
      return;
    }
    Delivery delivery = Delivery.read(row, namedOfOutbox.size());
    if (delivery.joinsNone()) {
      owner.octet(OF_NO_KEY).text(EffectJudge.CONTRADICTORY_EVENT);
    } else if (!delivery.row().namesEvent()) {
      owner.octet(OF_NO_KEY).text(EffectJudge.NO_EVENT);
    } else {
      fittingKey(
          owner,
          KeyPattern.of(
              delivery.row(), contract, namedOfOutbox, column -> facts.has(Input.OUTBOX, column)));
    }
  }

  private void fittingKey(KeyWriter owner, KeyPattern pattern) {
    EventKey fitting = null;
    long fits = count > keys.size() ? count : 0;
    for (EventKey key : keys) {
      if (pattern.names(key)) {
        fits = 1;
        fitting = key;
        break;
      }
      if (pattern.fits(key)) {
        fits++;
        fitting = key;
      }
    }
    if (fits == 1) {
      owner.octet(OF_A_KEY);
      fitting.writeWithinGroup(owner);
      return;
    }
    if (fits > 1) {
      ambiguous.add(pattern);
    }
    owner
        .octet(OF_NO_KEY)
        .text(fits == 0 ? EffectJudge.UNKNOWN_EVENT : EffectJudge.AMBIGUOUS_EVENT);
  }

  /** Whether a row names several keys, this one among them. */
  boolean isAmbiguous(EventKey key) {
    for (KeyPattern pattern : ambiguous) {
      if (count > keys.size() || pattern.fits(key)) {
        return true;
      }
    }
    return false;
  }
}
