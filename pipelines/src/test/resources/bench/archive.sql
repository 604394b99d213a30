-- A small bench archive of :N events, into :DIR: every fault that the bench's rules know, often.
-- Equal arguments give equal rows.
SET threads = 1;
SET TimeZone = 'UTC';
CREATE OR REPLACE MACRO dice(i, salt, sides) AS (hash(i, salt) % sides)::BIGINT;

CREATE OR REPLACE TABLE original AS
SELECT i, 's' || i % 3 AS source, md5('event' || i) AS source_event_id,
  CASE WHEN i % 5 < 4 THEN 'p' || i % 5 END AS partition, i AS source_sequence,
  'k' || i % 20 AS business_key, rx,
  CASE
    WHEN i % 101 = 17 THEN rx + 120000000                          -- as far ahead as may be
    WHEN i % 103 = 17 THEN rx + 600000000
    WHEN i % 107 = 17 THEN rx // 1000                              -- seconds read as millis
    ELSE us
  END AS us,
  '{"px":"' || (dice(i, 3, 99999) / 100.0)::DECIMAL(10, 2) || '","qty":' || dice(i, 4, 77) || '}'
    AS payload,
  -- chains of some length, forks, and corrections of what is not there
  CASE
    WHEN i % 11 <> 7 OR i < 400 THEN NULL
    WHEN i % 13 = 3 THEN md5('nowhere' || i)
    ELSE md5('event' || (i - 3 * 11 * (1 + dice(i, 5, 6))))
  END AS supersedes,
  CASE WHEN i % 61 = 5 THEN '9' ELSE '1' END AS schema_version
FROM (
  SELECT i, us, us + CASE
      WHEN dice(i, 1, 100) < 70 THEN dice(i, 2, 3000000)
      WHEN dice(i, 1, 100) < 85 THEN dice(i, 2, 60000000)
      WHEN dice(i, 1, 100) < 95 THEN dice(i, 2, 900000000)
      ELSE dice(i, 2, 4500000000)
    END AS rx
  FROM (SELECT i, 1767492000000000 + i * (36000000000 // :N) AS us FROM range(:N) t(i)));

CREATE OR REPLACE TABLE reception AS
SELECT *, md5('first' || i) AS ingestion_id FROM original
UNION ALL
SELECT * REPLACE (rx + 20000000 + dice(i, 6, 4000000000) AS rx), md5('again' || i) FROM original
WHERE i % 7 = 5
UNION ALL
SELECT * REPLACE (rx + 5000000 + dice(i, 7, 4000000000) AS rx,
  replace(payload, '"qty":', '"qty":1') AS payload), md5('other' || i) FROM original
WHERE i % 41 = 11
UNION ALL
SELECT *, md5('first' || i) FROM original WHERE i % 29 = 3;

COPY (
  SELECT ingestion_id, source, source_event_id, source_sequence::UBIGINT AS source_sequence,
    partition, make_timestamptz(us) AS occurred_at, make_timestamptz(rx) AS received_at,
    schema_version, payload,
    'raw-bytes/1:' || sha256(CASE WHEN i % 97 = 1 THEN 'tampered' ELSE payload END) AS payload_hash,
    business_key, 'trades' AS topic, 'account' AS aggregate_type, business_key AS aggregate_id,
    supersedes
  FROM reception ORDER BY rx, ingestion_id, payload
) TO ':DIR/events.parquet' (ROW_GROUP_SIZE 2048);

CREATE OR REPLACE TABLE outbox AS
WITH row AS (
  SELECT i, md5('row' || i) AS outbox_id, source, source_event_id, business_key,
    rx + 5000 + dice(i, 8, 50000) AS created,
    CASE
      WHEN i % 43 = 29 THEN 'PENDING'
      WHEN i % 47 = 31 THEN 'DLQ'
      WHEN i % 53 = 37 THEN 'PROCESSING'
      ELSE 'DISPATCHED'
    END AS status
  FROM original WHERE i % 59 <> 13)
SELECT * FROM row
UNION ALL
SELECT * REPLACE (md5('unknown' || i) AS outbox_id, md5('nobody' || i) AS source_event_id) FROM row
WHERE i % 67 = 19
UNION ALL
SELECT * REPLACE (md5('second' || i) AS outbox_id, created + 1000000 AS created) FROM row
WHERE i % 71 = 23;

COPY (
  SELECT outbox_id, source, source_event_id, 'notify' AS effect_type, 'trades' AS topic,
    'account' AS aggregate_type, business_key AS aggregate_id, 0 AS priority, status,
    CASE
      WHEN status = 'DLQ' THEN 5
      WHEN i % 73 = 2 THEN 6
      WHEN status = 'PENDING' THEN CASE WHEN i % 3 = 0 THEN 5 ELSE 0 END
      ELSE 1
    END AS attempts,
    make_timestamptz(created) AS created_at,
    CASE WHEN status = 'PROCESSING' THEN make_timestamptz(created + 2000000) END AS claimed_at,
    CASE WHEN status = 'PROCESSING' THEN 'w' || i % 7 END AS lease_owner,
    CASE WHEN status = 'PROCESSING'
      THEN make_timestamptz(created + CASE WHEN i % 2 = 0 THEN 62000000 ELSE 500000000 END) END
      AS lease_until,
    CASE WHEN status = 'DISPATCHED'
      THEN make_timestamptz(created + 100000 + dice(i, 9, 900000)) END AS dispatched_at,
    CASE WHEN status = 'DLQ' THEN make_timestamptz(created + 90000000) END AS dlq_at
  FROM outbox ORDER BY created, outbox_id
) TO ':DIR/outbox.parquet' (ROW_GROUP_SIZE 2048);

CREATE OR REPLACE TABLE ack AS
WITH first AS (
  SELECT i, outbox_id, created + 2000000 + dice(i, 10, 3000000) AS us,
    source || '/' || source_event_id || '/notify' AS effect_key
  FROM outbox WHERE (status = 'DISPATCHED' OR i % 4 = 1 AND status <> 'DLQ') AND i % 79 <> 41)
SELECT *, 0 AS nth FROM first
UNION ALL
SELECT * REPLACE (us + 30000000 AS us), 1 FROM first WHERE i % 31 = 4
UNION ALL
SELECT * REPLACE (us + 40000000 AS us, effect_key || '#2' AS effect_key), 2 FROM first
WHERE i % 37 = 4
UNION ALL
SELECT * REPLACE (md5('no row' || outbox_id) AS outbox_id, md5('key' || i) AS effect_key), 3 FROM first
WHERE i % 83 = 53;

COPY (
  SELECT md5('ack' || outbox_id || nth) AS ack_id, outbox_id, 'c1' AS consumer,
    make_timestamptz(us) AS acked_at, effect_key
  FROM ack ORDER BY us, ack_id
) TO ':DIR/acks.parquet' (ROW_GROUP_SIZE 2048);
