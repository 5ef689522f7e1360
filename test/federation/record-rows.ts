/**
 * Fills `rows.json` with the answers of a real PostgreSQL 15 to the table of statements; review the difference.
 *
 *     npx tsx test/federation/record-rows.ts <port on 127.0.0.1>
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Oracle } from "./oracle.js";
import { stepsOf } from "./statements/statement.js";
import { statements } from "./statements.js";

const oracle = await Oracle.open(Number(process.argv[2]));
const lines: string[] = [];
for (const statement of Object.values(statements).flat()) {
  const answers = await oracle.answers(stepsOf(statement));
  lines.push(`  ${JSON.stringify(statement.name)}: ${JSON.stringify(answers)}`);
}
await oracle.close();
writeFileSync(path.join(import.meta.dirname, "rows.json"), `{\n${lines.join(",\n")}\n}\n`);
