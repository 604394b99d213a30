package dev.constat.rules.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LagBucketsTest {

  @Test
  void boundsAreInclusiveAtFullPrecision() {
    for (int i = 0; i < LagBuckets.COUNT - 1; i++) {
      Duration bound = Duration.ofMillis(LagBuckets.boundMillis(i));
      assertThat(LagBuckets.indexOf(bound)).isEqualTo(i);
      assertThat(LagBuckets.indexOf(bound.plusNanos(1))).isEqualTo(i + 1);
    }
  }

  @Test
  void boundsGrow() {
    for (int i = 1; i < LagBuckets.COUNT - 1; i++) {
      assertThat(LagBuckets.boundMillis(i)).isGreaterThan(LagBuckets.boundMillis(i - 1));
    }
  }

  @Test
  void everyLagHasABucket() {
    assertThat(LagBuckets.indexOf(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    assertThat(LagBuckets.indexOf(Duration.ofNanos(-1))).isZero();
    assertThat(LagBuckets.indexOf(Duration.ofSeconds(Long.MAX_VALUE)))
        .isEqualTo(LagBuckets.COUNT - 1);
  }
}
