/**
 * Asks a PostgreSQL 15 server for the answers to files of statements and writes them into the files:
 * `npx tsx test/engine/record.ts test/engine/cases/joins.json …`. The server is found through PGHOST, PGPORT, …; format the files afterwards (`npx biome check --write test/engine/cases`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import type { Case } from "./cases.js";
import { tables } from "./dataset.js";

const rawText = { getTypeParser: () => (text: string) => text };
const client = new pg.Client();
await client.connect();
await client.query("SET TimeZone = 'UTC'; CREATE SCHEMA engine_record; SET search_path = engine_record");
try {
  for (const table of tables) {
    const columns = table.columns.map((column) => `${column.name} ${column.type}`);
    await client.query(`CREATE TABLE ${table.name} (${columns.join(", ")})`);
    await client.query(`INSERT INTO ${table.name} SELECT * FROM jsonb_populate_recordset(NULL::${table.name}, $1)`, [
      JSON.stringify(table.rows),
    ]);
  }
  for (const path of process.argv.slice(2)) {
    const cases: Case[] = [];
    for (const { sql, ordered } of JSON.parse(readFileSync(path, "utf8")) as Case[]) {
      const question = { sql, ...(ordered === true && { ordered }) };
      await client.query("BEGIN");
      try {
        const { rows, fields } = await client.query({ text: sql, types: rawText, rowMode: "array" });
        cases.push({ ...question, oids: fields.map((field) => field.dataTypeID), rows });
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        cases.push({ ...question, error: `${error.code} ${error.message}` });
      }
      await client.query("ROLLBACK");
    }
    writeFileSync(path, `[\n${cases.map((one) => JSON.stringify(one)).join(",\n")}\n]\n`);
    console.log(`${path}: ${cases.length} answers`);
  }
} finally {
  await client.query("DROP SCHEMA engine_record CASCADE");
  await client.end();
}
