-- Identity, time, windows, chains and cells of the archive in :DIR by the rules of the
-- specification, in SQL of its own. Times are microseconds since 1970. The rules hold for the run
-- spec beside it: sources s0 and others, projections fixed, sliding and session.
SET threads = 2;
SET TimeZone = 'UTC';

CREATE OR REPLACE MACRO number(json) AS
  TRY_CAST(TRY_CAST(json ->> '$' AS DOUBLE) AS DECIMAL(30, 6));
CREATE OR REPLACE MACRO canonical(json) AS CASE
  WHEN json_type(json) IN ('BIGINT', 'UBIGINT', 'DOUBLE') THEN number(json)::VARCHAR
  ELSE json::VARCHAR END;

CREATE OR REPLACE TABLE e AS
WITH read AS (
  SELECT *, epoch_us(occurred_at) AS us, epoch_us(received_at) AS rx, payload::JSON AS j,
    coalesce(original_event_id, source_event_id) AS id, replay_id IS NOT NULL AS replayed,
    CASE
      WHEN source = 's0' THEN 300000000
      WHEN received_at < TIMESTAMPTZ '2026-01-05 11:00:00Z' THEN 120000000
      ELSE 450000000
    END AS budget
  FROM read_parquet(':DIR/events-*.parquet')),
parsed AS (
  SELECT *, list_transform(['$.qty', '$.px', '$.tag', '$.removed'],
      lambda path: canonical(json_extract(j, path)))::VARCHAR AS content,
    j -> '$.qty' AS qty_json, j -> '$.px' AS px_json, j ->> '$.tag' AS tag,
    j ->> '$.removed' = 'true' AS withdrawn
  FROM read),
numbered AS (
  SELECT *, row_number() OVER () AS n,
    md5(concat_ws('|', source_event_id, partition, us, rx, schema_version, business_key,
      supersedes, replay_id, original_event_id, content)) AS version
  FROM parsed)
SELECT *,
  row_number() OVER (PARTITION BY source, id, ingestion_id, version ORDER BY n) > 1 AS copied,
  min(version) OVER attempt <> max(version) OVER attempt AS conflicting
FROM numbered WINDOW attempt AS (PARTITION BY source, id, ingestion_id);

CREATE OR REPLACE TABLE d AS
WITH ranked AS (
  SELECT *,
    row_number() OVER key AS rank,
    first_value(content) OVER key AS first_content,
    first_value(ingestion_id) OVER key AS first_ingestion
  FROM e WHERE NOT copied AND NOT conflicting
  WINDOW key AS (PARTITION BY source, id ORDER BY replayed, rx, ingestion_id)),
decided AS (
  SELECT e.*,
    CASE
      WHEN e.copied THEN 'ARCHIVE_COPY'
      WHEN e.conflicting THEN 'ARCHIVE_CONFLICT'
      WHEN rank = 1 AND e.supersedes IS NULL THEN 'ACCEPTED'
      WHEN rank = 1 THEN 'CORRECTION'
      WHEN e.content = first_content THEN 'EXACT_DUPLICATE'
      ELSE 'CONFLICTING_DUPLICATE'
    END AS decision,
    CASE WHEN e.copied OR e.conflicting THEN e.ingestion_id WHEN rank > 1 THEN first_ingestion END
      AS against
  FROM e LEFT JOIN ranked USING (n)),
timed AS (
  SELECT *, decision IN ('ACCEPTED', 'CORRECTION') AS in_history, us - rx > 120000000 AS ahead
  FROM decided),
clocked AS (
  SELECT *,
    max(CASE WHEN in_history AND NOT replayed AND NOT ahead THEN us END) OVER (
      PARTITION BY source, partition ORDER BY rx, ingestion_id
      GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS largest,
    bool_or(decision IN ('CONFLICTING_DUPLICATE', 'ARCHIVE_CONFLICT')) OVER (PARTITION BY source, id)
      AS contested_key
  FROM timed)
SELECT *,
  CASE WHEN NOT replayed THEN largest - budget END AS watermark,
  CASE
    WHEN NOT in_history OR replayed THEN NULL
    WHEN ahead THEN 'FUTURE'
    WHEN us < largest - budget THEN 'LATE'
    ELSE 'ON_TIME'
  END AS timeliness,
  -- UNIT_SUSPECT: a repair brings it within a day of its reception
  in_history AND NOT replayed AND (ahead OR rx - us > 365 * 86400000000)
    AND (least(abs(us::HUGEINT * 1000 - rx), abs(us::HUGEINT * 1000000 - rx),
        abs(us::HUGEINT * 1000000000 - rx)) <= 86400000000
      OR least(abs(us / 1e3 - rx), abs(us / 1e6 - rx), abs(us / 1e9 - rx)) <= 86400000000) AS suspect,
  schema_version IS NOT DISTINCT FROM '1' AS known_schema
FROM clocked;

-- The windows that an instant falls into, of every reception and projection.
CREATE OR REPLACE TABLE span AS
SELECT n, 'fixed' AS projection, us // 600000000 * 600000000 AS ws, ws + 600000000 AS we,
  300000000 AS lateness FROM d
UNION ALL
SELECT n, 'sliding', us // 300000000 * 300000000 - back * 300000000 AS ws, ws + 600000000, 900000000
FROM d, (VALUES (0), (1)) t(back)
UNION ALL
SELECT n, 'session', us, us + 90000000, 600000000 FROM d;

CREATE OR REPLACE TABLE placement AS
SELECT n, projection, ws, we, lateness, CASE
    WHEN watermark IS NULL OR watermark < we THEN 'ON_TIME'
    WHEN watermark < we + lateness THEN 'REFINES'
    ELSE 'TOO_LATE' END AS outcome
FROM d JOIN span USING (n)
WHERE in_history AND known_schema AND NOT suspect AND business_key IS NOT NULL
  AND timeliness IS DISTINCT FROM 'FUTURE';

-- Who corrects whom.
CREATE OR REPLACE TABLE link AS
WITH h AS (SELECT * FROM d WHERE in_history),
targeted AS (
  SELECT c.n, c.decision = 'CORRECTION' AS correction, c.withdrawn, c.watermark, t.n AS target
  FROM h c LEFT JOIN h t
    ON t.source = c.source AND t.id = CASE WHEN c.decision = 'CORRECTION' THEN c.supersedes END)
SELECT targeted.*, coalesce(children, 0) AS children
FROM targeted LEFT JOIN (
  SELECT target AS n, count(*) AS children FROM targeted WHERE target IS NOT NULL GROUP BY target
) USING (n);

-- What each is to a projection: until when its own windows, and those where it counts, can be
-- changed.
CREATE OR REPLACE TABLE fact AS
SELECT link.n, target, correction, withdrawn, watermark, children, p.projection,
  f.n IS NOT NULL AS projected, f.all_until, f.counts_until
FROM link CROSS JOIN (VALUES ('fixed'), ('sliding'), ('session')) p(projection)
LEFT JOIN (
  SELECT n, projection, min(we + lateness) AS all_until,
    min(we + lateness) FILTER (outcome <> 'TOO_LATE') AS counts_until
  FROM placement GROUP BY ALL) f ON f.n = link.n AND f.projection = p.projection;

CREATE OR REPLACE TABLE walk AS
WITH RECURSIVE step AS (
  SELECT n, projection, children,
    CASE WHEN NOT correction AND projected AND counts_until IS NOT NULL AND NOT withdrawn THEN n END
      AS force,
    CASE WHEN NOT correction AND projected AND NOT withdrawn THEN counts_until END AS until,
    1 AS length
  FROM fact WHERE target IS NULL
  UNION ALL
  SELECT f.n, f.projection, f.children,
    CASE WHEN NOT applied THEN s.force WHEN NOT f.withdrawn THEN f.n END,
    CASE WHEN NOT applied THEN s.until WHEN NOT f.withdrawn THEN f.all_until END,
    s.length + 1
  FROM step s
  JOIN (SELECT *, projected AND (watermark IS NULL OR watermark < all_until) AS may FROM fact) f
    ON f.target = s.n AND f.projection = s.projection
  CROSS JOIN LATERAL (
    SELECT f.may AND (s.force IS NULL OR f.watermark IS NULL OR f.watermark < s.until) AS applied)
  WHERE s.children = 1)
SELECT * FROM step;

CREATE OR REPLACE TABLE contribution AS
SELECT business_key, p.projection, ws, we, force AS n, qty_json, px_json, tag
FROM walk JOIN placement p ON p.n = walk.force AND p.projection = walk.projection
JOIN d ON d.n = walk.force
WHERE children <> 1 AND (decision = 'CORRECTION' OR outcome <> 'TOO_LATE');

-- Members of sessions with the session that they are in; others are their own.
CREATE OR REPLACE TABLE placed AS
WITH islands AS (
  SELECT *, coalesce(ws >= max(we) OVER (PARTITION BY business_key ORDER BY ws, n
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS begins
  FROM contribution WHERE projection = 'session'),
counted AS (
  SELECT *, sum(begins::INT) OVER (PARTITION BY business_key ORDER BY ws, n) AS island FROM islands)
SELECT business_key, projection, qty_json, px_json, tag, min(ws) OVER session AS ws,
  max(we) OVER session AS we
FROM counted WINDOW session AS (PARTITION BY business_key, island)
UNION ALL BY NAME
SELECT business_key, projection, qty_json, px_json, tag, ws, we FROM contribution
WHERE projection <> 'session';

CREATE OR REPLACE TABLE forked AS
WITH RECURSIVE behind AS (
  SELECT n FROM link WHERE children > 1
  UNION
  SELECT link.n FROM link JOIN behind ON link.target = behind.n)
SELECT n FROM behind;

CREATE OR REPLACE TABLE mark AS
WITH said AS (
  SELECT n, 'AMBIGUOUS' AS flag FROM forked
  UNION ALL
  SELECT n, 'CONTESTED' FROM d
  WHERE decision IN ('CONFLICTING_DUPLICATE', 'ARCHIVE_CONFLICT') OR in_history AND contested_key
  UNION ALL
  SELECT n, 'INCOMPLETE' FROM d WHERE in_history AND NOT known_schema
  UNION ALL
  SELECT n, 'INCOMPLETE' FROM link WHERE correction AND target IS NULL)
SELECT business_key, projection, ws, we, flag
FROM said JOIN span USING (n) JOIN d USING (n) WHERE business_key IS NOT NULL;

CREATE OR REPLACE TABLE cell AS
WITH added AS (
  SELECT projection, business_key, ws, we, count(*) AS n, sum(number(qty_json)) AS qty,
    max(number(px_json)) AS high, count(DISTINCT tag) AS tags,
    bool_or(json_type(qty_json) <> 'NULL' AND number(qty_json) IS NULL) AS odd
  FROM placed GROUP BY ALL),
marked AS (
  SELECT a.projection, a.business_key, a.ws, list_distinct(list(flag)) AS flags
  FROM added a JOIN mark m ON m.projection = a.projection AND m.business_key = a.business_key
    AND m.ws < a.we AND m.we > a.ws AND (a.projection = 'session' OR m.ws = a.ws)
  GROUP BY ALL),
outcomes AS (
  SELECT a.projection, a.business_key, a.ws,
    count(*) FILTER (outcome = 'ON_TIME') AS on_time,
    count(*) FILTER (outcome = 'REFINES') AS refined,
    count(*) FILTER (outcome = 'TOO_LATE') AS too_late
  FROM added a JOIN (SELECT * FROM placement JOIN d USING (n)) p
    ON p.projection = a.projection AND p.business_key = a.business_key
    AND p.ws >= a.ws AND p.ws < a.we AND (a.projection = 'session' OR p.ws = a.ws)
  GROUP BY ALL)
SELECT added.* EXCLUDE (odd), on_time, refined, too_late,
  list_sort(list_distinct(list_concat(coalesce(flags, []), if(odd, ['INCOMPLETE'], []))))::VARCHAR
    AS flags
FROM added LEFT JOIN marked USING (projection, business_key, ws)
LEFT JOIN outcomes USING (projection, business_key, ws);

-- What other budgets would have made of it: a ladder of five.
CREATE OR REPLACE TABLE sweep AS
WITH ladder(tried, seconds) AS (
  VALUES ('PT0S', 0::BIGINT), ('PT1M', 60), ('PT5M', 300), ('PT15M', 900), ('PT1H', 3600)),
event AS (
  SELECT source, tried, count(*) AS events,
    count(*) FILTER (us < largest - seconds * 1000000) AS late,
    count(*) FILTER ((us < largest - seconds * 1000000) <> (us < largest - budget)) AS changed
  FROM d, ladder WHERE in_history AND NOT replayed AND NOT ahead AND largest IS NOT NULL
  GROUP BY ALL),
restated AS (
  SELECT source, tried, projection, count(*) AS windows,
    count(*) FILTER (largest - seconds * 1000000 BETWEEN we AND we + lateness - 1) AS refines,
    count(*) FILTER (largest - seconds * 1000000 >= we + lateness) AS too_late
  FROM placement JOIN d USING (n), ladder WHERE NOT replayed AND largest IS NOT NULL GROUP BY ALL)
SELECT * FROM event JOIN restated USING (source, tried);
