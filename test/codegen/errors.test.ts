/**
 * Manifests that are wrong: `errors/<case>.yaml` is refused with the text of `errors/<case>.txt`, rewritten by
 * `npx vitest run test/codegen/errors.test.ts -u`.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadManifests } from "../../src/codegen/manifest/load.js";
import { ManifestError } from "../../src/codegen/manifest/model.js";

const folder = fileURLToPath(new URL("errors", import.meta.url));
const cases = (await readdir(folder)).filter((name) => name.endsWith(".yaml")).map((name) => name.slice(0, -5));

/** What is said of manifests; fails when nothing is. */
async function refusal(files: Readonly<Record<string, string>>): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), "errors-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(place, path)), { recursive: true });
      await writeFile(join(place, path), text);
    }
    const error = await loadManifests(place).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ManifestError);
    return (error as ManifestError).message;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

describe("a manifest that is wrong is refused with every place", () => {
  test("there are cases", () => expect(cases.length).toBeGreaterThanOrEqual(25));

  test.each(cases)("%s", async (name) => {
    const text = await readFile(join(folder, `${name}.yaml`), "utf8");
    await expect(`${await refusal({ "m.yaml": text })}\n`).toMatchFileSnapshot(join(folder, `${name}.txt`));
  });
});

describe("several files", () => {
  const service = (name: string, resource: string) =>
    `service: ${name}\ndescription: d\nconnector: { kind: mcp }\nresources:\n  ${resource}:\n    description: d\n    volatility: stable\n    row: { type: object, properties: { id: { type: integer } } }\n    select: { tool: x }\n`;

  test("one table twice, one service twice", async () => {
    const files = {
      "a.yaml": service("a", "b_items"),
      "b.yaml": service("a_b", "items"),
      "c.yaml": service("A", "others"),
    };
    expect(await refusal(files)).toBe(
      `b.yaml:5:3: the table "a_b_items" is declared in a.yaml already (b_items)
  hint: Give one of the resources another name.
c.yaml:1:10: the service "A" is declared in a.yaml already
  hint: Put all resources of a service into one file, or give it another name.`,
    );
  });

  test("problems of all files come together, by file and place", async () => {
    const files = { "a.yaml": "service: [", "sub/b.json": "{}", "c.yaml": service("c", "x").replace("tool", "tol") };
    expect((await refusal(files)).split("\n").filter((line) => !line.startsWith("  "))).toEqual([
      expect.stringMatching(/^a\.yaml:1:\d+: not readable as YAML: /),
      'c.yaml:9:13: "tool" is missing',
      'c.yaml:9:15: unknown key "tol"',
      'sub/b.json:1:1: "connector" is missing',
    ]);
  });
});
