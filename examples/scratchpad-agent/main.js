/**
 * The demo: `npm run demo` walks through the tour, `npm run demo -- --interactive` gives a SQL prompt on the same tables.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { formatError, formatRows } from "glove-scratchpad";
import { openDatabase } from "./database.js";
import { tour } from "./tour.js";

const width = Math.min(process.stdout.columns ?? 100, 110);

if (process.argv.includes("--interactive")) {
  const shell = fileURLToPath(new URL("../../dist/cli/glove-scratchpad.js", import.meta.url));
  const config = fileURLToPath(new URL("database.js", import.meta.url));
  const child = spawn(process.execPath, [shell, "--config", config], { stdio: "inherit" });
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  process.exitCode = await runTour();
}

/** @returns {Promise<number>} the exit code: 0 when every stop did what it was meant to do */
async function runTour() {
  const { db, close } = await openDatabase();
  let surprises = 0;
  try {
    for (const [i, stop] of tour.entries()) {
      console.log(`\n${i + 1}. ${stop.title}${stop.text === "" ? "" : `\n   ${stop.text}`}\n`);
      console.log(indent(stop.sql, "   sql> "));
      const failed = await show(stop.newSession ? db.session() : db, stop);
      if (failed !== (stop.fails ?? false)) surprises += 1;
    }
  } finally {
    await close();
  }
  console.log(
    surprises === 0
      ? "\nThat was the tour. Try your own: npm run demo -- --interactive"
      : `\n${surprises} of ${tour.length} stops did not do what they should.`,
  );
  return surprises === 0 ? 0 : 1;
}

/**
 * Runs one stop and prints what came back.
 * @param {Pick<import("glove-scratchpad").Database, "execute">} db
 * @param {import("./tour.js").Stop} stop
 * @returns {Promise<boolean>} whether the statement was refused
 */
async function show(db, stop) {
  try {
    const result = await db.execute(stop.sql, stop.options);
    const names = result.fields.map((field) => field.name);
    if (names.length > 0) console.log(`\n${indent(formatRows(names, result.rows, { width: width - 3 }))}`);
    console.log(`\n   ${summary(result)}`);
    for (const receipt of result.receipts ?? [])
      console.log(`   ${receipt.id}. ${receipt.op} ${receipt.resource}: ${receipt.status}`);
    return false;
  } catch (error) {
    console.log(`\n${indent(formatError(error, stop.sql))}`);
    return true;
  }
}

/**
 * The command tag and the calls that were made.
 * @param {import("glove-scratchpad").ExecuteResult} result
 */
function summary(result) {
  const calls = result.touched.filter((relation) => relation.invocations > 0);
  const made = calls.map((relation) => `${relation.name} ${relation.invocations}×`).join(", ");
  return [result.command, result.message, made === "" ? "no calls" : `calls: ${made}`].filter(Boolean).join("  ·  ");
}

/**
 * Every line moved to the right; the first one behind `first`.
 * @param {string} text
 */
function indent(text, first = "   ") {
  return text
    .split("\n")
    .map((line, i) => (i === 0 ? first : " ".repeat(first.length)) + line)
    .join("\n");
}
