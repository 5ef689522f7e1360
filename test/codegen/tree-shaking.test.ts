/** A bundle that uses one generated resource carries that one alone, also without `sideEffects: false`. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";

const golden = fileURLToPath(new URL("golden", import.meta.url));

/** Packages are left out; what is imported of them and not used has no effect. */
const packages: Plugin = {
  name: "packages",
  setup({ onResolve }) {
    onResolve({ filter: /^(glove-scratchpad|zod)/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};

/** Paths of the modules that a bundle has bytes of. */
async function modulesOf(source: string, name: string): Promise<string[]> {
  // Away from this package, whose `sideEffects: false` would hold for them.
  const folder = await mkdtemp(join(tmpdir(), "tree-"));
  try {
    await cp(join(golden, name, "expected"), folder, { recursive: true });
    return await bundledModules(source, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundledModules(source: string, folder: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: folder, loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    plugins: [packages],
    absWorkingDir: folder,
  });
  return Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path !== "<stdin>")
    .map(([path]) => path)
    .sort();
}

test.each([
  { name: "one of several tables", folder: "names-derived", source: "sFooRow", modules: ["s/foo-row.ts"] },
  { name: "with recursive definitions", folder: "row-recursive", source: "sItem", modules: ["s/item.ts"] },
  {
    name: "an HTTP table and its service",
    folder: "http-auth-oauth2",
    source: "shopOrders",
    modules: ["shop/_service.ts", "shop/orders.ts"],
  },
  { name: "the catalog's seed", folder: "several-services", source: "catalogSeed", modules: ["information_schema.ts"] },
])("$name", async ({ folder, source, modules }) => {
  expect(await modulesOf(`import { ${source} } from "./index.js"; console.log(${source});`, folder)).toEqual(modules);
});

test("nothing of a table is left when nothing of it is used", async () => {
  expect(await modulesOf('import "./index.js";', "row-recursive")).toEqual([]);
});
