package dev.constat.rules.reconcile;

import com.google.common.collect.ImmutableList;
import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.spec.SourceContract;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Which keys of a pair (source, source_event_id) an outbox row may mean: where the key has scope
 * columns or a revision, the row may carry them too, and what it does not carry fits anything (spec
 * section 3.2).
 *
 * @param scope what the row says of the scope columns, in the contract's order
 * @param revision what it says of the revision, or null where the source has none
 */
public record KeyPattern(List<Said> scope, Said revision) {

  /**
   * What a row says of a column.
   *
   * @param value the value, or null
   * @param carried whether the outbox has the column at all, so that null may be what it says
   */
  public record Said(String value, boolean carried) {}

  /**
   * What a row says of its event's key.
   *
   * @param carried whether the outbox input has a column
   */
  public static KeyPattern of(
      OutboxRow row,
      SourceContract contract,
      List<String> namedColumns,
      Predicate<String> carried) {
    ImmutableList.Builder<Said> scope = ImmutableList.builder();
    for (String column : contract.scope()) {
      scope.add(new Said(row.value(column, namedColumns), carried.test(column)));
    }
    return new KeyPattern(scope.build(), revision(row, contract, namedColumns, carried));
  }

  /** From the column of that name, else from the one that the source keeps its revisions in. */
  private static Said revision(
      OutboxRow row,
      SourceContract contract,
      List<String> namedColumns,
      Predicate<String> carried) {
    if (contract.revision() == null) {
      return null;
    }
    boolean ownColumn = !contract.revision().inPayload();
    String value = row.value(SourceContract.REVISION, namedColumns);
    if (value == null && ownColumn) {
      value = row.value(contract.revision().column(), namedColumns);
    }
    return new Said(
        value,
        carried.test(SourceContract.REVISION)
            || ownColumn && carried.test(contract.revision().column()));
  }

  /** Whether a key fits, what the row does not say fitting anything. */
  public boolean fits(EventKey key) {
    for (int i = 0; i < scope.size(); i++) {
      String value = scope.get(i).value();
      if (value != null && !value.equals(key.scope().get(i))) {
        return false;
      }
    }
    return revision == null
        || revision.value() == null
        || Revision.of(revision.value()).equals(key.revision());
  }

  /** Whether the row says all of a key, null for null: then it means no other. */
  public boolean names(EventKey key) {
    for (int i = 0; i < scope.size(); i++) {
      if (!says(scope.get(i)) || !Objects.equals(scope.get(i).value(), key.scope().get(i))) {
        return false;
      }
    }
    return revision == null
        || says(revision) && Revision.of(revision.value()).equals(key.revision());
  }

  private static boolean says(Said said) {
    return said.value() != null || said.carried();
  }
}
