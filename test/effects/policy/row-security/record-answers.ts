/** Records what PostgreSQL's row-level security answers: `SCRATCHPAD_TEST_PG=port npx tsx test/effects/policy/row-security/record-answers.ts`. */
import { writeFile } from "node:fs/promises";
import { statements } from "./statements.js";
import { type Answer, RowSecurity } from "./world.js";

const oracle = await RowSecurity.open(Number(process.env.SCRATCHPAD_TEST_PG));
const lines: string[] = [];
try {
  for (const statement of statements) {
    const answer: Answer = await oracle.answer(statement);
    lines.push(JSON.stringify([statement.actor, statement.sql, answer]));
  }
} finally {
  await oracle.close();
}
await writeFile(new URL("answers.json", import.meta.url), `[\n${lines.join(",\n")}\n]\n`);
