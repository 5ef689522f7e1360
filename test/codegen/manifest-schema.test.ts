/** The published JSON Schema of the manifest's format: in step with the checks, and true of the manifests that are there. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { manifestSchemaText } from "../../src/codegen/manifest/json-schema.js";
import type { JsonSchema } from "../../src/json-schema/schema.js";
import { problemsOf } from "../../src/json-schema/validate.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const schema = JSON.parse(manifestSchemaText()) as JsonSchema;

test("the committed file is what the format gives (npx vitest run test/codegen/manifest-schema.test.ts -u)", async () => {
  await expect(manifestSchemaText()).toMatchFileSnapshot(join(root, "manifest.schema.json"));
});

test("the package publishes it", async () => {
  const { files, exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    files: string[];
    exports: Record<string, unknown>;
  };
  expect(files).toContain("manifest.schema.json");
  expect(exports["./manifest.schema.json"]).toBe("./manifest.schema.json");
});

test("the manifests that are there, and the golden ones, are right by it", async () => {
  const folders = ["manifests", "test/codegen/golden"].map((folder) => join(root, folder));
  const entries = (
    await Promise.all(folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })))
  )
    .flat()
    .filter((entry) => /\.(ya?ml|json)$/.test(entry.name));
  expect(entries.length).toBeGreaterThan(40);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    expect({
      path,
      problems: problemsOf(parse(await readFile(path, "utf8"), { merge: true }), schema, schema),
    }).toEqual({
      path,
      problems: [],
    });
  }
});

test.each([
  { name: "an unknown key", manifest: { colour: "red" } },
  { name: "a verb of another connector", manifest: { resources: { a: { ...resource(), select: { get: "/a" } } } } },
  {
    name: "a secret",
    manifest: { connector: { kind: "http", baseUrl: "https://x.example", auth: { bearer: "abc" } } },
  },
])("$name is wrong by it", ({ manifest }) => {
  const whole = { service: "s", description: "d", connector: { kind: "mcp" }, resources: { a: resource() } };
  expect(problemsOf(whole, schema, schema)).toEqual([]);
  expect(problemsOf({ ...whole, ...manifest }, schema, schema)).not.toEqual([]);
});

function resource() {
  return {
    description: "d",
    volatility: "stable",
    row: { type: "object", properties: { id: { type: "integer" } } },
    select: { tool: "x" },
  };
}
