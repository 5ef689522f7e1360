/**
 * Fills scripts of test/slt with the answers of a real PostgreSQL 15: rows, type letters, SQLSTATEs. What the scripts say
 * already is replaced; review the difference.
 *
 *     npx tsx test/support/record-slt.ts postgres://postgres@127.0.0.1:5432/postgres [file.slt …]
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { hostReaders } from "../../src/backends/pglite/values.js";
import { typeWithOid } from "../../src/types/catalog-types.js";
import { readSlt, type SltRecord, shownRows, typeLetters } from "./slt.js";

const readers = hostReaders({ timeZone: "UTC", nowMicroseconds: 0 });

async function record(file: string, client: pg.Client): Promise<void> {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  const schema = `slt_${path.basename(file, ".slt").replaceAll("-", "_")}`;
  await client.query(`ROLLBACK; DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
  await client.query(`SET search_path = ${schema}; SET TimeZone = 'UTC'; SET extra_float_digits = 1`);
  const out: string[] = [];
  let at = 0;
  for (const item of readSlt(text)) {
    out.push(...lines.slice(at, item.line - 1));
    const end = lines.findIndex((line, i) => i >= item.line && line.trim() === "");
    at = end < 0 ? lines.length : end;
    out.push(...(await answered(item, lines.slice(item.line - 1, at), client)));
  }
  out.push(...lines.slice(at));
  writeFileSync(file, out.join("\n"));
  await client.query(`ROLLBACK; DROP SCHEMA ${schema} CASCADE`);
}

/** The lines of a record with the server's answer. */
async function answered(item: SltRecord, lines: readonly string[], client: pg.Client): Promise<string[]> {
  const isFor = item.onlyIf.length === 0 || item.onlyIf.includes("postgres");
  if (!isFor || item.skipIf.includes("postgres")) return [...lines];
  const header = lines.findIndex((line) => line.startsWith("statement") || line.startsWith("query"));
  const before = lines.slice(0, header);
  const sql = item.sql.split("\n");
  try {
    const result = await client.query({ text: item.sql, rowMode: "array" });
    const last: pg.QueryArrayResult = Array.isArray(result) ? result[result.length - 1] : result;
    if (item.kind === "statement") {
      const count = item.expect === "count" ? `statement count ${last.rowCount}` : "statement ok";
      return [...before, count, ...sql];
    }
    const rows = (last.rows as (string | null)[][]).map((row) =>
      row.map((text, i) => (text === null ? null : read(last.fields[i].dataTypeID, text))),
    );
    const types = last.fields.map((field) => typeWithOid(field.dataTypeID)?.name ?? "text");
    const shown = shownRows(rows, item.sort).map((row) => row.join("\t"));
    return [...before, `query ${typeLetters(types)} ${item.sort}`, ...sql, "----", ...shown];
  } catch (error) {
    return [...before, `statement error ${(error as { code?: string }).code}`, ...sql];
  }
}

function read(oid: number, text: string): unknown {
  const reader = readers[oid];
  return reader === undefined ? text : reader(text);
}

const [url, ...files] = process.argv.slice(2);
if (url === undefined) throw new Error("give the address of a PostgreSQL 15");
const folder = path.join(import.meta.dirname, "..", "slt");
const chosen = files.length > 0 ? files : readdirSync(folder).filter((file) => file.endsWith(".slt"));
const client = new pg.Client({
  connectionString: url,
  types: { getTypeParser: () => (text: string) => text } as never,
});
await client.connect();
try {
  for (const file of chosen) await record(path.resolve(folder, file), client);
} finally {
  await client.end();
}
