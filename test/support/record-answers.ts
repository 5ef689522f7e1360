/**
 * Asks a PostgreSQL 15 server for the answers of a file of cases and writes them into it:
 * `npx tsx test/support/record-answers.ts test/functions/data/math.json`. The server is found through PGHOST, PGPORT, ….
 */
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { type Answer, toSql } from "./answers.js";

const rawText = { getTypeParser: () => (text: string) => text };

async function answerOf(client: pg.Client, question: Answer): Promise<Answer> {
  const { name, args } = question;
  const expression = toSql(question);
  try {
    const { rows } = await client.query({
      text: `SELECT value, pg_typeof(value)::text FROM (SELECT ${expression} AS value) AS answer`,
      types: rawText,
      rowMode: "array",
    });
    return { name, args, type: rows[0][1], text: rows[0][0] };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { name, args, error: `${error.code} ${error.message}` };
  }
}

const client = new pg.Client();
await client.connect();
for (const path of process.argv.slice(2)) {
  const answers: Answer[] = [];
  for (const question of JSON.parse(readFileSync(path, "utf8")) as Answer[]) {
    answers.push(await answerOf(client, question));
  }
  writeFileSync(path, `[\n${answers.map((answer) => JSON.stringify(answer)).join(",\n")}\n]\n`);
  console.log(`${path}: ${answers.length} answers`);
}
await client.end();
