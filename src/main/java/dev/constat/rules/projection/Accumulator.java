package dev.constat.rules.projection;

import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.spec.Aggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.HashSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes one column of a cell (spec section 5). Merging is associative, commutative and exact:
 * the answer depends neither on the order nor on the grouping of what is added, and equal states
 * have equal bytes.
 */
sealed interface Accumulator {

  /** An empty one. */
  static Accumulator of(Aggregate.Function function) {
    return switch (function) {
      case COUNT -> new Count();
      case SUM -> new Sum();
      case MIN -> new Extreme(-1);
      case MAX -> new Extreme(1);
      case FIRST -> new Head(-1);
      case LAST -> new Head(1);
      case DISTINCT -> new Distinct();
    };
  }

  /**
   * Takes a contribution in.
   *
   * @param value canonical JSON, or null where nothing is there
   * @param order where the contribution stands
   * @return false if the value had to be left out, so that the cell is INCOMPLETE
   */
  boolean add(String value, EventOrder order);

  /** Takes in everything of another of the same function. */
  void merge(Accumulator other);

  /** The answer as JSON text, numbers in plain notation; null where there is none. */
  String result();

  /**
   * Of a first or last value, those that have the same right to be the answer; where they are
   * several, there is no answer.
   */
  default TreeSet<String> candidates() {
    return Texts.sorted();
  }

  /** About how many bytes it holds. */
  int weight();

  /** Appends the state to a record. */
  void write(KeyWriter out);

  /** Takes in the state that {@link #write} wrote; only into an empty one. */
  void read(KeyReader in);

  /** Number of contributions. */
  final class Count implements Accumulator {

    private long count;

    @Override
    public boolean add(String value, EventOrder order) {
      count++;
      return true;
    }

    @Override
    public void merge(Accumulator other) {
      count += ((Count) other).count;
    }

    @Override
    public String result() {
      return Long.toString(count);
    }

    @Override
    public int weight() {
      return 24;
    }

    @Override
    public void write(KeyWriter out) {
      out.unsigned(count);
    }

    @Override
    public void read(KeyReader in) {
      count = in.unsigned();
    }
  }

  /** What takes numbers only. */
  abstract sealed class Numeric implements Accumulator {

    private BigDecimal value;

    /** What two numbers become. */
    abstract BigDecimal merged(BigDecimal one, BigDecimal other);

    @Override
    public final boolean add(String json, EventOrder order) {
      if (json == null || json.equals(CellValues.NULL)) {
        return true;
      }
      BigDecimal number = CellValues.decimal(json);
      take(number);
      return number != null;
    }

    @Override
    public final void merge(Accumulator other) {
      take(((Numeric) other).value);
    }

    private void take(BigDecimal number) {
      if (number != null) {
        value = value == null ? number : merged(value, number);
      }
    }

    @Override
    public final String result() {
      return value == null ? null : CellValues.plain(value);
    }

    @Override
    public final int weight() {
      return value == null ? 24 : 72 + value.unscaledValue().bitLength() / 4;
    }

    @Override
    public final void write(KeyWriter out) {
      out.bool(value != null);
      if (value != null) {
        BigDecimal stripped = value.stripTrailingZeros();
        out.bytes(stripped.unscaledValue().toByteArray()).signed(stripped.scale());
      }
    }

    @Override
    public final void read(KeyReader in) {
      if (in.bool()) {
        BigInteger unscaled = new BigInteger(in.bytes());
        value = new BigDecimal(unscaled, (int) in.signed());
      }
    }
  }

  /** Exact sum. */
  final class Sum extends Numeric {

    @Override
    BigDecimal merged(BigDecimal one, BigDecimal other) {
      return one.add(other);
    }
  }

  /** Smallest or largest. */
  final class Extreme extends Numeric {

    private final int sign;

    /** The largest with 1, the smallest with -1. */
    Extreme(int sign) {
      this.sign = sign;
    }

    @Override
    BigDecimal merged(BigDecimal one, BigDecimal other) {
      return one.compareTo(other) * sign >= 0 ? one : other;
    }
  }

  /**
   * Value of the first or last contribution: of each sequence, and of what stands in none, the
   * first or last one; of those by occurred_at. Contributions that tie with different values are
   * candidates, and none of them is the answer.
   */
  final class Head implements Accumulator {

    /** Of so many candidates, the smallest are listed. */
    static final int MAX_CANDIDATES = 10;

    private final int sign;
    private final TreeMap<String, Tied> bySequence =
        new TreeMap<>(Comparator.nullsFirst(Texts.BY_UTF8));
    private int weight = 64;

    /** The last with 1, the first with -1. */
    Head(int sign) {
      this.sign = sign;
    }

    /** Contributions that share a place in their sequence. */
    private static final class Tied {

      private EventOrder order;
      private final TreeSet<String> values = Texts.sorted();
      private int weight;

      Tied(EventOrder order) {
        this.order = order;
        this.weight = 160 + (order.sequence() == null ? 0 : order.sequence().length());
      }
    }

    @Override
    public boolean add(String value, EventOrder order) {
      Tied tied = at(order);
      if (tied != null) {
        keep(tied, value == null ? CellValues.NULL : value);
      }
      return true;
    }

    @Override
    public void merge(Accumulator other) {
      for (Tied theirs : ((Head) other).bySequence.values()) {
        Tied tied = at(theirs.order);
        if (tied != null) {
          theirs.values.forEach(value -> keep(tied, value));
        }
      }
    }

    /** Those that a contribution joins, or null where it comes behind them. */
    private Tied at(EventOrder order) {
      Tied tied = bySequence.get(order.sequence());
      int ahead = tied == null ? 1 : order.compareWithin(tied.order) * sign;
      if (ahead < 0) {
        return null;
      }
      if (ahead > 0) {
        weight -= tied == null ? 0 : tied.weight;
        tied = new Tied(order);
        weight += tied.weight;
        bySequence.put(order.sequence(), tied);
      } else if (order.occurredAt().compareTo(tied.order.occurredAt()) * sign > 0) {
        tied.order = order;
      }
      return tied;
    }

    private void keep(Tied tied, String value) {
      int before = tied.values.size();
      Texts.keepSmallest(tied.values, value, MAX_CANDIDATES);
      int grown = (tied.values.size() - before) * (80 + value.length());
      tied.weight += grown;
      weight += grown;
    }

    @Override
    public TreeSet<String> candidates() {
      Tied head = null;
      TreeSet<String> values = Texts.sorted();
      for (Tied tied : bySequence.values()) {
        int ahead =
            head == null ? 1 : tied.order.occurredAt().compareTo(head.order.occurredAt()) * sign;
        if (ahead > 0) {
          head = tied;
          values.clear();
        }
        if (ahead >= 0) {
          tied.values.forEach(value -> Texts.keepSmallest(values, value, MAX_CANDIDATES));
        }
      }
      return values;
    }

    @Override
    public String result() {
      TreeSet<String> values = candidates();
      return values.size() == 1 && !values.first().equals(CellValues.NULL)
          ? CellValues.shown(values.first())
          : null;
    }

    @Override
    public int weight() {
      return weight;
    }

    @Override
    public void write(KeyWriter out) {
      out.unsigned(bySequence.size());
      for (Tied tied : bySequence.values()) {
        tied.order.write(out);
        out.octet(tied.values.size());
        tied.values.forEach(out::text);
      }
    }

    @Override
    public void read(KeyReader in) {
      for (long left = in.unsigned(); left > 0; left--) {
        Tied tied = at(EventOrder.read(in));
        for (int values = in.octet(); values > 0; values--) {
          keep(tied, in.text());
        }
      }
    }
  }

  /** Number of distinct values that are not null. */
  final class Distinct implements Accumulator {

    private final HashSet<String> values = new HashSet<>();
    private int weight = 64;

    @Override
    public boolean add(String value, EventOrder order) {
      if (value != null && !value.equals(CellValues.NULL)) {
        take(value);
      }
      return true;
    }

    @Override
    public void merge(Accumulator other) {
      ((Distinct) other).values.forEach(this::take);
    }

    private void take(String value) {
      if (values.add(value)) {
        weight += 88 + value.length();
      }
    }

    @Override
    public String result() {
      return Integer.toString(values.size());
    }

    @Override
    public int weight() {
      return weight;
    }

    @Override
    public void write(KeyWriter out) {
      TreeSet<String> sorted = Texts.sorted();
      sorted.addAll(values);
      out.unsigned(sorted.size());
      sorted.forEach(out::text);
    }

    @Override
    public void read(KeyReader in) {
      for (long left = in.unsigned(); left > 0; left--) {
        take(in.text());
      }
    }
  }
}
