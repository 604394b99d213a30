package dev.constat.rules.spec;

import com.google.common.collect.ImmutableMap;
import dev.constat.rules.json.JsonLimits;
import java.io.Serializable;

/**
 * What is too large to be read, and is refused by name rather than tried: the bounds of the memory
 * that one record, page or row group can take. Each is far above what archives hold and can be
 * raised by the key of its name in the run spec.
 *
 * @param lineBytes the longest line, in bytes of its text
 * @param nesting how deep arrays and objects of JSON may nest
 * @param numberCharacters how many characters a JSON number may have, its sign not counted
 * @param stringCharacters how many characters a JSON string may have
 * @param columns how many columns a Parquet file, or fields a JSON record, may have at its top
 * @param rowGroupBytes the largest row group of a Parquet file, in bytes of its used columns as
 *     they lie in the file, since they are held on the heap together
 * @param pageBytes the largest page of a Parquet file, in bytes once unpacked
 * @param examplesPerKind how many findings of a kind a page shows; never a limit of files
 */
public record Limits(
    int lineBytes,
    int nesting,
    int numberCharacters,
    int stringCharacters,
    int columns,
    int rowGroupBytes,
    int pageBytes,
    int examplesPerKind)
    implements Serializable {

  /** The limits of a run spec that gives none. */
  public static final Limits DEFAULT =
      new Limits(64 << 20, 1_000, 1_000, 20_000_000, 10_000, 1 << 30, 256 << 20, 20);

  /** Those of JSON. */
  public JsonLimits json() {
    return new JsonLimits(nesting, numberCharacters, stringCharacters);
  }

  /** All of them by their keys in the run spec, in the order in which they are described. */
  public ImmutableMap<String, Integer> byKey() {
    ImmutableMap.Builder<String, Integer> byKey = ImmutableMap.builder();
    LimitsShape.LIMITS
        .write(this)
        .fields()
        .forEachRemaining(limit -> byKey.put(limit.getKey(), limit.getValue().intValue()));
    return byKey.buildOrThrow();
  }
}
