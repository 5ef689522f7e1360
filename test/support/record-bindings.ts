/**
 * Records what a PostgreSQL 15 server says of the statements in `test/planner/bind/data/statements.sql`: names and types of the
 * result, or the error with its place. Run `npx tsx test/support/record-bindings.ts`; the server is found through PGHOST, PGPORT, ….
 */
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";

const folder = new URL("../planner/bind/data/", import.meta.url);
const client = new pg.Client();
await client.connect();
await client.query("BEGIN; CREATE SCHEMA bind_recording; SET search_path = bind_recording");
await client.query(readFileSync(new URL("schema.sql", folder), "utf8").replaceAll("public.", "bind_recording."));
const { rows: types } = await client.query("SELECT oid, typname FROM pg_type");
const typeNames = new Map(types.map((row: { oid: number; typname: string }) => [row.oid, row.typname]));

const recorded: unknown[] = [];
for (const line of readFileSync(new URL("statements.sql", folder), "utf8").split("\n")) {
  if (line === "" || line.startsWith("--")) continue;
  const sql = line.slice(0, line.lastIndexOf(";"));
  await client.query("SAVEPOINT before");
  try {
    // Explained, not run: what only fails over rows is not the binder's.
    const shown = sql.replaceAll("public.", "bind_recording.");
    await client.query(`PREPARE recorded AS ${shown}`);
    await client.query("DEALLOCATE recorded");
    const fields = await describe(shown);
    recorded.push({ sql, columns: fields.map((field) => [field.name, typeNames.get(field.dataTypeID)]) });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const offset = "PREPARE recorded AS ".length;
    const moved = sql.includes("public.") ? "bind_recording.".length - "public.".length : 0;
    const position = error.position === undefined ? undefined : Number(error.position) - offset - moved;
    const { code, message, detail, hint } = error;
    recorded.push({ sql, error: { code, message, position, detail, hint } });
  }
  await client.query("ROLLBACK TO SAVEPOINT before");
}

async function describe(sql: string): Promise<readonly pg.FieldDef[]> {
  await client.query("SAVEPOINT described");
  try {
    const result = await client.query({ text: sql, rowMode: "array" });
    return result.fields;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    // It failed while it ran: its shape can still be had from a query around it that reads no row.
    await client.query("ROLLBACK TO SAVEPOINT described");
    if (!/^(select|values|table|with)/i.test(sql)) return [];
    const result = await client.query({ text: `SELECT * FROM (${sql}) AS described LIMIT 0`, rowMode: "array" });
    return result.fields;
  }
}

await client.query("ROLLBACK");
await client.end();
writeFileSync(
  new URL("statements.json", folder),
  `[\n${recorded.map((item) => JSON.stringify(item)).join(",\n")}\n]\n`,
);
console.log(`${recorded.length} statements`);
