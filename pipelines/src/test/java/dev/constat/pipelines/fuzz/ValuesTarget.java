package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.same;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Place;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.envelope.Unreadable;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.reading.RowSink;
import dev.constat.rules.spec.RunSpec.Archive;
import dev.constat.rules.spec.RunSpec.TimeUnit;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text in columns of times and integers, held against java.time and BigInteger. */
final class ValuesTarget {

  private static final String REFUSED = "refused";
  private static final String UNZONED = "unzoned";
  private static final BigInteger NANOS = BigInteger.valueOf(1_000_000_000);
  private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  private static final Pattern TIME =
      Pattern.compile(
          "([-+]?[0-9]{4,10})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})"
              + "(?::([0-9]{2})(?:\\.([0-9]+))?)?([Zz]|([-+])([0-9]{2})(?::?([0-9]{2}))?)?");

  private ValuesTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    boolean number = CanonicalJson.isNumber(text);
    same("a number", NUMBER.matcher(text).matches(), number);
    same("a time", time(text), read(Input.EVENTS, "occurred_at", text, null, false));
    same(
        "an integer",
        integer(text, BigInteger.valueOf(Long.MIN_VALUE), BigInteger.valueOf(Long.MAX_VALUE)),
        read(Input.OUTBOX, "attempts", text, null, false));
    same(
        "an unsigned integer",
        text.startsWith("-") ? REFUSED : integer(text, BigInteger.ZERO, LARGEST),
        read(Input.EVENTS, "source_sequence", text, null, false));
    if (number) {
      same(
          "an unsigned number",
          integer(text, BigInteger.ZERO, LARGEST),
          read(Input.EVENTS, "source_sequence", text, null, true));
      for (TimeUnit unit : TimeUnit.values()) {
        same(
            "a time in " + unit,
            time(text, unit),
            read(Input.EVENTS, "occurred_at", text, unit, true));
      }
    }
  }

  /** What becomes of a value: its text, or that it is refused or has no zone. */
  private static String read(
      Input input, String column, String value, TimeUnit unit, boolean number) {
    Layout layout = Layout.of(input, List.of());
    Archive archive =
        new Archive(
            ImmutableList.of("archive"),
            null,
            null,
            ImmutableMap.of(),
            ImmutableMap.of(),
            unit,
            null,
            null,
            null,
            null,
            false,
            false,
            ImmutableMap.of());
    Told told = new Told(layout.indexOf(column));
    RowBuilder builder = new RowBuilder(layout, archive, told);
    builder.begin();
    for (int i = 0; i < layout.columns().size(); i++) {
      if (layout.columns().get(i).required()) {
        builder.text(i, "2026-01-05T10:00:00Z");
      }
    }
    if (number) {
      builder.number(layout.indexOf(column), value);
    } else {
      builder.text(layout.indexOf(column), value);
    }
    builder.end(new Place(0, 0, 0, 0, 0));
    return told.what;
  }

  private static String integer(String text, BigInteger least, BigInteger greatest) {
    if (!text.matches("-?[0-9]+")) {
      return REFUSED;
    }
    BigInteger value = new BigInteger(text);
    boolean fits = value.compareTo(least) >= 0 && value.compareTo(greatest) <= 0;
    return fits ? String.valueOf(value.longValue()) : REFUSED;
  }

  private static String time(String text, TimeUnit unit) {
    if (!text.matches("-?[0-9]+")) {
      return REFUSED;
    }
    BigInteger nanos =
        new BigInteger(text).multiply(NANOS).divide(BigInteger.valueOf(unit.perSecond()));
    BigInteger[] split = nanos.subtract(nanos.mod(NANOS)).divideAndRemainder(NANOS);
    return instant(split[0], nanos.mod(NANOS).longValue());
  }

  private static String instant(BigInteger seconds, long nanos) {
    boolean fits =
        seconds.compareTo(BigInteger.valueOf(Instant.MIN.getEpochSecond())) >= 0
            && seconds.compareTo(BigInteger.valueOf(Instant.MAX.getEpochSecond())) <= 0;
    return fits ? Instant.ofEpochSecond(seconds.longValue(), nanos).toString() : REFUSED;
  }

  private static String time(String text) {
    Matcher time = TIME.matcher(text);
    if (!time.matches() || time.group(1).matches("[0-9]{5,}")) {
      return REFUSED;
    }
    long year = Long.parseLong(time.group(1));
    // 400 years always have as many days, so that any year can be asked of as one near 2000.
    long cycles = Math.floorDiv(year, 400) - 5;
    LocalDate date;
    try {
      date = LocalDate.of((int) (year - cycles * 400), number(time, 2), number(time, 3));
    } catch (DateTimeException e) {
      return REFUSED;
    }
    String fraction = time.group(7) == null ? "" : time.group(7);
    boolean fine = fraction.length() > 9 && !fraction.substring(9).matches("0*");
    if (number(time, 4) > 23
        || number(time, 5) > 59
        || number(time, 6) > 59
        || number(time, 10) > 23
        || number(time, 11) > 59
        || fine) {
      return REFUSED;
    }
    if (time.group(8) == null) {
      return Math.abs(year) > 999_999_999 ? REFUSED : UNZONED;
    }
    long offset = number(time, 10) * 3600L + number(time, 11) * 60L;
    long seconds =
        (date.toEpochDay() + cycles * 146_097) * 86_400
            + number(time, 4) * 3600L
            + number(time, 5) * 60L
            + number(time, 6)
            - ("-".equals(time.group(9)) ? -offset : offset);
    long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
    return instant(BigInteger.valueOf(seconds), nanos);
  }

  private static int number(Matcher time, int group) {
    return time.group(group) == null ? 0 : Integer.parseInt(time.group(group));
  }

  /** What was told of the one column. */
  private static final class Told implements RowSink {

    private final int column;
    private String what;

    Told(int column) {
      this.column = column;
    }

    @Override
    public void row(Row row) {
      what = String.valueOf(row.values()[column]);
    }

    @Override
    public void unreadable(Unreadable unreadable) {
      what = REFUSED;
    }

    @Override
    public void undecided(Place place) {
      what = UNZONED;
    }

    @Override
    public void unzoned(String name, Place place, boolean required) {
      // the record follows
    }

    @Override
    public void unknownColumn(String name) {
      throw new AssertionError("There is no column but the one: " + name);
    }

    @Override
    public void note(String note) {
      // of no interest
    }

    @Override
    public void lines(int part, int count) {
      throw new AssertionError("There are no lines");
    }
  }
}
