package dev.constat.rules.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.UnsignedBytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The unsigned order of the bytes is the order of the values, and the values come back. */
class KeysTest {

  private static final Comparator<byte[]> BYTES = UnsignedBytes.lexicographicalComparator();
  private static final Comparator<String> UTF8 =
      Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), BYTES);
  private static final Comparator<Instant> TIME = Comparator.naturalOrder();

  private static final String[] TEXTS = {
    "",
    "\0",
    "\0\0",
    "\0\1",
    "\1",
    "a",
    "a\0",
    "a\0b",
    "a\1",
    "ab",
    "b",
    "\u007F",
    "\u0080",
    "\u00E9",
    "e\u0301",
    "\uD7FF",
    "\uE000",
    "\uFFFD",
    "\uFFFF",
    "\uD83D\uDE00",
    "\uDBFF\uDFFF"
  };
  private static final byte[][] BYTE_ARRAYS = {
    {}, {0}, {0, 0}, {0, 1}, {0, -1}, {1}, {-1}, {-1, 0}, {-1, -1}, {127}, {-128}, {0, -1, 1}
  };
  private static final Instant[] INSTANTS = {
    Instant.MIN,
    Instant.MIN.plusNanos(1),
    Instant.EPOCH.minusNanos(1),
    Instant.EPOCH,
    Instant.EPOCH.plusNanos(1),
    Instant.EPOCH.plusNanos(256),
    Instant.EPOCH.plusSeconds(256),
    Instant.parse("2026-01-05T12:00:00.999999999Z"),
    Instant.MAX
  };
  private static final long[] LONGS = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -256, -1, 0, 1, 127, 128, 255, 256, Long.MAX_VALUE
  };

  /** One type of field. */
  private enum Field {
    TEXT(r -> pick(r, TEXTS), (w, v) -> w.text((String) v), KeyReader::text, order(UTF8)),
    NULLABLE_TEXT(
        r -> orNull(r, pick(r, TEXTS)),
        (w, v) -> w.nullableText((String) v),
        KeyReader::nullableText,
        nullsFirst(UTF8)),
    BYTES_FIELD(
        r -> pick(r, BYTE_ARRAYS), (w, v) -> w.bytes((byte[]) v), KeyReader::bytes, order(BYTES)),
    NULLABLE_BYTES(
        r -> orNull(r, pick(r, BYTE_ARRAYS)),
        (w, v) -> w.nullableBytes((byte[]) v),
        KeyReader::nullableBytes,
        nullsFirst(BYTES)),
    OCTET(
        r -> r.nextInt(256),
        (w, v) -> w.octet((Integer) v),
        KeyReader::octet,
        order(Comparator.<Integer>naturalOrder())),
    BOOL(
        Random::nextBoolean,
        (w, v) -> w.bool((Boolean) v),
        KeyReader::bool,
        order(Comparator.<Boolean>naturalOrder())),
    NULLABLE_BOOL(
        r -> orNull(r, r.nextBoolean()),
        (w, v) -> w.nullableBool((Boolean) v),
        KeyReader::nullableBool,
        nullsFirst(Comparator.<Boolean>naturalOrder())),
    UNSIGNED(
        r -> number(r),
        (w, v) -> w.unsigned((Long) v),
        KeyReader::unsigned,
        order(Comparator.<Long>comparingLong(v -> v ^ Long.MIN_VALUE))),
    SIGNED(
        r -> number(r),
        (w, v) -> w.signed((Long) v),
        KeyReader::signed,
        order(Comparator.<Long>naturalOrder())),
    NULLABLE_SIGNED(
        r -> orNull(r, number(r)),
        (w, v) -> w.nullableSigned((Long) v),
        KeyReader::nullableSigned,
        nullsFirst(Comparator.<Long>naturalOrder())),
    INSTANT(
        r -> pick(r, INSTANTS), (w, v) -> w.instant((Instant) v), KeyReader::instant, order(TIME)),
    NULLABLE_INSTANT(
        r -> orNull(r, pick(r, INSTANTS)),
        (w, v) -> w.nullableInstant((Instant) v),
        KeyReader::nullableInstant,
        nullsFirst(TIME));

    private final Function<Random, Object> random;
    private final BiConsumer<KeyWriter, Object> write;
    private final Function<KeyReader, Object> read;
    private final Comparator<Object> order;

    Field(
        Function<Random, Object> random,
        BiConsumer<KeyWriter, Object> write,
        Function<KeyReader, Object> read,
        Comparator<Object> order) {
      this.random = random;
      this.write = write;
      this.read = read;
      this.order = order;
    }
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  private static long number(Random random) {
    return random.nextBoolean() ? LONGS[random.nextInt(LONGS.length)] : random.nextLong();
  }

  private static Object orNull(Random random, Object value) {
    return random.nextInt(4) == 0 ? null : value;
  }

  @SuppressWarnings("unchecked")
  private static <T> Comparator<Object> order(Comparator<T> of) {
    return (a, b) -> of.compare((T) a, (T) b);
  }

  private static <T> Comparator<Object> nullsFirst(Comparator<T> of) {
    return Comparator.nullsFirst(order(of));
  }

  private static byte[] encode(List<Field> fields, List<Object> values) {
    KeyWriter out = new KeyWriter();
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).write.accept(out, values.get(i));
    }
    assertThat(out.size()).isEqualTo(out.toBytes().length);
    return out.toBytes();
  }

  private static List<Object> values(List<Field> fields, Random random) {
    List<Object> values = new ArrayList<>();
    fields.forEach(field -> values.add(field.random.apply(random)));
    return values;
  }

  private static void comesBack(List<Field> fields, List<Object> values) {
    KeyReader in = new KeyReader(encode(fields, values));
    for (int i = 0; i < fields.size(); i++) {
      assertThat(fields.get(i).read.apply(in)).isEqualTo(values.get(i));
    }
    assertThat(in.isAtEnd()).isTrue();
  }

  private static void ordersAlike(List<Field> fields, List<Object> a, List<Object> b) {
    int expected = 0;
    for (int i = 0; i < fields.size() && expected == 0; i++) {
      expected = fields.get(i).order.compare(a.get(i), b.get(i));
    }
    assertThat(Integer.signum(BYTES.compare(encode(fields, a), encode(fields, b))))
        .as("%s of %s and %s", fields, a, b)
        .isEqualTo(Integer.signum(expected));
  }

  @ParameterizedTest
  @EnumSource(Field.class)
  void oneFieldOrdersByValueAndComesBack(Field field) {
    Random random = new Random(field.ordinal());
    List<Field> fields = List.of(field);
    for (int i = 0; i < 2_000; i++) {
      List<Object> a = values(fields, random);
      comesBack(fields, a);
      ordersAlike(fields, a, values(fields, random));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void fieldsOrderOneAfterTheOther(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      List<Field> fields = new ArrayList<>();
      for (int left = 2 + random.nextInt(4); left > 0; left--) {
        fields.add(pick(random, Field.values()));
      }
      List<Object> a = values(fields, random);
      List<Object> b = values(fields, random);
      for (int same = random.nextInt(fields.size()); same > 0; same--) {
        b.set(same - 1, a.get(same - 1));
      }
      comesBack(fields, a);
      ordersAlike(fields, a, b);
    }
  }

  @Test
  void textIsPassedOver() {
    for (String text : TEXTS) {
      byte[] bytes =
          new KeyWriter().text(text).nullableText(text).nullableText(null).octet(7).toBytes();
      KeyReader in = new KeyReader(bytes).skipText();
      in.nullableText();
      in.nullableText();
      assertThat(in.octet()).isEqualTo(7);
      assertThat(in.position()).isEqualTo(bytes.length);
    }
  }

  @Test
  void aPartOfAnArrayIsReadAlone() {
    byte[] bytes = new KeyWriter().raw(new byte[] {9, 8, 7, 6}, 1, 3).text("a").toBytes();
    KeyReader in = new KeyReader(bytes, 1, bytes.length);
    assertThat(in.raw(1)).containsExactly(7);
    assertThat(in.text()).isEqualTo("a");
    assertThat(in.isAtEnd()).isTrue();
  }

  @Test
  void readingPastTheEndIsAnError() {
    assertThatThrownBy(() -> new KeyReader(new byte[] {'a'}).text())
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new KeyReader(new byte[7]).unsigned())
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new KeyReader(new byte[] {1, 2}, 0, 0).octet())
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aWriterServesManyRecords() {
    KeyWriter out = new KeyWriter();
    byte[] large = new byte[5_000];
    Arrays.fill(large, (byte) 0);
    assertThat(new KeyReader(out.bytes(large).toBytes()).bytes()).isEqualTo(large);
    assertThat(out.clear().octet(1).toBytes()).containsExactly(1);
    assertThat(Arrays.copyOf(out.buffer(), out.size())).containsExactly(1);
  }
}
