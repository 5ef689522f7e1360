/** `npm run docs` writes `docs/sql.md` from the code; `npm run docs -- --check` fails when the page is stale. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sqlPage } from "./docs/sql-page.js";

const file = path.resolve(import.meta.dirname, "../docs/sql.md");
const page = await sqlPage();
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== page) {
    console.error("docs/sql.md is stale: run npm run docs.");
    process.exit(1);
  }
} else {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, page);
}
