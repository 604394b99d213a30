package dev.constat.rules.reconcile;

import dev.constat.rules.identity.EventKey;
import dev.constat.rules.identity.Revision;
import dev.constat.rules.outbox.OutboxRow;
import dev.constat.rules.spec.SourceContract;
import java.util.ArrayList;
import java.util.List;

/**
 * Which keys of a pair (source, source_event_id) an outbox row may mean: where the key has scope
 * columns or a revision, the row may carry them too, and what it does not carry fits anything (spec
 * section 3.2).
 *
 * @param scope values of the scope columns; null fits any
 * @param revision the revision; null fits any
 */
public record KeyPattern(List<String> scope, Revision revision) {

  /** What a row says of its event's key. */
  public static KeyPattern of(OutboxRow row, SourceContract contract, List<String> namedColumns) {
    List<String> scope = new ArrayList<>();
    for (String column : contract.scope()) {
      scope.add(row.value(column, namedColumns));
    }
    String revision = contract.revision() == null ? null : revision(row, contract, namedColumns);
    return new KeyPattern(scope, revision == null ? null : Revision.of(revision));
  }

  /** From the column of that name, else from the one that the source keeps its revisions in. */
  private static String revision(
      OutboxRow row, SourceContract contract, List<String> namedColumns) {
    String revision = row.value(SourceContract.REVISION, namedColumns);
    return revision == null && !contract.revision().inPayload()
        ? row.value(contract.revision().column(), namedColumns)
        : revision;
  }

  /** Whether a key fits. */
  public boolean fits(EventKey key) {
    if (revision != null && !revision.equals(key.revision())) {
      return false;
    }
    for (int i = 0; i < scope.size(); i++) {
      if (scope.get(i) != null && !scope.get(i).equals(key.scope().get(i))) {
        return false;
      }
    }
    return true;
  }
}
