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
  const empty = join(folder, "empty.mjs");
  await writeFile(empty, "export {};\n");
  // Node's loader takes its time for the first module of a process, whatever is in it: that is told apart.
  const measure = `const times = [];
for (const path of ${JSON.stringify([empty, seed])}) {
  const start = performance.now();
  await import(path);
  times.push(performance.now() - start);
}
console.log(JSON.stringify(times));`;
  const runs = Array.from(
    { length: 11 },
    () =>
      JSON.parse(
        execFileSync(process.execPath, ["--input-type=module", "-e", measure], { encoding: "utf8" }),
      ) as number[],
  );
  const median = (index: number) =>
    runs
      .map((times) => times[index])
      .sort((x, y) => x - y)[5]
      .toFixed(1);
  console.log(
    `import an empty module: ${median(0)} ms, then their catalog seed: ${median(1)} ms (medians of 11 processes)`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
