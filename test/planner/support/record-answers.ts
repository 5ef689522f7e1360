/**
 * Records what a PostgreSQL server answers to the statements: `PGHOST=… PGPORT=… npx tsx test/planner/support/record-answers.ts`.
 * The answers stand in `answers.json`, rows as text, sorted; an error as `SQLSTATE message`.
 */
import { writeFileSync } from "node:fs";
import pg from "pg";
import { randomTables, tableStatements } from "./random-tables.js";
import { statements } from "./statements.js";

const client = new pg.Client({
  user: process.env.PGUSER ?? "postgres",
  database: process.env.PGDATABASE ?? "postgres",
});
await client.connect();
await client.query(
  "DROP SCHEMA IF EXISTS rule_answers CASCADE; CREATE SCHEMA rule_answers; SET search_path = rule_answers",
);
for (const statement of tableStatements(randomTables(1))) await client.query(statement);
const answers: Record<string, string[]> = {};
const asText = { getTypeParser: () => (value: string) => value };
for (const sql of Object.values(statements).flat()) {
  try {
    const { rows } = await client.query({ text: sql, rowMode: "array", types: asText });
    answers[sql] = rows.map((row) => JSON.stringify(row)).sort();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    answers[sql] = [`${code} ${message}`];
  }
}
await client.query("DROP SCHEMA rule_answers CASCADE");
await client.end();
writeFileSync(new URL("./answers.json", import.meta.url), `${JSON.stringify(answers, undefined, 1)}\n`);
