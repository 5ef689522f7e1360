/**
 * Fills `answers.json` with what a real PostgreSQL 15 answers to the table of statements; review the difference.
 *
 *     npx tsx test/effects/writes/record-answers.ts <port on 127.0.0.1>
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Oracle } from "./oracle.js";
import { asked } from "./statements.js";

const oracle = await Oracle.open(Number(process.argv[2]));
const lines: string[] = [];
for (const { key, statement } of asked())
  lines.push(`  ${JSON.stringify(key)}: ${JSON.stringify(await oracle.answer(statement))}`);
await oracle.close();
writeFileSync(path.join(import.meta.dirname, "answers.json"), `{\n${lines.join(",\n")}\n}\n`);
