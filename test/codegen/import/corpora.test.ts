/** Descriptions of real services: all are imported, compile, and the generated code type-checks. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../../src/codegen/generate.js";
import { writeManifest } from "../../../src/codegen/import/write-manifest.js";
import { corpora, haveCorpora, importAll, toolsInUse } from "./corpora.js";
import { typeFaults } from "./type-check.js";

if (!haveCorpora) {
  test(`the corpora are not beside the checkout (${corpora}): real services are not tried`, () => {
    expect(haveCorpora).toBe(false);
  });
} else {
  test("every description becomes a manifest that compiles to sound code; nine of ten tools become a verb", async () => {
    const all = await importAll();
    const folder = await mkdtemp(join(tmpdir(), "imported-"));
    try {
      for (const { kind, file, draft } of all) {
        const own = { ...draft, service: `${kind}_${draft.service}` };
        const text = await writeManifest(own);
        expect(await writeManifest(own)).toBe(text);
        await writeFile(join(folder, `${kind}-${file.replace(".json", ".yaml")}`), text);
      }
      const { files } = await generate(folder);
      expect(typeFaults(files)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
    const typed = all.flatMap(({ typed, draft }) => {
      const used = toolsInUse(draft);
      return typed.map((tool) => used.has(tool));
    });
    expect(typed.filter(Boolean).length / typed.length).toBeGreaterThanOrEqual(0.9);
  }, 600_000);
}
