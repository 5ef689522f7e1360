/** The golden folders: what each manifest gives, that all of it type-checks, and that it is the same everywhere. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { generate } from "../../src/codegen/generate.js";
import { compareGenerated } from "../../src/codegen/write-generated.js";
import { goldenCases, goldenFolder } from "./golden.js";

const cases = await goldenCases();

test("there are cases", () => expect(cases.length).toBeGreaterThanOrEqual(40));

test.each(cases)("%s gives what is expected", async (name) => {
  const { files } = await generate(join(goldenFolder, name));
  expect(await compareGenerated(join(goldenFolder, name, "expected"), files)).toEqual({
    changed: [],
    missing: [],
    extra: [],
  });
});

test("the same manifests give the same bytes, wherever they are", async () => {
  const folder = await mkdtemp(join(tmpdir(), "golden-"));
  try {
    for (const name of ["row-recursive", "names-colliding", "several-services", "http-keys"]) {
      await cp(join(goldenFolder, name), join(folder, name), { recursive: true });
      const [here, again] = [await generate(join(goldenFolder, name)), await generate(join(goldenFolder, name))];
      expect([...again.files]).toEqual([...here.files]);
      expect([...(await generate(join(folder, name))).files]).toEqual([...here.files]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("names that had to change are reported", async () => {
  const { renamed } = await generate(join(goldenFolder, "names-colliding"));
  expect(renamed.map(({ from, to }) => `${from} → ${to}`)).toMatchInlineSnapshot(`
    [
      "a-b → s_a_b_89df63",
      "s_a_b → sAB_e8e36f()",
      "a b → s_a_b_a3f9f2",
      "A_B → s_a_b_8fceb1",
      "s_a__b → sAB_2f1d8e()",
      "s_a_1 → sA1_e93092()",
      "s_a1 → sA1_0f52f9()",
    ]
  `);
});

test("everything type-checks under strict, noUncheckedIndexedAccess and exactOptionalPropertyTypes", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const read = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const modules = cases.map((name) => join(goldenFolder, name, "expected", "index.ts"));
  const program = ts.createProgram(modules, {
    ...options,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
  });
  // The program's own sources have options of their own: only what was generated is looked at.
  const faults = program
    .getSourceFiles()
    .filter((file) => file.fileName.startsWith(goldenFolder))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
  const described = faults.map((fault) => {
    const { line } = fault.file?.getLineAndCharacterOfPosition(fault.start ?? 0) ?? { line: 0 };
    const path = fault.file?.fileName.slice(goldenFolder.length);
    return `${path}:${line + 1}: ${ts.flattenDiagnosticMessageText(fault.messageText, " ")}`;
  });
  expect(described).toEqual([]);
}, 300_000);
