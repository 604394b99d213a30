-- What a reconciliation of a bench archive comes to, as DuckDB SQL over the same Parquet files: the
-- rules of identity, time, windows, chains, effects, states and order, and the tables that they
-- fill. DIR holds the archive, OUT takes the tables, CUT is where the inputs are cut, BUDGET_VERSION
-- names the lateness budget; each with a colon before it. It holds for the run spec of a bench
-- archive: hash raw-bytes/1, budget 5 min, tolerance 2 min, schema version 1; effect notify with
-- consumer c1; one projection in windows of 10 min.
SET TimeZone = 'UTC';

-- A place is one number: the file in the upper bits, the row in it below.
CREATE TEMP TABLE event_file AS
SELECT file_index, parse_filename(any_value(filename)) AS name
FROM read_parquet(':DIR/events*.parquet') GROUP BY file_index;
CREATE TEMP TABLE outbox_file AS
SELECT file_index, parse_filename(any_value(filename)) AS name
FROM read_parquet(':DIR/outbox*.parquet') GROUP BY file_index;
CREATE TEMP TABLE ack_file AS
SELECT file_index, parse_filename(any_value(filename)) AS name
FROM read_parquet(':DIR/acks*.parquet') GROUP BY file_index;

-- Identity: every reception against the first of its key.
CREATE TEMP TABLE reception AS
WITH read AS (
  SELECT file_index::BIGINT << 40 | file_row_number AS n, ingestion_id, source, source_event_id,
    partition, occurred_at, received_at, schema_version, supersedes, business_key,
    sha256(payload) AS hash, payload_hash, json_extract_string(payload, ['/qty', '/px']) AS amounts
  FROM read_parquet(':DIR/events*.parquet')),
ranked AS (
  SELECT *, row_number() OVER key AS rank, lag(ingestion_id) OVER key AS before,
    first_value(hash) OVER key AS first_hash, first_value(ingestion_id) OVER key AS first_ingestion,
    first_value(n) OVER key AS first_n
  FROM read
  WINDOW key AS (PARTITION BY source, source_event_id ORDER BY received_at, ingestion_id, n))
SELECT * EXCLUDE (rank, before, first_hash, payload_hash, amounts),
  payload_hash <> 'raw-bytes/1:' || hash AS mismatch,
  TRY_CAST(amounts[1] AS DECIMAL(18, 2)) AS qty, TRY_CAST(amounts[2] AS DECIMAL(18, 2)) AS px,
  (amounts[1] IS NOT NULL AND qty IS NULL) OR (amounts[2] IS NOT NULL AND px IS NULL) AS odd,
  CASE
    WHEN ingestion_id = before THEN 'ARCHIVE_COPY'
    WHEN rank = 1 THEN if(supersedes IS NULL, 'ACCEPTED', 'CORRECTION')
    WHEN hash = first_hash THEN 'EXACT_DUPLICATE'
    ELSE 'CONFLICTING_DUPLICATE'
  END AS decision,
  rank = 1 AS in_history,
  schema_version IS NOT DISTINCT FROM '1' AS known_schema
FROM ranked;

CREATE TEMP TABLE repeat AS
SELECT first_n AS n, count(*) AS repeats, max(received_at) AS last_received_at
FROM reception WHERE decision = 'EXACT_DUPLICATE' GROUP BY first_n;

CREATE TEMP TABLE contested AS
SELECT DISTINCT first_n AS n FROM reception WHERE decision = 'CONFLICTING_DUPLICATE';

-- Time: the watermark on arrival. Copies come before what they are copies of, which is after them.
-- Microseconds as integers: intervals are slow to compare.
CREATE TEMP TABLE clock AS
WITH timed AS (
  SELECT *, epoch_us(occurred_at) AS us, epoch_us(received_at) AS rx,
    in_history AND us - rx > 120000000 AS ahead, us // 600000000 * 600000000 AS ws
  FROM reception),
ordered AS (
  SELECT n, us, rx, ws, in_history, known_schema, business_key IS NULL AS no_key, ahead,
    max(if(in_history AND NOT ahead, us, NULL)) OVER (
      PARTITION BY source, partition ORDER BY received_at, ingestion_id, in_history
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS largest
  FROM timed),
suspected AS (
  SELECT *, CASE
      WHEN NOT in_history OR NOT ahead AND rx - us <= 31536000000000 THEN NULL
      WHEN abs(us::HUGEINT * 1000 - rx) <= 86400000000 THEN '*1000'
      WHEN abs(us::HUGEINT * 1000000 - rx) <= 86400000000 THEN '*1000000'
      WHEN abs(us::HUGEINT * 1000000000 - rx) <= 86400000000 THEN '*1000000000'
      WHEN abs(us / 1e3 - rx) <= 86400000000 THEN '/1000'
      WHEN abs(us / 1e6 - rx) <= 86400000000 THEN '/1000000'
      WHEN abs(us / 1e9 - rx) <= 86400000000 THEN '/1000000000'
    END AS factor
  FROM ordered)
SELECT n, make_timestamptz(largest - 300000000) AS watermark, make_timestamptz(ws) AS window_start,
  factor, factor IS NOT NULL AS unit_suspect, in_history AND us < largest AS out_of_order,
  CASE
    WHEN NOT in_history THEN NULL
    WHEN ahead THEN 'FUTURE'
    WHEN us < largest - 300000000 THEN 'LATE'
    ELSE 'ON_TIME'
  END AS timeliness,
  CASE
    WHEN NOT in_history OR ahead OR NOT known_schema OR factor IS NOT NULL OR no_key THEN NULL
    WHEN largest IS NULL OR largest < ws + 900000000 THEN 'ON_TIME'
    WHEN largest < ws + 1200000000 THEN 'REFINES'
    ELSE 'TOO_LATE'
  END AS outcome
FROM suspected;

-- Chains: what each correction corrects, and which link of a chain counts in the end.
CREATE TEMP TABLE link AS
SELECT c.n, t.n AS target, c.source, c.source_event_id, c.received_at, c.ingestion_id,
  t.received_at AS target_received_at, t.ingestion_id AS target_ingestion_id
FROM reception c
LEFT JOIN (SELECT * FROM reception WHERE in_history) t
  ON t.source = c.source AND t.source_event_id = c.supersedes
WHERE c.decision = 'CORRECTION';

CREATE TEMP TABLE member AS
WITH linked AS (
  SELECT n, target, true AS correction FROM link
  UNION ALL
  SELECT DISTINCT target, NULL, false FROM link
  WHERE target IS NOT NULL AND target NOT IN (SELECT n FROM link)),
children AS (SELECT target AS n, count(*) AS children FROM link WHERE target IS NOT NULL GROUP BY ALL)
SELECT linked.*, coalesce(children, 0) AS children, outcome, watermark,
  window_start + INTERVAL 15 MINUTE AS until
FROM linked LEFT JOIN children USING (n) JOIN clock USING (n);

CREATE TEMP TABLE walk AS
WITH RECURSIVE step AS (
  SELECT n, children, if(NOT correction AND outcome <> 'TOO_LATE', n, NULL) AS force,
    if(NOT correction AND outcome <> 'TOO_LATE', until, NULL) AS until
  FROM member WHERE target IS NULL
  UNION ALL
  SELECT m.n, m.children, if(applied, m.n, s.force), if(applied, m.until, s.until)
  FROM step s JOIN member m ON m.target = s.n
  CROSS JOIN LATERAL (
    SELECT coalesce(m.outcome <> 'TOO_LATE', false)
      AND (s.force IS NULL OR m.watermark IS NULL OR m.watermark < s.until) AS applied)
  WHERE s.children = 1)
SELECT * FROM step;

CREATE TEMP TABLE forked AS
WITH RECURSIVE behind AS (
  SELECT n FROM member WHERE children > 1
  UNION
  SELECT m.n FROM member m JOIN behind ON m.target = behind.n)
SELECT n FROM behind;

COPY (
  SELECT ingestion_id, source, source_event_id, partition, occurred_at,
    NULL::VARCHAR AS occurred_at_text, received_at, schema_version,
    '{"source":"' || source || '","source_event_id":"' || source_event_id || '"}' AS key, hash,
    'raw-bytes/1' AS hash_rule, decision, timeliness, in_history,
    in_history AND known_schema AND NOT unit_suspect AND timeliness <> 'FUTURE'
      AND (decision = 'ACCEPTED' OR link.target IS NOT NULL) AS moves_current,
    if(outcome IS NULL, [], [{'projection': 'volume', 'version': '1',
      'window_start': window_start, 'outcome': outcome}]) AS windows,
    watermark, 'PT5M' AS budget, ':BUDGET_VERSION' AS budget_version,
    CASE WHEN in_history THEN NULL WHEN decision = 'ARCHIVE_COPY' THEN ingestion_id
      ELSE first_ingestion END AS against,
    coalesce(repeats, 0) AS repeats,
    if(in_history, coalesce(greatest(repeat.last_received_at, received_at), received_at), NULL)
      AS last_received_at,
    'key/1[source, source_event_id]' AS rule,
    list_filter([
      if(decision = 'CORRECTION', 'NO_REASON', NULL), if(out_of_order, 'OUT_OF_ORDER', NULL),
      if(unit_suspect, 'UNIT_SUSPECT', NULL), if(known_schema, NULL, 'UNKNOWN_SCHEMA_VERSION')],
      lambda flag: flag IS NOT NULL) AS flags,
    CASE decision
      WHEN 'ACCEPTED' THEN 'first reception of its key'
      WHEN 'CORRECTION' THEN 'first reception of its key, supersedes ' || supersedes
      WHEN 'EXACT_DUPLICATE' THEN 'same key and hash as ' || first_ingestion
      WHEN 'CONFLICTING_DUPLICATE' THEN 'same key as ' || first_ingestion || ', another hash'
      ELSE 'a copy of one reception attempt'
    END AS reason,
    NULL::VARCHAR AS replay_id, NULL::VARCHAR AS recorded, supersedes,
    event_file.name AS evidence_file, n & 1099511627775 AS evidence_position
  FROM reception JOIN clock USING (n)
  LEFT JOIN repeat USING (n)
  LEFT JOIN (SELECT n, target FROM link) link USING (n)
  JOIN event_file ON file_index = n >> 40
  ORDER BY source, partition, received_at, ingestion_id, n
) TO ':OUT/decisions.parquet';

COPY (
  SELECT '{"source":"' || source || '","source_event_id":"' || source_event_id || '"}' AS key,
    ingestion_id, if(in_history, 'accepted', 'deviating') AS side, hash,
    'raw-bytes/1' AS hash_rule, payload::BLOB AS payload, received_at, 'identity/1' AS rule,
    floor((epoch_us(TIMESTAMPTZ ':CUT') - epoch_us(received_at)) / 1000000)::BIGINT AS age
  FROM reception JOIN (
    SELECT file_index::BIGINT << 40 | file_row_number AS n, payload
    FROM read_parquet(':DIR/events*.parquet')) USING (n)
  WHERE decision = 'CONFLICTING_DUPLICATE' OR n IN (FROM contested)
  ORDER BY source, source_event_id, received_at, ingestion_id
) TO ':OUT/quarantine.parquet';

COPY (
  SELECT business_key, window_start, window_start + INTERVAL 10 MINUTE AS window_end,
    count(*) FILTER (counts) AS n,
    rtrim(rtrim((sum(qty) FILTER (counts))::VARCHAR, '0'), '.') AS qty,
    rtrim(rtrim((max(px) FILTER (counts))::VARCHAR, '0'), '.') AS high,
    count(*) FILTER (outcome = 'ON_TIME') AS on_time,
    count(*) FILTER (outcome = 'REFINES') AS refined,
    count(*) FILTER (outcome = 'TOO_LATE') AS too_late,
    list_filter([if(bool_or(ambiguous), 'AMBIGUOUS', NULL), if(bool_or(disputed), 'CONTESTED', NULL),
      if(bool_or(incomplete), 'INCOMPLETE', NULL)], lambda flag: flag IS NOT NULL) AS flags,
    []::VARCHAR[] AS candidates
  FROM (
    SELECT business_key, clock.window_start, qty, px, clock.outcome,
      CASE WHEN member.n IS NULL THEN coalesce(clock.outcome <> 'TOO_LATE', false)
        ELSE force.n IS NOT NULL END AS counts,
      decision = 'CONFLICTING_DUPLICATE' OR contested.n IS NOT NULL AS disputed,
      in_history AND (NOT known_schema OR odd OR member.correction AND member.target IS NULL)
        AS incomplete,
      forked.n IS NOT NULL AS ambiguous
    FROM reception JOIN clock USING (n)
    LEFT JOIN member USING (n)
    LEFT JOIN (SELECT DISTINCT force AS n FROM walk WHERE children <> 1) force USING (n)
    LEFT JOIN contested USING (n)
    LEFT JOIN forked USING (n)
    WHERE (in_history OR decision = 'CONFLICTING_DUPLICATE') AND business_key IS NOT NULL)
  GROUP BY business_key, window_start HAVING bool_or(counts)
  ORDER BY business_key, window_start
) TO ':OUT/projections.parquet';

CREATE TEMP TABLE unit AS
SELECT source, schema_version, factor, min(received_at) AS first_at, max(received_at) AS last_at,
  count(*) AS events
FROM clock JOIN reception USING (n) WHERE factor IS NOT NULL GROUP BY ALL;

DROP TABLE clock;

-- Effects: outbox rows beside the events that they announce and what was acknowledged.
CREATE TEMP TABLE delivery AS
WITH acked AS (
  SELECT outbox_id AS acked_outbox, consumer, effect_key, count(*) AS acks,
    min(acked_at) AS first_acked_at, max(acked_at) AS last_acked_at,
    arg_min(file_index::BIGINT << 40 | file_row_number, acked_at) AS ack_n, min(ack_id) AS ack_id
  FROM read_parquet(':DIR/acks*.parquet') GROUP BY ALL),
row AS (
  SELECT file_index::BIGINT << 40 | file_row_number AS row_n, outbox_id, source, source_event_id,
    effect_type, aggregate_type, aggregate_id, status, attempts, created_at, claimed_at,
    lease_until, dispatched_at, dlq_at
  FROM read_parquet(':DIR/outbox*.parquet')),
event AS (SELECT n, source, source_event_id, received_at FROM reception WHERE in_history)
SELECT n, row_n, ack_n, coalesce(row.source, event.source) AS source,
  coalesce(row.source_event_id, event.source_event_id) AS source_event_id, effect_type,
  coalesce(outbox_id, acked_outbox) AS outbox_id, aggregate_type, aggregate_id, status, attempts,
  created_at, claimed_at, lease_until, dispatched_at, dlq_at, received_at, consumer, effect_key,
  coalesce(acks, 0) AS acks, first_acked_at, last_acked_at, ack_id
FROM row
FULL JOIN event ON row.source = event.source AND row.source_event_id = event.source_event_id
FULL JOIN acked ON acked_outbox = outbox_id;

-- Most events have one row, acknowledged under one key; the others are looked at again.
CREATE TEMP TABLE several AS
SELECT * FROM delivery
WHERE row_n IS NOT NULL AND (n IS NULL OR acks > 1 OR n IN (
  SELECT n FROM delivery WHERE n IS NOT NULL GROUP BY n HAVING count(*) > 1));

CREATE TEMP TABLE in_force AS
SELECT n, effect_type, arg_min(outbox_id, (created_at, outbox_id)) AS in_force
FROM several WHERE n IS NOT NULL GROUP BY ALL HAVING count(DISTINCT outbox_id) > 1;

COPY (
  SELECT source, source_event_id,
    if(n IS NULL, NULL, '{"source":"' || source || '","source_event_id":"' || source_event_id || '"}')
      AS key,
    if(row_n IS NULL AND ack_n IS NULL, 'notify', effect_type) AS effect_type,
    if(row_n IS NULL, consumer, coalesce(consumer, 'c1')) AS consumer, effect_key, outbox_id, status,
    acks,
    CASE
      WHEN n IS NULL THEN 'ORPHAN'
      WHEN row_n IS NULL THEN
        if(received_at <= TIMESTAMPTZ ':CUT' - INTERVAL 10 MINUTE, 'MISSING', 'IN_FLIGHT')
      WHEN in_force <> outbox_id THEN 'SURPLUS'
      WHEN acks > 0 THEN 'DONE'
      WHEN status = 'DLQ' OR status = 'PENDING' AND attempts >= 5
        AND created_at <= TIMESTAMPTZ ':CUT' - INTERVAL 10 MINUTE THEN 'DLQ'
      WHEN status = 'DISPATCHED' THEN 'NO_ACK'
      ELSE 'PENDING'
    END AS outcome,
    greatest(acks - 1, 0) AS repeats, if(in_force <> outbox_id, in_force, NULL) AS against,
    first_acked_at, if(last_acked_at > first_acked_at, last_acked_at, NULL) AS last_acked_at,
    outbox_file.name AS row_file, row_n & 1099511627775 AS row_position,
    ack_file.name AS ack_file, ack_n & 1099511627775 AS ack_position
  FROM delivery LEFT JOIN in_force USING (n, effect_type)
  LEFT JOIN outbox_file ON outbox_file.file_index = row_n >> 40
  LEFT JOIN ack_file ON ack_file.file_index = ack_n >> 40
  UNION ALL
  SELECT source, source_event_id,
    '{"source":"' || source || '","source_event_id":"' || source_event_id || '"}', NULL, NULL, NULL,
    NULL, NULL, 0, 'SUPPRESSED', repeats, ingestion_id, NULL, NULL, NULL, NULL, NULL, NULL
  FROM repeat JOIN reception USING (n)
  ORDER BY source, source_event_id, effect_type, consumer, effect_key, outbox_id
) TO ':OUT/effects.parquet';

-- Order: rows of an aggregate that went before an earlier one had let go.
CREATE TEMP TABLE aggregate_row AS
SELECT aggregate_type, aggregate_id, outbox_id, created_at, delivered,
  CASE WHEN delivered IS NOT NULL OR dlq_at IS NOT NULL
      THEN least(coalesce(delivered, dlq_at), coalesce(dlq_at, delivered))
    WHEN status IN ('PENDING', 'PROCESSING') THEN TIMESTAMPTZ 'infinity' END AS let_go
FROM (
  SELECT row_n, any_value(aggregate_type) AS aggregate_type,
    any_value(aggregate_id) AS aggregate_id, any_value(outbox_id) AS outbox_id,
    any_value(created_at) AS created_at, any_value(status) AS status, any_value(dlq_at) AS dlq_at,
    coalesce(min(first_acked_at), if(any_value(status) = 'DISPATCHED', any_value(dispatched_at), NULL))
      AS delivered
  FROM delivery WHERE row_n IS NOT NULL AND aggregate_id IS NOT NULL GROUP BY row_n);

COPY (
  SELECT count(delivered) AS delivered, count(*) FILTER (delivered < before) AS overtakings
  FROM (
    SELECT delivered, max(let_go) OVER (PARTITION BY aggregate_type, aggregate_id
      ORDER BY created_at, outbox_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM aggregate_row)
) TO ':OUT/order.parquet';

-- Rows of which something may be said.
CREATE TEMP TABLE suspect AS
SELECT row_n, n, outbox_id, status, attempts, created_at, claimed_at, lease_until, dispatched_at,
  dlq_at, coalesce(in_force <> outbox_id, false) AS surplus, sum(acks) AS acks,
  min(first_acked_at) AS first_acked_at
FROM delivery LEFT JOIN in_force USING (n, effect_type)
WHERE row_n IS NOT NULL AND (n IS NULL OR acks = 0 OR status <> 'DISPATCHED' OR attempts = 0
  OR attempts > 5 OR in_force IS NOT NULL OR lease_until IS NOT NULL
  OR first_acked_at < created_at OR dispatched_at < created_at)
GROUP BY ALL;

-- Findings, in the order of level, kind and subject.
COPY (
  WITH settled AS (SELECT TIMESTAMPTZ ':CUT' - INTERVAL 10 MINUTE AS settled),
  judged AS (
    SELECT 'ORPHAN_OUTBOX' AS kind, outbox_id, created_at AS since FROM suspect, settled
    WHERE n IS NULL AND created_at <= settled
    UNION ALL
    SELECT 'SURPLUS_OUTBOX', outbox_id, created_at FROM suspect WHERE surplus
    UNION ALL
    SELECT 'MISSING_ACK', outbox_id, coalesce(dispatched_at, created_at) FROM suspect, settled
    WHERE status = 'DISPATCHED' AND acks = 0 AND NOT surplus
      AND coalesce(dispatched_at, created_at) <= settled
    UNION ALL
    SELECT 'DLQ', outbox_id, coalesce(dlq_at, created_at) FROM suspect WHERE status = 'DLQ'
    UNION ALL
    SELECT 'ACKED_NOT_TERMINAL', outbox_id, first_acked_at FROM suspect, settled
    WHERE status IN ('PENDING', 'PROCESSING') AND acks > 0 AND first_acked_at <= settled
    UNION ALL
    SELECT 'STUCK_LEASE', outbox_id, coalesce(lease_until, claimed_at, created_at)
    FROM suspect, settled
    WHERE status = 'PROCESSING' AND acks = 0
      AND coalesce(lease_until, claimed_at, created_at) < settled
    UNION ALL
    SELECT 'IMPLICIT_DLQ', outbox_id, created_at FROM suspect, settled
    WHERE status = 'PENDING' AND acks = 0 AND attempts >= 5 AND created_at <= settled
    UNION ALL
    SELECT 'STUCK_PENDING', outbox_id, created_at FROM suspect, settled
    WHERE status = 'PENDING' AND acks = 0 AND attempts < 5
      AND created_at < settled - INTERVAL 20 MINUTE
    UNION ALL
    SELECT 'RETRY_LIMIT_EXCEEDED', outbox_id, created_at FROM suspect WHERE attempts > 5
    UNION ALL
    SELECT 'IMPLAUSIBLE_LEASE', outbox_id, claimed_at FROM suspect
    WHERE lease_until - claimed_at > INTERVAL 60 SECOND
    UNION ALL
    SELECT 'IMPOSSIBLE_STATE', outbox_id, created_at FROM suspect
    WHERE least(dispatched_at, claimed_at, dlq_at, first_acked_at) < created_at
      OR status = 'DISPATCHED' AND attempts = 0),
  acked AS (
    SELECT source, source_event_id, effect_type, consumer, effect_key, sum(acks)::BIGINT AS acks,
      min(first_acked_at) AS first_at, max(last_acked_at) AS last_at
    FROM several WHERE acks > 0 GROUP BY ALL),
  said AS (
    SELECT 'CONFLICTING_DUPLICATE' AS kind,
      json_object('deviating_hash', r.hash, 'source', r.source, 'source_event_id', r.source_event_id)
        AS subject, any_value(f.received_at) AS first_at, max(r.received_at) AS last_at,
      count(*) AS occurrences
    FROM reception r JOIN reception f ON f.n = r.first_n
    WHERE r.decision = 'CONFLICTING_DUPLICATE' GROUP BY r.hash, r.source, r.source_event_id
    UNION ALL
    SELECT 'PAYLOAD_HASH_MISMATCH', json_object('ingestion_id', ingestion_id), received_at,
      received_at, 1
    FROM reception WHERE mismatch AND decision <> 'ARCHIVE_COPY'
    UNION ALL
    SELECT 'UNKNOWN_SCHEMA_VERSION',
      json_object('schema_version', schema_version, 'source', source), min(received_at),
      max(received_at), count(*)
    FROM reception WHERE in_history AND NOT known_schema GROUP BY source, schema_version
    UNION ALL
    SELECT 'UNIT_SUSPECT',
      json_object('factor', factor, 'schema_version', schema_version, 'source', source), first_at,
      last_at, events
    FROM unit
    UNION ALL
    SELECT if(target IS NULL, 'BROKEN_CHAIN', 'CORRECTION_BEFORE_TARGET'),
      json_object('source', source, 'source_event_id', source_event_id), received_at,
      coalesce(target_received_at, received_at), 1
    FROM link, settled
    WHERE target IS NULL AND received_at <= settled
      OR (received_at, ingestion_id) < (target_received_at, target_ingestion_id)
    UNION ALL
    SELECT 'CORRECTION_FORK',
      json_object('source', any_value(t.source), 'source_event_id', any_value(t.source_event_id)),
      least(any_value(t.received_at), min(link.received_at)),
      greatest(any_value(t.received_at), max(link.received_at)), 1
    FROM link JOIN reception t ON t.n = link.target GROUP BY link.target HAVING count(*) > 1
    UNION ALL
    SELECT 'MISSING_OUTBOX',
      json_object('effect_type', 'notify', 'source', source, 'source_event_id', source_event_id),
      received_at, received_at, 1
    FROM delivery, settled WHERE row_n IS NULL AND n IS NOT NULL AND received_at <= settled
    UNION ALL
    SELECT 'ORPHAN_ACK', json_object('ack_id', ack_id), first_acked_at, first_acked_at, 1
    FROM delivery, settled WHERE row_n IS NULL AND ack_n IS NOT NULL AND first_acked_at <= settled
    UNION ALL
    SELECT kind, if(kind = 'MISSING_ACK', json_object('consumer', 'c1', 'outbox_id', outbox_id),
      json_object('outbox_id', outbox_id)), since, since, 1
    FROM judged
    UNION ALL
    SELECT 'REDELIVERY', json_object('consumer', consumer, 'effect_key', effect_key, 'effect_type',
      effect_type, 'source', source, 'source_event_id', source_event_id), first_at, last_at, acks - 1
    FROM acked WHERE acks > 1
    UNION ALL
    SELECT 'DOUBLE_EFFECT', json_object('consumer', consumer, 'effect_type', effect_type, 'source',
      source, 'source_event_id', source_event_id), min(first_at), max(last_at),
      count(effect_key) - 1
    FROM acked GROUP BY source, source_event_id, effect_type, consumer HAVING count(effect_key) > 1)
  SELECT left(sha256('{"kind":"' || kind || '","subject":' || subject || '}'), 32) AS fingerprint,
    kind, level, subject, first_at, last_at, occurrences
  FROM said JOIN (
    VALUES ('CONFLICTING_DUPLICATE', 1, 'error'), ('PAYLOAD_HASH_MISMATCH', 1, 'error'),
      ('MISSING_OUTBOX', 1, 'error'), ('ORPHAN_OUTBOX', 1, 'error'), ('SURPLUS_OUTBOX', 1, 'error'),
      ('IMPOSSIBLE_STATE', 1, 'error'), ('STUCK_PENDING', 1, 'error'), ('STUCK_LEASE', 1, 'error'),
      ('IMPLICIT_DLQ', 1, 'error'), ('MISSING_ACK', 1, 'error'), ('ORPHAN_ACK', 1, 'error'),
      ('DOUBLE_EFFECT', 1, 'error'), ('BROKEN_CHAIN', 1, 'error'), ('CORRECTION_FORK', 1, 'error'),
      ('ACKED_NOT_TERMINAL', 2, 'warning'), ('DLQ', 2, 'warning'),
      ('RETRY_LIMIT_EXCEEDED', 2, 'warning'), ('IMPLAUSIBLE_LEASE', 2, 'warning'),
      ('UNIT_SUSPECT', 2, 'warning'),
      ('UNKNOWN_SCHEMA_VERSION', 2, 'warning'), ('CORRECTION_BEFORE_TARGET', 3, 'info'),
      ('REDELIVERY', 3, 'info')) levels(kind, rank, level) USING (kind)
  ORDER BY rank, kind, subject::VARCHAR
) TO ':OUT/findings.jsonl' (FORMAT json);
