package dev.constat.rules.plan;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.findings.Kind;
import dev.constat.rules.findings.Tally;
import dev.constat.rules.json.JsonArray;
import dev.constat.rules.json.JsonObject;
import dev.constat.rules.table.RowCodec;
import dev.constat.rules.table.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A line of a plan before its position is known.
 *
 * @param table one of {@link PlanTables}
 * @param order bytes by which lines of a table are sorted
 * @param row its values, but position and evidence; read back, texts are UTF-8 in {@code byte[]}
 * @param place where the raw record stands
 */
public record PlanLine(TableSchema table, byte[] order, Object[] row, Place place) {

  /**
   * A line.
   *
   * @param values all but position and evidence
   */
  static PlanLine of(TableSchema table, byte[] order, Place place, Object... values) {
    Object[] row = new Object[table.columns().size()];
    System.arraycopy(values, 0, row, 1, values.length);
    if (values.length + 1 + PlanTables.evidenceColumns() != row.length) {
      throw new IllegalArgumentException("Not the values of a row of " + table.name());
    }
    return new PlanLine(table, order, row, place);
  }

  /**
   * The same message, withheld.
   *
   * @param becauseOf the id of what speaks against it, or null
   */
  PlanLine withheld(Withheld reason, String becauseOf) {
    if (!planned()) {
      throw new IllegalStateException("[BUG] Only a message that is planned can be withheld");
    }
    Object[] values = new Object[row.length - 1 - PlanTables.evidenceColumns() + 2];
    values[0] = reason.name();
    values[1] = becauseOf;
    System.arraycopy(row, 1, values, 2, values.length - 2);
    return of(PlanTables.WITHHELD_MESSAGES, order, place, values);
  }

  /** Whether it is a message to be sent. */
  boolean planned() {
    return table.equals(PlanTables.REPAIR_PLAN);
  }

  /** The same message about its row, of which another kind of finding is stated. */
  PlanLine ofKind(Kind kind) {
    String subject = new JsonObject().put("outbox_id", text("outbox_id")).toString();
    return with("kind", kind.name())
        .with("findings", new JsonArray().add(reference(kind, subject)).toString());
  }

  /**
   * A finding as an element of a column of {@link TableSchema.Type#FINDINGS}.
   *
   * @param subject canonical JSON of an object
   */
  static JsonObject reference(Kind kind, String subject) {
    return new JsonObject().put("kind", kind.name()).putJson("subject", subject);
  }

  /** A value by its column. */
  public Object value(String column) {
    return row[indexOf(column)];
  }

  /** The same line with another value in a column. */
  PlanLine with(String column, Object value) {
    Object[] changed = Arrays.copyOf(row, row.length);
    changed[indexOf(column)] = value;
    return new PlanLine(table, order, changed, place);
  }

  private int indexOf(String column) {
    for (int i = 0; i < row.length; i++) {
      if (table.columns().get(i).name().equals(column)) {
        return i;
      }
    }
    throw new IllegalArgumentException(table.name() + " has no column " + column);
  }

  private String text(String column) {
    Object value = value(column);
    return value instanceof byte[] utf8 ? new String(utf8, StandardCharsets.UTF_8) : (String) value;
  }

  /** Counts it, whatever it is. */
  public void countInto(Tally tally) {
    if (table.equals(PlanTables.REPLAY_PLAN)) {
      tally.add(1, PlanTally.EVENTS);
    } else if (table.equals(PlanTables.WITHHELD_EVENTS)) {
      tally.add(1, PlanTally.WITHHELD, text("reason"));
    } else if (table.equals(PlanTables.REPAIR_PLAN)) {
      tally.add(1, PlanTally.MESSAGES, text("effect_type"), text("kind"));
    } else {
      tally.add(1, PlanTally.WITHHELD, text("reason"));
      tally.add(1, PlanTally.WITHHELD_MESSAGES, text("effect_type"), text("kind"));
    }
  }

  /** Where it stands among all lines: by table, then in the order of the table. */
  public void writeOrder(KeyWriter out) {
    out.octet(PlanTables.ALL.indexOf(table)).raw(order);
  }

  /** Appends all of it to a record. */
  public void write(KeyWriter out) {
    out.octet(PlanTables.ALL.indexOf(table)).bytes(order);
    RowCodec.write(out, table, row);
    place.write(out);
  }

  /** Reads what {@link #write} wrote. */
  public static PlanLine read(KeyReader in) {
    TableSchema table = PlanTables.ALL.get(in.octet());
    byte[] order = in.bytes();
    Object[] row = RowCodec.read(in, table);
    return new PlanLine(table, order, row, Place.read(in));
  }
}
