package dev.constat.pipelines.output;

import com.google.common.primitives.ImmutableLongArray;
import dev.constat.rules.lease.DelayBuckets;
import dev.constat.rules.lease.Delays;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.reconcile.DedupMemory;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.LagBuckets;
import dev.constat.rules.reconcile.SideChannels;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The families of {@code metrics.prom} that tell of deliveries. */
final class DeliveryMetrics {

  private static final int MILLIS = 3;
  private static final int NANOS = 9;
  private static final String[] DELAY_BOUNDS = bounds(DelayBuckets.BOUNDS, MILLIS);
  private static final String[] DISTANCE_BOUNDS = bounds(LagBuckets.BOUNDS, 0);

  private DeliveryMetrics() {}

  static List<MetricFamily> leases(DeliveryReport report) {
    MetricFamily redeliveries =
        MetricFamily.gauge("constat_redeliveries", "Redeliveries by crash window.");
    MetricFamily toAck =
        MetricFamily.histogram(
            "constat_dispatch_to_ack_seconds", "From dispatch to the first acknowledgement.");
    MetricFamily toDispatch =
        MetricFamily.histogram("constat_claim_to_dispatch_seconds", "From claim to dispatch.");
    MetricFamily claims =
        MetricFamily.histogram(
            "constat_claim_seconds", "From claim to dispatch, else to the first acknowledgement.");
    MetricFamily enough =
        MetricFamily.gauge(
            "constat_lease_ttl_enough_seconds", "The lease that all claims would have fitted in.");
    MetricFamily beyond =
        MetricFamily.gauge(
            "constat_claims_beyond_lease_ttl", "Claims that took longer than the declared lease.");
    for (DeliveryTimes.OfType type : report.leases()) {
      String[] labels = {"effect_type", type.effectType()};
      for (Map.Entry<String, Long> window : type.windows().entrySet()) {
        redeliveries.add(
            window.getValue(), "effect_type", type.effectType(), "window", window.getKey());
      }
      add(toAck, type.dispatchToAck(), labels);
      add(toDispatch, type.claimToDispatch(), labels);
      add(claims, type.lease(), labels);
      if (type.lease().longest() != null) {
        enough.add(seconds(type.lease().longest()), labels);
        beyond.add(type.overTtl(), labels);
      }
    }
    return List.of(redeliveries, toAck, toDispatch, claims, enough, beyond);
  }

  private static void add(MetricFamily family, Delays delays, String... labels) {
    if (delays.longest() != null) {
      family.addHistogram(
          longs(delays.counts()),
          DELAY_BOUNDS,
          plain(BigDecimal.valueOf(delays.millis(), MILLIS)),
          labels);
    }
  }

  static List<MetricFamily> deadLetters(DeliveryReport report) {
    MetricFamily rows =
        MetricFamily.gauge("constat_dead_letters", "Outbox rows that were given up.");
    MetricFamily neverReceived =
        MetricFamily.gauge(
            "constat_dead_letters_never_received", "Dead letters that a consumer never received.");
    for (DeliveryReport.Dead dead : report.deadLetters()) {
      rows.add(dead.declared(), "effect_type", dead.effectType(), "declared", "true");
      rows.add(dead.implicit(), "effect_type", dead.effectType(), "declared", "false");
      for (Map.Entry<String, Long> consumer : dead.neverReceived().entrySet()) {
        neverReceived.add(
            consumer.getValue(), "effect_type", dead.effectType(), "consumer", consumer.getKey());
      }
    }
    return List.of(rows, neverReceived);
  }

  static List<MetricFamily> memory(DeliveryReport report) {
    MetricFamily distances =
        MetricFamily.histogram(
            "constat_repeat_distance_seconds", "From the first reception of a key to a repeat.");
    MetricFamily enough =
        MetricFamily.gauge(
            "constat_dedup_memory_enough_seconds", "The memory that recognises every repeat.");
    MetricFamily beyond =
        MetricFamily.gauge(
            "constat_repeats_beyond_retention", "Repeats later than the retention of events.");
    MetricFamily forgotten =
        MetricFamily.gauge(
            "constat_forgotten_repeats", "Repeats that the live system took for new.");
    MetricFamily surplus =
        MetricFamily.gauge(
            "constat_forgotten_repeat_rows", "Surplus outbox rows behind a forgotten repeat.");
    for (DedupMemory.OfSource source : report.memory()) {
      String[] labels = {"source", source.source()};
      distances.addHistogram(
          longs(source.counts()),
          DISTANCE_BOUNDS,
          plain(BigDecimal.valueOf(source.millis(), MILLIS)),
          labels);
      enough.add(seconds(source.enough()), labels);
      if (source.retention() != null) {
        beyond.add(source.beyondRetention(), labels);
      }
      forgotten.add(source.forgotten(), labels);
      surplus.add(source.surplusRows(), labels);
    }
    return List.of(distances, enough, beyond, forgotten, surplus);
  }

  static List<MetricFamily> sideChannels(DeliveryReport report) {
    MetricFamily acks =
        MetricFamily.gauge(
            "constat_side_channel_acks", "Acknowledgements that no outbox row announces.");
    MetricFamily unwritten =
        MetricFamily.gauge(
            "constat_effect_unwritten", "1 for expected effect types without any outbox row.");
    for (SideChannels.OfConsumer consumer : report.sideChannels().consumers()) {
      acks.add(consumer.acks(), "consumer", consumer.consumer());
    }
    for (SideChannels.OfType type : report.sideChannels().types()) {
      if (type.declared()) {
        unwritten.add(type.unwritten() ? 1 : 0, "effect_type", type.effectType());
      }
    }
    return List.of(acks, unwritten);
  }

  private static long[] longs(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).toArray();
  }

  private static String seconds(Duration duration) {
    return plain(
        BigDecimal.valueOf(duration.toSeconds())
            .add(BigDecimal.valueOf(duration.getNano(), NANOS)));
  }

  private static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  private static String[] bounds(ImmutableLongArray bounds, int scale) {
    return bounds.stream()
        .mapToObj(bound -> plain(BigDecimal.valueOf(bound, scale)))
        .toArray(String[]::new);
  }
}
