package dev.constat.rules.outbox;

import static dev.constat.rules.outbox.History.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Repeats of acknowledgements by crash window. An acknowledgement is {@code worker} and second,
 * {@code -} for no worker, with {@code +} where it was applied and {@code ~} where it was not.
 */
class CrashWindowsTest {

  private static AckFold fold(List<OutboxRow> versions, boolean conflict, String acks) {
    Claims claims = new Claims();
    // of the row before, nothing stays
    History.of("P:a@0-60 D:z@1-60!3 P:z@61?-62 P").forEach(claims::next);
    claims.clear();
    versions.forEach(claims::next);
    OutboxRow row = versions.get(versions.size() - 1);
    RowRepeats repeats = new RowRepeats(claims);
    repeats.begin(row, conflict);
    AckFold open = null;
    int n = 0;
    for (String text : acks.split(" ", -1)) {
      Acknowledgement ack = ack(text, n++);
      open = repeats.next(ack, AckFold.of(ack, row, true), open);
    }
    return open;
  }

  private static Acknowledgement ack(String text, int n) {
    Boolean applied = text.endsWith("+") ? Boolean.TRUE : text.endsWith("~") ? Boolean.FALSE : null;
    String number = applied == null ? text.substring(1) : text.substring(1, text.length() - 1);
    return new Acknowledgement(
        "a" + n,
        "o1",
        "c1",
        at(Integer.parseInt(number)),
        "k",
        applied,
        text.startsWith("-") ? null : text.substring(0, 1),
        null,
        null,
        null,
        new Place(2, 0, 0, n, 0));
  }

  private static String windows(AckFold fold) {
    return fold.repeats().byWindow().entrySet().stream()
        .map(window -> window.getKey() + " " + window.getValue())
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "delivered once                    | D:a@0-60!2                          | a1        | ",
        "crash behind the publication      | P:a@0-60 P:b@62-122 D:b@62-122!64   | a1 b63    | PUBLISHED_BEFORE_MARK 1",
        "the same worker after a restart   | P:a@0-60 P:a@62-122 D:a@62-122!64   | a1 a63    | PUBLISHED_BEFORE_MARK 1",
        "no worker names                   | P:a@0-60 P:b@62-122 D:b@62-122!64   | -1 -63    | PUBLISHED_BEFORE_MARK 1",
        "given back, then again            | P:a@0-60 W P:b@5-65 D:b@5-65!7      | a1 b6     | PUBLISHED_BEFORE_MARK 1",
        "only the last claim is known      | D:b@62-122!64                       | a1 b63    | PUBLISHED_BEFORE_MARK 1",
        "only the last, no worker names    | D:b@62-122!64                       | -1 -63    | PUBLISHED_BEFORE_MARK 1",
        "two crashes                       | P:a@0-60 P:b@62-122 D:c@124-184!126 | a1 b63 c125 | PUBLISHED_BEFORE_MARK 2",
        "acknowledged as it is claimed     | P:a@0-60 P:b@62-122                 | a1 b62    | PUBLISHED_BEFORE_MARK 1",
        "no claims, tried twice            | D!64x2                              | -1 -65    | PUBLISHED_BEFORE_MARK 1",
        "no claims, tried once             | D!64x1                              | -1 -65    | NOT_SHOWN 1",
        "no claims, marked before          | D!64x2                              | -64 -65   | NOT_SHOWN 1",
        "no claims, never marked           | Wx40                                | -1 -65    | PUBLISHED_BEFORE_MARK 1",
        "no claims, mark without zone      | D!64?x2                             | -1 -65    | NOT_SHOWN 1",
        "no claims, marked at no time      | Dx2                                 | -1 -65    | NOT_SHOWN 1",
        "before the only claim known       | D:c@90-122!95x3                     | a1 b30    | PUBLISHED_BEFORE_MARK 1",
        "marked, and claimed again         | P:a@0-60 D:a@0-60!2 P:b@62-122 D:b@62-122!64 | a1 b63 | SUPERSEDED_MARK 1",
        "the mark stands in the last row   | P:b@62-122!2                        | a1 b63    | SUPERSEDED_MARK 1",
        "marked before the publication     | P:a@0-60 D:a@0-60!2 P:b@62-122      | a3 b63    | SUPERSEDED_MARK 1",
        "marked as it is claimed again     | P:a@0-60 P:b@62-122!62              | a1 b63    | PUBLISHED_BEFORE_MARK 1",
        "a mark before both claims         | D:a@0-60!2 P:b@62-122 P:c@124-184   | b63 c125  | PUBLISHED_BEFORE_MARK 1",
        "the mark before, then none        | D:a@0-60!2 P:b@62-122 P:c@124-184   | a1 b63 c125 | PUBLISHED_BEFORE_MARK 1, SUPERSEDED_MARK 1",
        "the first worker was too slow     | P:a@0-60 P:b@62-122 D:b@62-122!64   | b63 a75   | LAPSED_LEASE 1",
        "too slow, and seen first          | P:a@0-60 P:b@62-122 D:b@62-122!80   | a75 b79   | LAPSED_LEASE 1",
        "given back, and sent all the same | P:a@0-60 W P:b@5-65 D:b@5-65!7      | b6 a8     | LAPSED_LEASE 1",
        "not the owner of the last row     | D:b@62-122!64                       | b63 a75   | LAPSED_LEASE 1",
        "not the owner, seen first         | D:b@62-122!80                       | a75 b79   | LAPSED_LEASE 1",
        "no end of the lease is known      | P:a@0 P:b@62-122                    | b63 a75   | LAPSED_LEASE 1",
        "its lease has no zone             | P:a@0-60? P:b@62-122                | a75 b79   | NOT_SHOWN 1",
        "claimed by nobody known           | P:a@0-60 P:@62-122                  | a1 a75    | NOT_SHOWN 1",
        "marked, and sent all the same     | P:a@0-60 D:a@0-60!3 P:b@5-65        | b6 a8     | LAPSED_LEASE 1",
        "stolen, then recovered            | P:a@0-60 P:b@30-90 P:c@95-150       | c96 a97   | OVERLAPPING_LEASES 1",
        "the same, in another order        | P:a@0-60 P:c@95-150 P:b@30-90       | c96 a97   | OVERLAPPING_LEASES 1",
        "no claims and no status           | -x2                                 | -1 -65    | NOT_SHOWN 1",
        "waits, its mark without zone      | W!64?x2                             | -1 -65    | NOT_SHOWN 1",
        "late, and nobody else came        | D:a@0-60!80                         | a1 a75    | NOT_SHOWN 1",
        "the lease was stolen              | P:a@0-60 P:b@30-90 D:b@30-90!34     | b33 a45   | OVERLAPPING_LEASES 1",
        "stolen, its claim seen when done  | P:a@0-60 D:b@30-90!34              | b33 a45   | OVERLAPPING_LEASES 1",
        "stolen, and seen first            | P:a@0-60 P:b@30-90                  | a32 b33   | OVERLAPPING_LEASES 1",
        "stolen after the publication      | P:a@0-60 P:b@30-90                  | a1 b33    | PUBLISHED_BEFORE_MARK 1",
        "twice under one claim             | P:a@0-60 D:a@0-60!5                 | a1 a3     | NOT_SHOWN 1",
        "the broker once more              | P:a@0-60 P:b@62-122 D:b@62-122!64   | a1 b63 b66 | NOT_SHOWN 1, PUBLISHED_BEFORE_MARK 1",
        "known, not applied                | D!64x2                              | -1+ -65~  | ",
        "only a known one before           | D!64x2                              | -1~ -65+  | ",
        "a known one between               | P:a@0-60 P:b@62-122                 | a1 a2~ b63 | PUBLISHED_BEFORE_MARK 1",
        "applied again is no repeat        | D!64x2                              | -1+ -65+  | ",
        "applied late is a repeat          | D!64x2                              | -1 -65+   | PUBLISHED_BEFORE_MARK 1",
        "applied late and again            | D!64x2                              | -1 -2+ -65+ | PUBLISHED_BEFORE_MARK 1",
      })
  void theFirstWindowThatApplies(String name, String history, String acks, String expected) {
    assertThat(windows(fold(History.of(history), false, acks)))
        .isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void contentsThatContradictEachOtherShowNothing() {
    assertThat(windows(fold(History.of("P:a@0-60 P:b@62-122"), true, "a1 b63")))
        .isEqualTo("NOT_SHOWN 1");
  }

  @Test
  void aLapsedClaimIsNamedWhereItIsKnown() {
    AckFold fold = fold(History.of("P:a@0-60 P:b@62-122"), false, "b63 a75 a76");
    assertThat(windows(fold)).isEqualTo("LAPSED_LEASE 2");
    assertThat(fold.repeats().lapses()).containsExactly(new Repeats.Lapse("a", at(0), 2));
    assertThat(fold(History.of("D:b@62-122!64"), false, "b63 a75").repeats().lapses()).isEmpty();
    AckFold two = fold(History.of("P:a@0-60 P:b@62-122 P:c@124-184"), false, "c125 a126 b127 c128");
    assertThat(two.repeats().lapses())
        .containsExactly(new Repeats.Lapse("a", at(0), 2), new Repeats.Lapse("b", at(62), 1));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // acknowledgements of one row behind the other, windows
        "-1, -",
        "-1/-5, SURPLUS_ROW 1",
        "-1~/-5, -",
        "-1/-5~, -",
        "-1~/-5~, -",
        "-1+/-5+, -",
        "-1/-5+, SURPLUS_ROW 1",
        "-1+/-5, SURPLUS_ROW 1",
        "-1/-5+/-9+, SURPLUS_ROW 1",
        "-1~/-5+/-9+, -",
        "-1+/-5/-9+, SURPLUS_ROW 1",
        "-1+/-5 -65+, SURPLUS_ROW 1",
        "-1/-5 -65+, 'PUBLISHED_BEFORE_MARK 1, SURPLUS_ROW 1'",
        "-1/-5 -65+/-70+, 'PUBLISHED_BEFORE_MARK 1, SURPLUS_ROW 1'",
        "-1~/-5+ -65/-70+, PUBLISHED_BEFORE_MARK 1",
      })
  void rowsOfOneEffectRepeatEachOther(String acks, String expected) {
    List<AckFold> rows = new ArrayList<>();
    for (String row : acks.split("/", -1)) {
      rows.add(renamed(fold(History.of("D!64x2"), false, row), "o" + rows.size()));
    }
    AckFold left = rows.stream().reduce(AckFold::and).orElseThrow();
    assertThat(windows(left)).isEqualTo(expected == null ? "" : expected);
    AckFold right = Lists.reverse(rows).stream().reduce((b, a) -> a.and(b)).orElseThrow();
    assertThat(right.repeats()).isEqualTo(left.repeats());
    assertThat(read(left).repeats()).isEqualTo(left.repeats());
  }

  @Test
  void whatAReplaySendsAgainIsNoRepeat() {
    OutboxRow row = History.of("D!64x2").get(0);
    RowRepeats repeats = new RowRepeats(new Claims());
    repeats.begin(row, false);
    AckFold open = null;
    for (int n = 0; n < 2; n++) {
      Acknowledgement ack = replayed(ack("-" + n, n));
      open = repeats.next(ack, AckFold.of(ack, row, true), open);
    }
    assertThat(open.effective()).isEqualTo(2);
    assertThat(open.repeats()).isEqualTo(Repeats.NONE);
    AckFold original = fold(List.of(row), false, "-1 -65");
    assertThat(windows(original.and(open))).isEqualTo("PUBLISHED_BEFORE_MARK 1");
  }

  private static Acknowledgement replayed(Acknowledgement ack) {
    return new Acknowledgement(
        ack.ackId(),
        ack.outboxId(),
        ack.consumer(),
        ack.ackedAt(),
        ack.effectKey(),
        ack.applied(),
        ack.worker(),
        "R",
        ack.source(),
        ack.sourceEventId(),
        ack.place());
  }

  @Test
  void anotherKeyRepeatsNothing() {
    OutboxRow row = History.of("P:a@0-60").get(0);
    Claims claims = new Claims();
    claims.next(row);
    RowRepeats repeats = new RowRepeats(claims);
    repeats.begin(row, false);
    for (int n = 5; n < 7; n++) {
      Acknowledgement ack = ack("a" + n, n);
      AckFold fold = repeats.next(ack, AckFold.of(ack, row, true), null);
      assertThat(fold.repeats()).isEqualTo(Repeats.NONE);
    }
    assertThat(claims.claims().get(0).deliveredAt()).isEqualTo(at(5));
  }

  @Test
  void whatContradictsItselfIsDeliveredUnderNoClaim() {
    OutboxRow row = History.of("P:a@0-60").get(0);
    Claims claims = new Claims();
    claims.next(row);
    RowRepeats repeats = new RowRepeats(claims);
    repeats.begin(row, true);
    Acknowledgement ack = ack("a5", 5);
    repeats.next(ack, AckFold.of(ack, row, true), null);
    assertThat(claims.claims().get(0).deliveredAt()).isNull();
  }

  @Test
  void lapsedClaimsExplainNoMoreRepeatsThanThereAre() {
    String three = "P:a@0-60 P:b@62-122 P:c@124-184";
    AckFold doubled = fold(History.of(three), false, "c125+ a126+ a127");
    assertThat(windows(doubled)).isEqualTo("LAPSED_LEASE 1");
    assertThat(doubled.repeats().lapses()).containsExactly(new Repeats.Lapse("a", at(0), 1));
    assertThat(fold(History.of(three), false, "c125+ a126+ b127").repeats().lapses())
        .containsExactly(new Repeats.Lapse("a", at(0), 1));
    assertThat(fold(History.of(three), false, "c125+ a126+").repeats().lapses()).isEmpty();
    AckFold many = null;
    for (int n = 0; n < 10; n++) {
      String history = "P:" + (char) ('a' + n) + "@0-60 P:z@62-122";
      AckFold row =
          renamed(fold(History.of(history), false, "z63 " + (char) ('a' + n) + "75"), "o" + n);
      many = many == null ? row : many.and(row);
    }
    assertThat(many.repeats().count(CrashWindow.LAPSED_LEASE)).isEqualTo(10);
    assertThat(many.repeats().lapses())
        .extracting(Repeats.Lapse::owner)
        .containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
    assertThat(read(many).repeats()).isEqualTo(many.repeats());
    AckFold again = renamed(fold(History.of("P:b@0-60 P:z@62-122"), false, "z63 b75"), "o99");
    assertThat(many.and(again).repeats().lapses())
        .contains(new Repeats.Lapse("b", at(0), 2), new Repeats.Lapse("a", at(0), 1));
    AckFold later = renamed(fold(History.of("P:a@9-60 P:z@62-122"), false, "z63 a75"), "o0");
    assertThat(
            fold(History.of("P:a@0-60 P:z@62-122"), false, "z63 a75").and(later).repeats().lapses())
        .containsExactly(new Repeats.Lapse("a", at(0), 1), new Repeats.Lapse("a", at(9), 1));
  }

  @Test
  void repeatsAreEqualByWindowsClaimsAndWhatWasApplied() {
    Repeats none = fold(History.of("D!64x2"), false, "-1").repeats();
    Repeats marked = fold(History.of("D!64x2"), false, "-1 -65").repeats();
    Repeats lapsed = fold(History.of("P:a@0-60 P:b@62-122"), false, "b63 a75").repeats();
    Repeats unnamed = fold(History.of("D:b@62-122!64"), false, "b63 a75").repeats();
    assertThat(none).isEqualTo(Repeats.NONE).hasSameHashCodeAs(Repeats.NONE);
    assertThat(none).isNotEqualTo(fold(History.of("D!64x2"), false, "-1+").repeats());
    assertThat(marked).isNotEqualTo(none).isNotEqualTo(unnamed).isNotEqualTo("");
    assertThat(marked).isNotEqualTo(fold(History.of("D!64x2"), false, "-1 -65+").repeats());
    assertThat(lapsed).isNotEqualTo(unnamed);
    assertThat(lapsed.hashCode()).isNotEqualTo(unnamed.hashCode());
    assertThat(marked).hasToString("{PUBLISHED_BEFORE_MARK=1}");
  }

  @RepeatedTest(50)
  void windowsAddUpToTheRepeats(RepetitionInfo repetition) {
    Random chance = new Random(repetition.getCurrentRepetition());
    AckFold whole = null;
    for (int row = 1; row <= 1 + chance.nextInt(3); row++) {
      AckFold folded = randomFold(chance);
      AckFold fold = renamed(folded, "o" + row);
      assertThat(read(fold)).isEqualTo(fold);
      whole = whole == null ? fold : whole.and(fold);
    }
    long doubles = Math.max(0, whole.applied() - 1);
    assertThat(whole.repeats().byWindow().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(Math.max(0, whole.effective() - 1 - doubles));
    assertThat(read(whole)).isEqualTo(whole);
  }

  private static AckFold randomFold(Random chance) {
    String histories = "D!64x2|P:a@0-60 P:b@62-122|P:a@0-60 D:a@0-60!2 P:b@62-122|D:b@30-90!40";
    List<String> known = List.of(histories.split("\\|", -1));
    StringBuilder acks = new StringBuilder();
    int at = 0;
    for (int i = 0; i <= chance.nextInt(6); i++) {
      at += chance.nextInt(50);
      acks.append(i == 0 ? "" : " ").append("-abc".charAt(chance.nextInt(4))).append(at);
      acks.append(List.of("", "", "+", "+", "~").get(chance.nextInt(5)));
    }
    return fold(History.of(known.get(chance.nextInt(known.size()))), false, acks.toString());
  }

  /** The fold of another row. */
  private static AckFold renamed(AckFold fold, String outboxId) {
    KeyWriter out = new KeyWriter();
    fold.write(out);
    KeyWriter renamed = new KeyWriter().text(outboxId);
    int idBytes = new KeyWriter().text(fold.outboxId()).size();
    renamed.raw(out.buffer(), idBytes, out.size());
    return AckFold.read(new KeyReader(renamed.toBytes()));
  }

  private static AckFold read(AckFold fold) {
    KeyWriter out = new KeyWriter();
    fold.write(out);
    return AckFold.read(new KeyReader(out.toBytes()));
  }
}
