/**
 * Asks a PostgreSQL 15 server for the answers of a file of aggregate cases and writes them into it:
 * `npx tsx test/support/record-aggregates.ts functions/data/aggregates.json` (a path from `test/`). The server is found through PGHOST, PGPORT, ….
 */
import { writeFileSync } from "node:fs";
import pg from "pg";
import { type AggregateAnswer, aggregateSql, readAggregateAnswers } from "./aggregate-answers.js";

const rawText = { getTypeParser: () => (text: string) => text };
const client = new pg.Client();
await client.connect();
for (const path of process.argv.slice(2)) {
  const answers: AggregateAnswer[] = [];
  for (const { name, types, rows, direct } of readAggregateAnswers(path)) {
    const question = direct === undefined ? { name, types, rows } : { name, types, rows, direct };
    try {
      const result = await client.query({ text: aggregateSql(question), types: rawText, rowMode: "array" });
      answers.push({ ...question, type: result.rows[0][1], text: result.rows[0][0] });
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      answers.push({ ...question, error: `${error.code} ${error.message}` });
    }
  }
  const lines = answers.map((answer) => JSON.stringify(answer));
  writeFileSync(new URL(`../${path}`, import.meta.url), `[\n${lines.join(",\n")}\n]\n`);
  console.log(`${path}: ${answers.length} answers`);
}
await client.end();
