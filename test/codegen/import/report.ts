/** Prints what importers make of every description in the corpora: `npx tsx test/codegen/import/report.ts [folder to keep]`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "../../../src/codegen/generate.js";
import { countsOf } from "../../../src/codegen/import/summary.js";
import { writeManifest } from "../../../src/codegen/import/write-manifest.js";
import { corpora, haveCorpora, importAll, toolsInUse } from "./corpora.js";
import { typeFaults } from "./type-check.js";

if (!haveCorpora) {
  process.stdout.write(`There are no corpora at ${corpora}: nothing to report.\n`);
} else {
  const kept = process.argv[2];
  const folder = kept ?? mkdtempSync(join(tmpdir(), "imported-"));
  mkdirSync(folder, { recursive: true });
  const all = await importAll();
  const rows = [["from", "in", "tables", "verbs", "left out", "reviews", "with schema", "become verbs"]];
  const totals = { typed: 0, used: 0 };
  for (const { kind, file, draft, typed } of all) {
    writeFileSync(
      join(folder, `${kind}-${file.replace(".json", ".yaml")}`),
      await writeManifest({ ...draft, service: `${kind}_${draft.service}` }),
    );
    const counts = countsOf(draft);
    const used = toolsInUse(draft);
    const become = typed.filter((tool) => used.has(tool)).length;
    totals.typed += typed.length;
    totals.used += become;
    const share = kind === "openapi" ? ["", ""] : [String(typed.length), String(become)];
    rows.push([
      `${kind}/${file}`,
      ...[counts.operations, counts.tables, counts.verbs, counts.skipped, counts.reviews].map(String),
      ...share,
    ]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    process.stdout.write(
      `${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join("  ")}\n`,
    );
  process.stdout.write(
    `\n${totals.used} of ${totals.typed} tools with an input schema become a verb of a table.\n\nLeft out:\n`,
  );
  for (const { file, draft } of all)
    for (const { operation, reason } of draft.skipped) process.stdout.write(`  ${file}: ${operation}: ${reason}\n`);
  const { files, tables } = await generate(folder);
  process.stdout.write(`\nThe manifests compile: ${tables.length} tables, ${files.size} files.\n`);
  const faults = typeFaults(files);
  process.stdout.write(
    faults.length === 0
      ? "The generated code type-checks under strict, noUncheckedIndexedAccess and exactOptionalPropertyTypes.\n"
      : `${faults.length} type errors:\n${faults.join("\n")}\n`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
  if (kept === undefined) rmSync(folder, { recursive: true });
}
