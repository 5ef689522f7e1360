/**
 * Times the generator: 200 resources from manifests to modules, and the import of their catalog seed.
 * `npx tsx scripts/bench-gen.ts`
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { generate } from "../src/codegen/generate.js";

const services = 10;
const resourcesEach = 20;

function manifest(service: number): string {
  const resources = Array.from({ length: resourcesEach }, (_, n) => [
    `thing_${n}`,
    {
      description: `Things of kind ${n}, with what is known of each`,
      volatility: "stable",
      row: {
        type: "object",
        required: ["id", "name"],
        $defs: { user: { type: "object", required: ["login"], properties: { login: { type: "string" } } } },
        properties: Object.fromEntries([
          ["id", { type: "integer", description: "Number of the thing" }],
          ["name", { type: "string" }],
          ["owner", { $ref: "#/$defs/user" }],
          ...Array.from({ length: 12 }, (_, c) => [
            `field_${c}`,
            { type: ["string", "null"], description: `Field ${c}` },
          ]),
        ]),
      },
      primaryKey: ["id"],
      select: { get: `/things/${n}`, query: { name: "{name}" }, page: { kind: "link" }, rows: "$.items" },
      insert: { post: `/things/${n}`, body: { name: "{name}" } },
      update: { patch: `/things/${n}/{id}`, body: { name: "{name}" } },
    },
  ]);
  const connector = { kind: "http", baseUrl: "https://api.example.com" };
  return JSON.stringify({
    service: `service_${service}`,
    description: "A service",
    connector,
    resources: Object.fromEntries(resources),
  });
}

const folder = await mkdtemp(join(tmpdir(), "bench-gen-"));
try {
  const manifests = join(folder, "manifests");
  await mkdir(manifests);
  for (let s = 0; s < services; s++) await writeFile(join(manifests, `service_${s}.json`), manifest(s));
  const start = performance.now();
  const { files } = await generate(manifests);
  console.log(`generate ${services * resourcesEach} resources: ${((performance.now() - start) / 1000).toFixed(1)} s`);

  const seed = join(folder, "seed.mjs");
  await build({
    stdin: { contents: files.get("information_schema.ts") as string, loader: "ts" },
    outfile: seed,
    format: "esm",
  });
  const measure = `const start = performance.now(); await import(${JSON.stringify(seed)}); console.log(performance.now() - start)`;
  const times = Array.from({ length: 7 }, () =>
    Number(execFileSync(process.execPath, ["--input-type=module", "-e", measure], { encoding: "utf8" })),
  ).sort((a, b) => a - b);
  console.log(`import their catalog seed: ${times[3].toFixed(1)} ms (median of ${times.length} processes)`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
