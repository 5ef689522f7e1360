/** Records PostgreSQL's answers to `data/own.sql`: `npx tsx test/conformance/record-own.ts [port]` (54329 on 127.0.0.1 when none is given). */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Oracle } from "../fuzz/oracle.js";
import { ownFolder, readOwnScript } from "./own-cases.js";

const oracle = await Oracle.open({ port: Number(process.argv[2] ?? 54329) });
const answers: Record<string, unknown[]> = {};
for (const { feature, setup, statements } of readOwnScript()) {
  await oracle.load(setup);
  const recorded: unknown[] = [];
  for (const sql of statements) {
    const { answer, error } = await oracle.query(sql);
    recorded.push(error === undefined ? answer : { sqlstate: error.code, message: error.message });
  }
  answers[feature] = recorded;
}
await oracle.close();
writeFileSync(path.join(ownFolder, "own.json"), `${JSON.stringify(answers, undefined, 1)}\n`);
