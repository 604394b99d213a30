-- An archive of :N events over ten hours, dense with faults, into :DIR. Equal arguments give equal
-- rows. :SOURCES sources; :PARTITION gives the partition of event i. Repeats come on top of N.
SET threads = 1;
SET TimeZone = 'UTC';
CREATE OR REPLACE MACRO dice(i, salt, sides) AS (hash(i, salt) % sides)::BIGINT;

CREATE OR REPLACE TABLE occurrence AS
SELECT
  i,
  's' || i % :SOURCES AS source,
  :PARTITION AS partition,
  1767592800000000 + CASE
    WHEN dice(i, 1, 10) < 2 THEN i * 36000000000 // :N // 1000000 * 1000000
    WHEN dice(i, 1, 10) < 7 THEN i * 36000000000 // :N // 30000000 * 30000000
    ELSE i * 36000000000 // :N + dice(i, 2, 1000000)
  END AS us,
  CASE
    WHEN dice(i, 3, 100) < 70 THEN dice(i, 4, 3000000)
    WHEN dice(i, 3, 100) < 85 THEN dice(i, 4, 60000000)
    WHEN dice(i, 3, 100) < 95 THEN dice(i, 4, 900000000)
    ELSE dice(i, 4, 4500000000)
  END AS delay
FROM range(:N) t(i);

-- Receptions in microseconds; many are received at the same moment.
CREATE OR REPLACE TABLE original AS
WITH received AS (
  SELECT *, CASE WHEN dice(i, 5, 10) < 4 THEN (us + delay) // 30000000 * 30000000 + 30000000
    ELSE us + delay END AS rx
  FROM occurrence)
SELECT
  i,
  md5('original' || i) AS ingestion_id,
  source,
  'e' || i AS source_event_id,
  partition,
  CASE
    WHEN dice(i, 6, 1000) < 8 THEN rx + 120000000                       -- as far ahead as may be
    WHEN dice(i, 6, 1000) < 30 THEN rx + 120000001 + dice(i, 7, 2) * dice(i, 8, 1200000000)
    WHEN dice(i, 6, 1000) < 33 THEN rx // 1000                          -- seconds read as millis
    WHEN dice(i, 6, 1000) < 36 THEN us - 4 * 365 * 86400000000
    ELSE us
  END AS us,
  rx,
  CASE WHEN dice(i, 9, 100) < 2 THEN '9' WHEN dice(i, 9, 100) < 97 THEN '1' WHEN i % 2 = 0 THEN '1' END
    AS schema_version,
  CASE WHEN dice(i, 10, 100) >= 2 THEN 'k' || dice(i, 11, :N // 333) END AS business_key,
  CASE
    WHEN dice(i, 12, 1000) < 4 THEN '"many"'
    WHEN dice(i, 12, 1000) < 20 THEN 'null'
    WHEN dice(i, 12, 1000) < 300 THEN (dice(i, 13, 90000) - 9000) || 'e-2'
    ELSE (dice(i, 13, 900) - 90) || '.' || dice(i, 14, 10) || '0'
  END AS qty,
  '"' || dice(i, 15, 10000) || '.' || dice(i, 16, 10) || '"' AS px,
  dice(i, 17, 7) AS tag,
  CASE
    WHEN i > 400 AND i % 14 = 3 THEN CASE
      WHEN dice(i, 18, 100) < 3 THEN 'nowhere'
      WHEN dice(i, 18, 100) < 50 THEN 'e' || (i - 28 * (1 + dice(i, 19, 3)))
      ELSE 'e' || (i - 2 * (1 + dice(i, 19, 180))) END
  END AS supersedes,
  dice(i, 20, 1000) < CASE WHEN i % 14 = 3 THEN 150 ELSE 5 END AS removed,
  NULL::VARCHAR AS replay_id,
  NULL::VARCHAR AS original_event_id
FROM received;

CREATE OR REPLACE TABLE reception AS
WITH versioned AS (
  SELECT *, false AS turned FROM original
  UNION ALL BY NAME
  -- the same again, now and then before its first, or with another time
  SELECT * REPLACE (
    md5('again' || i) AS ingestion_id,
    rx + CASE WHEN dice(i, 30, 10) = 0 THEN -dice(i, 31, 300000000) WHEN dice(i, 30, 10) = 1 THEN 0
      ELSE dice(i, 31, 7200000000) END AS rx,
    CASE WHEN dice(i, 32, 4) = 0 THEN us + 900000000 ELSE us END AS us), i % 2 = 0 AS turned
  FROM original WHERE dice(i, 33, 100) < 8
  UNION ALL BY NAME
  -- the same id with another content
  SELECT * REPLACE (
    md5('other' || i) AS ingestion_id,
    rx + dice(i, 40, 3600000000) AS rx,
    CASE WHEN dice(i, 41, 2) = 0 THEN us + 700000000 - dice(i, 42, 2000000000) ELSE us END AS us,
    CASE WHEN dice(i, 43, 5) = 0 THEN 'k' || dice(i, 44, :N // 333) ELSE business_key END AS business_key,
    '4711' AS qty), false AS turned
  FROM original WHERE dice(i, 45, 100) < 4
  UNION ALL BY NAME
  -- one reception attempt with two contents
  SELECT * REPLACE ('4712' AS qty), false AS turned FROM original WHERE dice(i, 46, 200) = 0
  UNION ALL BY NAME
  SELECT * REPLACE (
    md5('replayed' || i) AS ingestion_id,
    rx + 1800000000 - dice(i, 50, 3600000000) AS rx,
    'x' || i AS source_event_id,
    CASE WHEN dice(i, 51, 4) = 0 THEN '4713' ELSE qty END AS qty,
    'r1' AS replay_id,
    CASE WHEN dice(i, 52, 4) = 0 THEN 'gone' || i ELSE source_event_id END AS original_event_id),
    true AS turned
  FROM original WHERE dice(i, 53, 100) < 4),
complete AS (
  SELECT *, CASE WHEN turned
    THEN '{"tag":"t' || tag || '", "px":' || px || ', "removed":' || removed || ', "qty":' || qty || '}'
    ELSE '{"qty":' || qty || ',"removed":' || removed || ',"px":' || px || ',"tag":"t' || tag || '"}'
    END AS payload
  FROM versioned),
doubled AS (
  SELECT * FROM complete UNION ALL SELECT * FROM complete WHERE dice(ingestion_id, 60, 50) = 0)
SELECT ingestion_id, source, source_event_id, partition, make_timestamptz(us) AS occurred_at,
  make_timestamptz(rx) AS received_at, schema_version, payload, business_key, supersedes, replay_id,
  original_event_id
FROM doubled;

COPY (SELECT * FROM reception WHERE dice(ingestion_id, 70, 3) = 0 ORDER BY received_at, ingestion_id)
  TO ':DIR/events-a.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048);
COPY (SELECT * FROM reception WHERE dice(ingestion_id, 70, 3) > 0 ORDER BY md5(ingestion_id))
  TO ':DIR/events-b.parquet' (FORMAT parquet, ROW_GROUP_SIZE 10240);
