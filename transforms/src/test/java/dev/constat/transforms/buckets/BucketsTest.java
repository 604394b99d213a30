package dev.constat.transforms.buckets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketsTest {

  /** A change of any of these moves groups between the files of a run: never do it. */
  @ParameterizedTest
  @CsvSource({
    "'', 4096, 2478",
    "a, 4096, 2868",
    "orders, 4096, 2469",
    "orders, 64, 38",
    "orders, 2, 1",
    "orders, 1, 0",
    "a group of thirty bytes or less, 4096, 1855",
    "a group whose length takes the hash function into its loop over 64 bytes, 4096, 2338"
  })
  void keepsGroupsWhereTheyAlwaysWere(String group, int count, int bucket) {
    byte[] bytes = group.getBytes(StandardCharsets.UTF_8);
    assertThat(new Buckets(count).of(bytes)).isEqualTo(bucket);
  }

  @Test
  void looksAtTheGroupAlone() {
    byte[] bytes = "xxordersyy".getBytes(StandardCharsets.UTF_8);
    Buckets buckets = new Buckets(4096);

    assertThat(buckets.of(bytes, 2, 8))
        .isEqualTo(buckets.of("orders".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void splitsABucketInTwoWhenTheirNumberDoubles() {
    Buckets few = new Buckets(64);
    Buckets more = new Buckets(128);
    for (int i = 0; i < 1_000; i++) {
      byte[] group = ("event-" + i).getBytes(StandardCharsets.UTF_8);
      assertThat(more.of(group) / 2).isEqualTo(few.of(group));
    }
  }

  @Test
  void spreadsGroupsEvenly() {
    int[] groups = new int[64];
    for (int i = 0; i < 64_000; i++) {
      groups[new Buckets(64).of(("event-" + i).getBytes(StandardCharsets.UTF_8))]++;
    }
    assertThat(IntStream.of(groups).summaryStatistics())
        .satisfies(
            counts -> {
              assertThat(counts.getMin()).isGreaterThan(850);
              assertThat(counts.getMax()).isLessThan(1_150);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "33554432, 1",
    "33554433, 2",
    "67108864, 2",
    "67108865, 4",
    "137438953472, 4096",
    "9223372036854775807, 4096"
  })
  void followTheSizeOfTheInput(long bytes, int count) {
    assertThat(Buckets.forInputBytes(bytes)).isEqualTo(new Buckets(count));
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, 4095, 8192})
  void refuseOtherNumbersThanPowersOfTwo(int count) {
    assertThat(Buckets.isValidCount(count)).isFalse();
    assertThatThrownBy(() -> new Buckets(count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid number of buckets: %s, must be a power of two from 1 to 4096"
                .formatted(count));
  }
}
