package dev.constat.rules.findings;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.envelope.Place;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FindingCodecTest {

  private static final List<String> TEXTS =
      List.of("", "a", "a\0b", "\0", "\u001b[31m", "é", "\uFFFD", "\uD83D\uDE00", "{\"k\":\"v\"}");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void readsBackWhatItWrote(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      Finding finding = finding(random);
      assertThat(FindingCodec.decode(FindingCodec.encode(finding))).isEqualTo(finding);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void bytesSortByLevelThenKindThenSubject(long seed) {
    Random random = new Random(seed);
    List<Finding> byBytes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byBytes.add(finding(random));
    }
    byBytes.sort(Comparator.comparing(FindingCodec::encode, Arrays::compareUnsigned));
    assertThat(byBytes)
        .isSortedAccordingTo(
            Comparator.comparing((Finding f) -> f.level())
                .thenComparing(f -> f.kind().name())
                .thenComparing(
                    f -> f.subject().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));
  }

  @Test
  void theSortKeyIsWhereTheBytesBegin() {
    Finding finding = finding(new Random(4));
    byte[] key = FindingCodec.sortKey(finding);
    assertThat(Arrays.copyOf(FindingCodec.encode(finding), key.length)).isEqualTo(key);
    assertThat(FindingCodec.sortKey(finding.withHint("OTHER"))).isEqualTo(key);
    assertThat(FindingCodec.sortKey(finding.withSubject("other"))).isNotEqualTo(key);
  }

  private static Finding finding(Random random) {
    ImmutableList.Builder<Place> evidence = ImmutableList.builder();
    for (int left = random.nextInt(3); left > 0; left--) {
      evidence.add(
          new Place(
              random.nextInt(6),
              random.nextInt(9),
              random.nextInt(9),
              random.nextLong() >>> 1,
              random.nextInt(9)));
    }
    ImmutableSortedSet.Builder<String> hints = ImmutableSortedSet.naturalOrder();
    for (int left = random.nextInt(3); left > 0; left--) {
      hints.add("HINT_" + random.nextInt(5));
    }
    return new Finding(
        Kind.values()[random.nextInt(Kind.values().length)],
        Level.values()[random.nextInt(Level.values().length)],
        text(random),
        Sentence.ofConfigured(text(random)).value("outbox_id", text(random)).and("."),
        text(random),
        text(random),
        text(random),
        evidence.build(),
        instant(random),
        instant(random),
        hints.build(),
        random.nextLong());
  }

  private static String text(Random random) {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }

  private static Instant instant(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> Instant.MIN;
      case 2 -> Instant.MAX;
      default -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
    };
  }
}
