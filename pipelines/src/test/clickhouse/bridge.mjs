// Lets clickhouse-jdbc reach ClickHouse's engine, which runs in this process: the part of the HTTP
// protocol that the driver speaks, on loopback. Only for tests: no users, no TLS, no cluster.
//
//   node bridge.mjs DATA_FOLDER
//
// prints one line, "ready PORT", and ends when its standard input does. Each request gets a
// connection of its own to the one data folder. What a test wants to go wrong it says first:
//
//   POST /-/fault?match=TEXT&rows=N&how=cut|tear|error|text|hang
//
// makes the next query whose text holds TEXT fail behind N rows: "cut" destroys the connection at a
// row's end, "tear" inside the next row, "error" answers with an exception before the first byte,
// "text" puts the text of an exception where a row should be and ends cleanly, as old servers do,
// and "hang" sends nothing more.

import http from "node:http";
import { createRequire } from "node:module";
import process from "node:process";

process.env.TZ = "UTC";
const { Session } = createRequire(import.meta.url)("chdb");
const HEADED = "RowBinaryWithNamesAndTypes";
const CLIENTS_OWN = new Set([
  "query", "query_id", "session_id", "database", "default_format", "compress", "decompress",
  "enable_http_compression", "wait_end_of_query", "client_protocol_version", "role",
  "send_progress_in_http_headers", "http_response_buffer_size", "custom_settings_prefixes",
]);
const NO_ROWS = /^\s*(insert|create|drop|alter|truncate|set|optimize|system|rename|delete|use)\b/i;

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node bridge.mjs DATA_FOLDER");
  process.exit(2);
}
// The first session binds the folder; it stays open so that later ones find it.
const root = new Session(folder);
const version = String(root.query("SELECT version()", "TSV")).trim();
const faults = [];

const server = http.createServer((request, response) => {
  answer(request, response).catch((failure) => fail(response, failure));
});

async function answer(request, response) {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  const body = (await wholeOf(request)).toString("utf8");
  if (url.pathname === "/-/fault") {
    faults.push(Object.fromEntries(url.searchParams));
    response.end();
    return;
  }
  const sql = [url.searchParams.get("query") ?? "", body].filter(Boolean).join("\n");
  const fault = take(sql);
  if (fault?.how === "error") {
    throw new Error("Code: 241. DB::Exception: Memory limit exceeded (a test asked for it)");
  }
  const session = new Session(folder);
  try {
    for (const setting of settings(url.searchParams)) {
      session.query(setting, "TSV");
    }
    const format = request.headers["x-clickhouse-format"] ?? url.searchParams.get("default_format") ?? "TSV";
    const parameters = bound(url.searchParams);
    response.setHeader("X-ClickHouse-Server-Display-Name", "constat-test");
    response.setHeader("X-ClickHouse-Timezone", "UTC");
    response.setHeader("X-ClickHouse-Query-Id", url.searchParams.get("query_id") ?? "none");
    response.setHeader("X-ClickHouse-Format", format);
    if (NO_ROWS.test(sql)) {
      const result = await session.queryBindAsync(sql, parameters, { format });
      const written = String(result.rowsRead ?? 0);
      response.setHeader("X-ClickHouse-Summary", JSON.stringify({ written_rows: written, read_rows: written }));
      response.end();
    } else {
      await stream(session.queryStreamBind(sql, parameters, { format }), format, response, fault);
    }
  } finally {
    session.close();
  }
}

async function wholeOf(request) {
  const parts = [];
  for await (const part of request) {
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function stream(chunks, format, response, fault) {
  response.setHeader("X-ClickHouse-Summary", JSON.stringify({ written_rows: "0" }));
  let header = null;
  let rows = 0;
  for await (const chunk of chunks) {
    let bytes = Buffer.from(chunk.raw());
    if (format === HEADED) {
      // Every chunk begins with names and types; a reader of the whole wants them once.
      if (header === null) {
        header = headerOf(bytes);
      } else if (bytes.subarray(0, header.length).equals(header)) {
        bytes = bytes.subarray(header.length);
      }
    }
    if (fault && rows + chunk.numRows > Number(fault.rows)) {
      const whole = rows === 0 && header !== null ? header.length : 0;
      const share = Math.floor(((bytes.length - whole) * (Number(fault.rows) - rows)) / chunk.numRows);
      await breakOff(bytes.subarray(0, whole + share + (fault.how === "tear" ? 1 : 0)), response, fault);
      return;
    }
    rows += chunk.numRows;
    if (!response.write(bytes)) {
      await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
    }
    if (response.destroyed) {
      return;
    }
  }
  response.end();
}

async function breakOff(bytes, response, fault) {
  await new Promise((resolve) => response.write(bytes, resolve));
  if (fault.how === "text") {
    response.end("Code: 241. DB::Exception: Memory limit (total) exceeded: while executing. (MEMORY_LIMIT_EXCEEDED)\n");
  } else if (fault.how !== "hang") {
    response.destroy();
  }
}

function headerOf(bytes) {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) {
        return value;
      }
    }
  };
  const columns = number();
  for (let text = 0; text < 2 * columns; text++) {
    const length = number();
    at += length;
  }
  return Buffer.from(bytes.subarray(0, at));
}

function settings(parameters) {
  const statements = [];
  if (parameters.get("database") && parameters.get("database") !== "default") {
    statements.push(`USE \`${parameters.get("database").replaceAll("`", "``")}\``);
  }
  for (const [name, value] of parameters) {
    if (!CLIENTS_OWN.has(name) && !name.startsWith("param_") && /^[a-z_0-9]+$/.test(name)) {
      statements.push(`SET ${name} = ${/^[0-9.]+$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`}`);
    }
  }
  return statements;
}

function bound(parameters) {
  const values = {};
  for (const [name, value] of parameters) {
    if (name.startsWith("param_")) {
      values[name.slice("param_".length)] = value;
    }
  }
  return values;
}

function take(sql) {
  const at = faults.findIndex((fault) => sql.includes(fault.match));
  return at < 0 ? null : faults.splice(at, 1)[0];
}

function fail(response, failure) {
  const message = failure?.message ?? String(failure);
  if (response.headersSent) {
    response.destroy(); // an end that looks clean would pass for a complete answer
    return;
  }
  const code = /Code: (\d+)/.exec(message)?.[1] ?? "1002";
  response.statusCode = code === "60" || code === "81" ? 404 : 500;
  response.setHeader("X-ClickHouse-Exception-Code", code);
  response.end(message + "\n");
}

process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
server.listen(0, "127.0.0.1", () => console.log(`ready ${server.address().port} ${version}`));
