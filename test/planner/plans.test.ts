/**
 * Plan snapshots: scripts of EXPLAIN statements with the plan each gives. `npm test -- -u` writes them anew, to be read as
 * a diff.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explained } from "./support/plan-world.js";

const folder = new URL("./plans/", import.meta.url);

/** Comments and statements stay as they are; below each `----` stands the plan. */
function withPlans(script: string): string {
  const blocks = script.trimEnd().split("\n\n");
  return `${blocks.map(withPlan).join("\n\n")}\n`;
}

function withPlan(block: string): string {
  const lines = block.split("\n");
  const at = lines.indexOf("query T");
  if (at < 0) return block;
  const end = lines.indexOf("----");
  const head = end < 0 ? lines : lines.slice(0, end);
  const statement = head.slice(at + 1).join("\n");
  if (!statement.startsWith("EXPLAIN ")) throw new Error(`not an EXPLAIN: ${statement}`);
  return [...head, "----", explained(statement.slice("EXPLAIN ".length))].join("\n");
}

const files = readdirSync(folder).filter((name) => name.endsWith(".slt"));

test.each(files)("%s", async (name) => {
  const path = new URL(name, folder);
  await expect(withPlans(readFileSync(path, "utf8"))).toMatchFileSnapshot(path.pathname);
});
