/**
 * The process that is killed: commits batches of writes against the recording service, again and again, until somebody ends
 * it. When it starts it recovers: what may be sent again is, the rest is settled by what the service says.
 *
 * Arguments: one JSON document, `Work` of `crash-run.ts`. Writes a line of JSON for each thing that it has got done.
 */
import { createWriteStream } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const work = JSON.parse(process.argv[2]);
const built = (file) => import(pathToFileURL(path.join(work.dist, file)).href);
const { Database, defineResource, SqlError } = await built("index.js");
const { fileJournal, postgresJournal } = await built("database/journal/door.js");

const out = createWriteStream("", { fd: 1 });
const say = (line) => new Promise((resolve) => out.write(`${JSON.stringify(line)}\n`, resolve));

const headers = { "content-type": "application/json", "x-child": work.child };

async function send(table, row, idempotencyKey) {
  const response = await fetch(`${work.url}/${table}`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": idempotencyKey },
    body: JSON.stringify(row),
  });
  if (!response.ok) throw new Error(`the service said ${response.status}`);
  return response.json();
}

async function hasArrived(key) {
  const response = await fetch(`${work.url}/arrived?key=${encodeURIComponent(key)}`, { headers });
  return (await response.json()).arrived;
}

const table = (name, idempotent) =>
  defineResource({
    name,
    volatility: "volatile",
    columns: [
      { name: "id", type: "text" },
      { name: "note", type: "text" },
    ],
    primaryKey: ["id"],
    insert: ([row], { idempotencyKey }) => send(name, row, idempotencyKey),
    ...(idempotent && { idempotent: ["insert"] }),
  });

let pool;
if (work.postgres !== undefined) {
  const { default: pg } = await import("pg");
  pool = new pg.Pool({ ...work.postgres.connection, max: 3 });
}
const journal =
  pool === undefined
    ? fileJournal({ path: work.file, onTorn: () => say({ torn: true }) })
    : postgresJournal({ client: pool, table: work.postgres.table, leaseMs: work.postgres.leaseMs });

const db = await Database.create({ policy: { writes: true }, journal });
db.registerAll([table("mail", false), table("payment", true)]);

await say({ started: true });
await recoverAll();
if (work.last) {
  await db.close();
  await pool?.end();
  process.exit(0);
}
for (let batch = work.batch; ; batch++) await commit(batch);

async function recoverAll() {
  const receipts = await db.recover({ refire: true });
  const listed = receipts.map(({ idempotencyKey, status, resource }) => ({ idempotencyKey, status, resource }));
  await say({ recovered: listed });
  for (const { idempotencyKey, status } of receipts) {
    if (status !== "unknown") continue;
    try {
      await db.settle(idempotencyKey, (await hasArrived(idempotencyKey)) ? "fired" : "failed");
    } catch (error) {
      // Another process of the same journal looked at it as well.
      if (!(error instanceof SqlError) || error.code !== "55000") throw error;
    }
    await say({ settled: idempotencyKey });
  }
}

/** Every second batch may be repeated: it has a key. With a shared journal every fourth is that of all processes. */
async function commit(batch) {
  const isShared = work.postgres !== undefined && batch % 4 === 0;
  const name = isShared ? `all-${Math.floor(batch / 4)}` : `${work.worker}-${batch}`;
  const row = (n) => `('${name}-${n}', 'é\n"x"')`;
  const sql = `BEGIN;
    INSERT INTO mail (id, note) VALUES ${row("a")}, ${row("b")};
    INSERT INTO payment (id, note) VALUES ${row("c")};
    INSERT INTO mail (id, note) VALUES ${row("d")};
    COMMIT`;
  const key = isShared || batch % 2 === 0 ? { idempotencyKey: `key-${name}` } : {};
  for (;;) {
    try {
      const { receipts } = await db.execute(sql, key);
      await say({ done: batch, receipts: receipts.map(({ idempotencyKey, status }) => ({ idempotencyKey, status })) });
      return;
    } catch (error) {
      // Somebody was killed in the middle of this batch: it was under way until that one's lease was over, now it is in doubt.
      if (key.idempotencyKey === undefined || !(error instanceof SqlError) || error.code !== "40003") throw error;
      await recoverAll();
    }
  }
}
