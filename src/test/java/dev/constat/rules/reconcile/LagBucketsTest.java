package dev.constat.rules.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LagBucketsTest {

  @Test
  void boundsAreInclusiveAtFullPrecision() {
    for (int i = 0; i < LagBuckets.BOUNDS.length(); i++) {
      Duration bound = Duration.ofSeconds(LagBuckets.BOUNDS.get(i));
      assertThat(LagBuckets.of(bound)).isEqualTo(i);
      assertThat(LagBuckets.of(bound.plusNanos(1))).isEqualTo(i + 1);
    }
  }

  @Test
  void boundsGrow() {
    assertThat(LagBuckets.BOUNDS.asList()).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void everyLagHasABucket() {
    assertThat(LagBuckets.of(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    assertThat(LagBuckets.of(Duration.ofNanos(-1))).isZero();
    assertThat(LagBuckets.of(Duration.ofSeconds(Long.MAX_VALUE)))
        .isEqualTo(LagBuckets.BOUNDS.length());
  }
}
