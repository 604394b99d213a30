package dev.constat.rules.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import dev.constat.rules.envelope.Column;
import dev.constat.rules.envelope.ColumnType;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.Effect.AnyOf;
import dev.constat.rules.spec.RunSpec.Archive;

/** Checks the names in a run spec that stand for columns and what they are compared with. */
final class ColumnChecks {

  private static final ImmutableMap<String, Column> OF_EVENTS =
      Maps.uniqueIndex(Input.EVENTS.columns(), Column::name);
  private static final ImmutableSet<String> PARTS_OF_EVERY_KEY =
      ImmutableSet.of("source", "source_event_id");
  private static final ImmutableSet<String> DECISIONS_OF_ACCEPTED_EVENTS =
      ImmutableSet.of("ACCEPTED", "CORRECTION");

  private static final WordShape<String> TIMELINESS = WordShape.of("ON_TIME", "LATE", "FUTURE");

  private static final ImmutableSet<String> FLAGS =
      ImmutableSet.of(
          "ARCHIVE_CONTESTED",
          "HEURISTIC",
          "HASH_UNSAFE_NUMBER",
          "HASH_UNVERIFIABLE",
          "NO_KEY",
          "NO_REASON",
          "ORIGINAL_ABSENT",
          "OUT_OF_ORDER",
          "REPLAY_MARK_INCOMPLETE",
          "UNIT_SUSPECT",
          "UNKNOWN_SCHEMA_VERSION");

  private final RunSpec spec;
  private final Reading reading;

  ColumnChecks(RunSpec spec, Reading reading) {
    this.spec = spec;
    this.reading = reading;
  }

  void run() {
    spec.archives().forEach(this::checkArchive);
    KeyPath sources = KeyPath.ROOT.key("sources");
    for (int i = 0; i < spec.sources().size(); i++) {
      SourceContract contract = spec.sources().get(i);
      KeyPath path = reading.itemOf(sources, i);
      checkScope(contract.scope(), path.key("identity").key("scope"));
      if (contract.sequence() != null) {
        checkNumberedIn(contract.sequence().scope(), path.key("sequence").key("scope"));
      }
      contract
          .fields()
          .keySet()
          .forEach(column -> checkField(column, contract, path.key("fields")));
    }
    KeyPath effects = KeyPath.ROOT.key("effects");
    for (int i = 0; i < spec.effects().size(); i++) {
      KeyPath when = reading.itemOf(effects, i).key("when");
      spec.effects().get(i).when().forEach((column, anyOf) -> checkWhen(column, anyOf, when));
    }
  }

  private void checkArchive(Input input, Archive archive) {
    KeyPath path = KeyPath.ROOT.key("archives").key(input.key());
    ImmutableList<String> known =
        spec.layout(input).columns().stream()
            .map(Column::name)
            .collect(ImmutableList.toImmutableList());
    archive.columns().keySet().forEach(column -> checkKnown(column, known, path.key("columns")));
    archive
        .constants()
        .keySet()
        .forEach(column -> checkKnown(column, known, path.key("constants")));
  }

  private void checkKnown(String column, Iterable<String> known, KeyPath map) {
    if (!ImmutableSet.copyOf(known).contains(column)) {
      reading.keyProblem(
          map.key(column),
          "Unknown column %s in %s".formatted(Reading.quoted(column), map),
          "the nearest known column is '" + NearestName.of(column, known) + "'");
    }
  }

  private void checkScope(ImmutableList<String> scope, KeyPath path) {
    for (int i = 0; i < scope.size(); i++) {
      String column = scope.get(i);
      KeyPath at = reading.itemOf(path, i);
      if (PARTS_OF_EVERY_KEY.contains(column)) {
        reading.problem(
            at, column, at.label() + " '" + column + "' is part of every key", "remove it");
      } else if (isOfType(column, ColumnType.PAYLOAD)) {
        reading.problem(
            at, column, at.label() + " cannot be the payload", "name a column, or use revision");
      }
    }
  }

  private void checkNumberedIn(ImmutableList<String> scope, KeyPath path) {
    for (int i = 0; i < scope.size(); i++) {
      String column = scope.get(i);
      KeyPath at = reading.itemOf(path, i);
      if (column.equals("source")) {
        reading.problem(at, column, at.label() + " 'source' is part of every scope", "remove it");
      } else if (isOfType(column, ColumnType.PAYLOAD)) {
        reading.problem(at, column, at.label() + " cannot be the payload", "name a column");
      }
    }
  }

  private void checkField(String column, SourceContract contract, KeyPath fields) {
    FieldRef from = contract.fields().get(column);
    if (!from.inPayload() && contract.fields().containsKey(from.column())) {
      // Which of the two were taken first would decide.
      reading.keyProblem(
          fields.key(column),
          "%s in %s refers to %s, which stands there too".formatted(column, fields, from.column()),
          "refer to where " + from.column() + " comes from");
    }
    if (column.equals("source")) {
      reading.keyProblem(
          fields.key(column),
          "source in " + fields + " chooses the contract and cannot come from it",
          "map it in archives.events.columns");
    } else if (!OF_EVENTS.containsKey(column)) {
      Iterable<String> text =
          Sets.union(
              Maps.filterValues(OF_EVENTS, c -> c.type() == ColumnType.TEXT).keySet(),
              spec.referencedColumns());
      checkKnown(column, text, fields);
    } else if (!isOfType(column, ColumnType.TEXT)) {
      reading.keyProblem(
          fields.key(column),
          column + " in " + fields + " is not a text column",
          "map it in archives.events.columns");
    }
  }

  private void checkWhen(String column, AnyOf anyOf, KeyPath when) {
    KeyPath at = when.key(column);
    if (isOfType(column, ColumnType.PAYLOAD) || isOfType(column, ColumnType.TIME)) {
      reading.keyProblem(
          at, column + " in " + when + " is not a text column", "compare a column of text");
    } else if (column.equals("decision")
        && (anyOf.orAbsent() || !DECISIONS_OF_ACCEPTED_EVENTS.containsAll(anyOf.values()))) {
      reading.problem(
          at,
          null,
          "decision in " + when + " is neither ACCEPTED nor CORRECTION",
          "no other event has an effect");
    } else if (column.equals("timeliness")) {
      checkTimeliness(anyOf, at);
    } else if (column.equals("flags")) {
      for (String flag : Sets.difference(anyOf.values(), FLAGS)) {
        reading.problem(
            at,
            flag,
            "flags in %s: %s is not known".formatted(when, Reading.quoted(flag)),
            "the nearest is '" + NearestName.of(flag, FLAGS) + "'");
      }
    }
  }

  private void checkTimeliness(AnyOf anyOf, KeyPath at) {
    for (String word : anyOf.values()) {
      try {
        TIMELINESS.parse(word);
      } catch (Refusal refusal) {
        reading.refused(at, word, refusal);
      }
    }
    if (anyOf.orAbsent()) {
      reading.problem(
          at, null, at.label() + " is never null", "every event that has an effect has one");
    }
  }

  private static boolean isOfType(String column, ColumnType type) {
    return OF_EVENTS.containsKey(column) && OF_EVENTS.get(column).type() == type;
  }
}
