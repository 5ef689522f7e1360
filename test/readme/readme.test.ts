/**
 * Everything the README shows is true: its TypeScript compiles under strict and runs on the built package, its SQL runs,
 * its commands exist, and an output block shows what the example before it prints.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, describe, expect, test, vi } from "vitest";
import * as preamble from "./preamble.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL(".blocks/", import.meta.url));
const readme = await readFile(`${root}/README.md`, "utf8");

interface Block {
  language: string;
  code: string;
  line: number;
}

const blocks: Block[] = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
  language: match[1],
  code: match[2],
  line: readme.slice(0, match.index).split("\n").length,
}));

const examples = blocks.filter((block) => block.language === "ts");

/** The example as a module, with the names it takes for granted imported. */
function moduleText(code: string): string {
  const names = Object.keys(preamble).filter(
    (name) =>
      new RegExp(`\\b${name}\\b`).test(code) &&
      !new RegExp(`(const|let|function|import \\{[^}]*)\\s*\\b${name}\\b`).test(code),
  );
  return `import { ${names.join(", ")} } from "../preamble.js";\n${code}\nexport {};\n`;
}

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const paths = await Promise.all(
  examples.map(async (block) => {
    const path = `${folder}line-${block.line}.ts`;
    await writeFile(path, moduleText(block.code));
    return path;
  }),
);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("every TypeScript example compiles", () => {
  const config = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile).config as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  // As strict as a reader's own project may be: `([row]) => …` has to be a row there too.
  const program = ts.createProgram(paths, { ...options, noUncheckedIndexedAccess: true, noEmit: true });
  const files = paths.map((path) => program.getSourceFile(path));
  const found = files.flatMap((file) => ts.getPreEmitDiagnostics(program, file));
  const problems = found.map((diagnostic) => {
    const where = diagnostic.file?.fileName.split("/").pop() ?? "";
    return `${where}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")}`;
  });
  expect(problems).toEqual([]);
}, 300_000);

describe("every TypeScript example runs", () => {
  test.each(examples.map((block, i) => ({ line: block.line, path: paths[i], block })))(
    "line $line",
    async ({ path, block }) => {
      const printed: string[] = [];
      const log = vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
        printed.push(values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" "));
      });
      try {
        await import(/* @vite-ignore */ pathToFileURL(path).href);
      } finally {
        log.mockRestore();
      }
      const next = blocks[blocks.indexOf(block) + 1];
      if (next?.language === "text") expect(`${printed.join("\n")}\n`).toBe(next.code);
    },
  );
});

describe("every statement runs", () => {
  const statements = blocks
    .filter((block) => block.language === "sql")
    .flatMap((block) => block.code.split(";\n").map((sql) => ({ sql: sql.trim(), line: block.line })))
    .filter(({ sql }) => sql !== "");
  test.each(statements)("line $line: $sql", async ({ sql }) => {
    const db = await preamble.sqlDatabase();
    const result = await db.execute(sql);
    expect(result.command).toMatch(/^(SELECT|INSERT 0) [1-9]/);
  });
});

test("every command exists", async () => {
  const { scripts } = JSON.parse(await readFile(`${root}/package.json`, "utf8")) as { scripts: Record<string, string> };
  const commands = blocks
    .filter((block) => block.language === "sh")
    .flatMap((block) => block.code.trim().split(/\n| && /));
  for (const command of commands) {
    if (command.startsWith("npm run ")) expect(scripts).toHaveProperty(command.split(" ")[2]);
    else expect(command).toMatch(/^npm (install|test)/);
  }
});
