package dev.constat.rules.spec;

import static dev.constat.rules.spec.Key.withDefault;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import dev.constat.rules.json.JsonLimits;
import java.util.function.Function;

/** What {@code limits} of a run spec may say. */
final class LimitsShape {

  private static final int GIB = 1 << 30;

  private static final Key<Limits, Integer> LINE_BYTES =
      limit("line_bytes", 1_024, GIB, Limits::lineBytes, "The longest line of a file, in bytes.");

  private static final Key<Limits, Integer> NESTING =
      limit(
          "nesting",
          1,
          JsonLimits.MAX_NESTING,
          Limits::nesting,
          "How deep arrays and objects of JSON may nest.");

  private static final Key<Limits, Integer> NUMBER_CHARACTERS =
      limit(
          "number_characters",
          20,
          100_000,
          Limits::numberCharacters,
          "How many characters a JSON number may have, its sign not counted.");

  private static final Key<Limits, Integer> STRING_CHARACTERS =
      limit(
          "string_characters",
          1_024,
          GIB,
          Limits::stringCharacters,
          "How many characters a JSON string may have.");

  private static final Key<Limits, Integer> COLUMNS =
      limit(
          "columns",
          1,
          1_000_000,
          Limits::columns,
          "How many columns a Parquet file, or fields a JSON record, may have at its top.");

  private static final Key<Limits, Integer> ROW_GROUP_BYTES =
      limit(
          "row_group_bytes",
          1_024,
          Integer.MAX_VALUE,
          Limits::rowGroupBytes,
          "The largest row group of Parquet, in bytes of the columns used as the file has them.");

  private static final Key<Limits, Integer> PAGE_BYTES =
      limit(
          "page_bytes",
          1_024,
          GIB,
          Limits::pageBytes,
          "The largest page of Parquet, in bytes once unpacked.");

  private static final Key<Limits, Integer> EXAMPLES_PER_KIND =
      limit(
          "examples_per_kind",
          1,
          1_000,
          Limits::examplesPerKind,
          "How many findings of a kind report.html shows; findings.jsonl always holds all.");

  /** The group. */
  static final GroupShape<Limits> LIMITS =
      new GroupShape<>(
          ImmutableList.of(
              LINE_BYTES,
              NESTING,
              NUMBER_CHARACTERS,
              STRING_CHARACTERS,
              COLUMNS,
              ROW_GROUP_BYTES,
              PAGE_BYTES,
              EXAMPLES_PER_KIND),
          values ->
              new Limits(
                  values.get(LINE_BYTES),
                  values.get(NESTING),
                  values.get(NUMBER_CHARACTERS),
                  values.get(STRING_CHARACTERS),
                  values.get(COLUMNS),
                  values.get(ROW_GROUP_BYTES),
                  values.get(PAGE_BYTES),
                  values.get(EXAMPLES_PER_KIND)));

  private LimitsShape() {}

  private static Key<Limits, Integer> limit(
      String name, int least, int most, Function<Limits, Integer> getter, String doc) {
    return withDefault(
        name, IntegerShape.between(least, most), getter, getter.apply(Limits.DEFAULT), doc);
  }

  /** The limits that are not the default: a limit that nobody changes changes no run's id. */
  static ObjectNode changed(Limits limits) {
    ObjectNode changed = LIMITS.write(limits);
    LIMITS
        .write(Limits.DEFAULT)
        .fields()
        .forEachRemaining(
            standard -> {
              if (changed.get(standard.getKey()).equals(standard.getValue())) {
                changed.remove(standard.getKey());
              }
            });
    return changed;
  }
}
