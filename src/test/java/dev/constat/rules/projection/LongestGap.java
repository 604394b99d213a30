package dev.constat.rules.projection;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.table.TableSchema.Column;
import dev.constat.rules.table.TableSchema.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * An example of a projection found at run time: per key, the longest time without an event, in
 * milliseconds, and what the event behind it holds at the field named by option {@code of}.
 */
public final class LongestGap implements Projection {

  @Override
  public String kind() {
    return "longest-gap";
  }

  @Override
  public ImmutableList<Column> columns(ImmutableMap<String, String> options) {
    return ImmutableList.of(new Column("gap_ms", Type.LONG), new Column("ended_by", Type.TEXT));
  }

  @Override
  public Fold begin(ImmutableMap<String, String> options) {
    String field = options.get("of");
    return new Fold() {
      private Instant last;
      private Duration longest;
      private String endedBy;

      @Override
      public void next(Contribution contribution) {
        Instant at = contribution.occurredAt();
        Duration gap = last == null ? null : Duration.between(last, at);
        if (gap != null && (longest == null || gap.compareTo(longest) > 0)) {
          longest = gap;
          endedBy = contribution.value(field);
        }
        last = at;
      }

      @Override
      public List<Result> end() {
        return longest == null
            ? List.of()
            : List.of(new Result(null, Arrays.asList(longest.toMillis(), endedBy)));
      }
    };
  }
}
