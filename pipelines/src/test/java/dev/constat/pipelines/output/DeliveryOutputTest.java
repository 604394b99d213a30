package dev.constat.pipelines.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.constat.rules.lease.DelayBuckets;
import dev.constat.rules.lease.Delays;
import dev.constat.rules.lease.DeliveryTimes;
import dev.constat.rules.reconcile.DedupMemory;
import dev.constat.rules.reconcile.DeliveryReport;
import dev.constat.rules.reconcile.LagBuckets;
import dev.constat.rules.reconcile.SideChannels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What {@code summary.json} and {@code metrics.prom} say of deliveries. */
class DeliveryOutputTest {

  private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  private static final DeliveryReport REPORT =
      new DeliveryReport(
          ImmutableList.of(
              new DeliveryTimes.OfType(
                  "notify",
                  12,
                  NOON,
                  ImmutableSortedMap.of("LAPSED_LEASE", 1L, "NOT_SHOWN", 2L),
                  delays(Duration.ofMillis(400), "o7", 3, Duration.ofMillis(300)),
                  delays(null, null, 0, null),
                  delays(Duration.ofSeconds(75), "o9", 999, Duration.ofSeconds(4)),
                  Duration.ofMinutes(1),
                  1)),
          ImmutableList.of(
              new DeliveryReport.Dead(
                  "notify",
                  2,
                  1,
                  ImmutableSortedMap.of("c2", 1L),
                  ImmutableSortedMap.of("c1", 3L, "c2", 2L),
                  ImmutableSortedMap.of())),
          ImmutableList.of(
              new DedupMemory.OfSource(
                  "pos",
                  4,
                  counts(LagBuckets.BOUNDS.length() + 1, LagBuckets.of(Duration.ofDays(4)), 4),
                  1_382_399_996L,
                  Duration.ofSeconds(345_599),
                  "e1",
                  Duration.ofDays(2),
                  1,
                  1,
                  2,
                  Duration.ofSeconds(345_599),
                  3,
                  Duration.ofSeconds(9),
                  1)),
          new SideChannels(
              ImmutableList.of(new SideChannels.OfConsumer("c9", false, 2, NOON, NOON)),
              ImmutableList.of(
                  new SideChannels.OfType("mail", true, 7, 0, null),
                  new SideChannels.OfType("notify", true, 9, 12, NOON))));

  /** So many delays of one length, and one that is the longest. */
  private static Delays delays(Duration longest, String outboxId, long others, Duration length) {
    int buckets = DelayBuckets.BOUNDS.length() + 1;
    if (longest == null) {
      return new Delays(counts(buckets, 0, 0), 0, null, null);
    }
    List<Long> counts = new ArrayList<>(counts(buckets, DelayBuckets.of(length), others));
    int bucket = DelayBuckets.of(longest);
    counts.set(bucket, counts.get(bucket) + 1);
    return new Delays(
        ImmutableList.copyOf(counts),
        longest.toMillis() + others * length.toMillis(),
        longest,
        outboxId);
  }

  private static ImmutableList<Long> counts(int buckets, int bucket, long count) {
    List<Long> counts = new ArrayList<>(Collections.nCopies(buckets, 0L));
    counts.set(bucket, count);
    return ImmutableList.copyOf(counts);
  }

  @Test
  void theSummaryHasFixedKeysInFixedOrder() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonText.document(out)) {
      json.writeStartObject();
      DeliveryJson.write(REPORT, json);
      json.writeEndObject();
    }
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {
              "leases": [
                {
                  "effect_type": "notify",
                  "rows": 12,
                  "redeliveries": {
                    "LAPSED_LEASE": 1,
                    "NOT_SHOWN": 2
                  },
                  "dispatch_to_ack": {
                    "count": 4,
                    "longest": "PT0.4S",
                    "outbox_id": "o7",
                    "up_to": {
                      "PT0.5S": 4
                    }
                  },
                  "claim_to_dispatch": {
                    "count": 0,
                    "longest": null,
                    "outbox_id": null,
                    "up_to": {}
                  },
                  "claims": {
                    "count": 1000,
                    "longest": "PT1M15S",
                    "outbox_id": "o9",
                    "up_to": {
                      "PT5S": 999,
                      "PT1M30S": 1
                    }
                  },
                  "lease_ttl": {
                    "declared": "PT1M",
                    "claims_beyond": 1,
                    "enough": "PT1M15S",
                    "enough_for_99_percent": "PT5S",
                    "enough_for_99_9_percent": "PT5S"
                  }
                }
              ],
              "dead_letters": [
                {
                  "effect_type": "notify",
                  "declared": 2,
                  "implicit": 1,
                  "received": {
                    "c2": 1
                  },
                  "never_received": {
                    "c1": 3,
                    "c2": 2
                  },
                  "not_judged": {}
                }
              ],
              "dedup_memory": [
                {
                  "source": "pos",
                  "repeats": 4,
                  "enough": "PT95H59M59S",
                  "source_event_id": "e1",
                  "retention": "PT48H",
                  "beyond_retention": 1,
                  "forgotten": 1,
                  "raced": 2,
                  "shortest_forgotten": "PT95H59M59S",
                  "remembered": 3,
                  "longest_remembered": "PT9S",
                  "surplus_rows": 1,
                  "distances": {
                    "PT168H": 4
                  }
                }
              ],
              "side_channels": {
                "consumers": [
                  {
                    "consumer": "c9",
                    "declared": false,
                    "acks": 2,
                    "first_at": "2026-01-05T12:00:00Z",
                    "last_at": "2026-01-05T12:00:00Z"
                  }
                ],
                "unwritten": [
                  "mail"
                ],
                "effect_types": [
                  {
                    "effect_type": "mail",
                    "declared": true,
                    "expected": 7,
                    "rows": 0,
                    "last_created_at": null
                  },
                  {
                    "effect_type": "notify",
                    "declared": true,
                    "expected": 9,
                    "rows": 12,
                    "last_created_at": "2026-01-05T12:00:00Z"
                  }
                ]
              }
            }""");
  }

  @Test
  void theMetricsSayTheSame() {
    StringBuilder text = new StringBuilder();
    Stream.of(
            DeliveryMetrics.leases(REPORT),
            DeliveryMetrics.deadLetters(REPORT),
            DeliveryMetrics.memory(REPORT),
            DeliveryMetrics.sideChannels(REPORT))
        .flatMap(List::stream)
        .forEach(family -> family.appendTo(text));
    assertThat(text.toString().lines())
        .contains(
            "constat_redeliveries{effect_type=\"notify\",window=\"LAPSED_LEASE\"} 1",
            "constat_dispatch_to_ack_seconds_bucket{effect_type=\"notify\",le=\"0.25\"} 0",
            "constat_dispatch_to_ack_seconds_bucket{effect_type=\"notify\",le=\"0.5\"} 4",
            "constat_dispatch_to_ack_seconds_sum{effect_type=\"notify\"} 1.3",
            "constat_claim_seconds_bucket{effect_type=\"notify\",le=\"60\"} 999",
            "constat_claim_seconds_count{effect_type=\"notify\"} 1000",
            "constat_lease_ttl_enough_seconds{effect_type=\"notify\"} 75",
            "constat_claims_beyond_lease_ttl{effect_type=\"notify\"} 1",
            "constat_dead_letters{effect_type=\"notify\",declared=\"true\"} 2",
            "constat_dead_letters_never_received{effect_type=\"notify\",consumer=\"c1\"} 3",
            "constat_dedup_memory_enough_seconds{source=\"pos\"} 345599",
            "constat_repeats_beyond_retention{source=\"pos\"} 1",
            "constat_forgotten_repeats{source=\"pos\"} 1",
            "constat_forgotten_repeat_rows{source=\"pos\"} 1",
            "constat_repeat_distance_seconds_count{source=\"pos\"} 4",
            "constat_side_channel_acks{consumer=\"c9\"} 2",
            "constat_effect_unwritten{effect_type=\"mail\"} 1",
            "constat_effect_unwritten{effect_type=\"notify\"} 0")
        .noneMatch(line -> line.startsWith("constat_claim_to_dispatch_seconds"));
  }
}
