package dev.constat.rules.reading;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.Input;

/**
 * A word of the contract: the status of an outbox row, a recorded decision, under whose keys a
 * replay has its effects. Foreign words become those of the contract through {@code values} of the
 * run spec, which is asked first.
 */
final class WordRule extends TextRule {

  private static final ImmutableSet<String> STATUS =
      ImmutableSet.of("PENDING", "PROCESSING", "DISPATCHED", "DLQ");
  private static final ImmutableSet<String> DECISION =
      ImmutableSet.of(
          "ACCEPTED",
          "CORRECTION",
          "EXACT_DUPLICATE",
          "CONFLICTING_DUPLICATE",
          "LATE",
          "FUTURE",
          "ARCHIVE_COPY",
          "ARCHIVE_CONFLICT");

  private static final ImmutableSet<String> EFFECT_KEYS = ImmutableSet.of("original", "own");

  private final ImmutableSet<String> words;
  private final ImmutableMap<String, String> translations;

  WordRule(Input input, Column column, ImmutableMap<String, String> translations) {
    super(input, column);
    this.words = words(input, column);
    this.translations = translations;
  }

  static boolean applies(Input input, Column column) {
    return !words(input, column).isEmpty();
  }

  private static ImmutableSet<String> words(Input input, Column column) {
    if (input == Input.OUTBOX && column.name().equals("status")) {
      return STATUS;
    }
    if (input == Input.DECISIONS && column.name().equals("decision")) {
      return DECISION;
    }
    if (input == Input.REPLAYS && column.name().equals("effect_keys")) {
      return EFFECT_KEYS;
    }
    return ImmutableSet.of();
  }

  @Override
  public Object ofBytes(byte[] bytes) throws UnreadableValue {
    return ofText(decoded(bytes));
  }

  @Override
  public Object ofText(String text) throws UnreadableValue {
    String word = translations.getOrDefault(wellFormed(text), text);
    if (words.contains(word)) {
      return word;
    }
    throw new UnreadableValue(
        name() + " is a word that the contract lacks",
        "map it in "
            + input().key()
            + " with values: {"
            + Excerpt.of(text)
            + ": ...}; ours are "
            + String.join(", ", words),
        text);
  }
}
