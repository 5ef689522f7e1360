/** Emits the index of everything generated from service manifests. */
import type { ServiceManifest } from "../manifest/model.js";
import { header, kebabCase } from "./names.js";

/** The text of `index.ts`: one re-export a module, sorted. */
export function emitIndex(manifests: readonly ServiceManifest[]): string {
  const lines = manifests.flatMap((manifest) =>
    manifest.resources.map((resource) => `export * from "./${manifest.service}/${kebabCase(resource.name)}.js";`),
  );
  return `${header("manifests")}
${[`export { catalogSeed } from "./information_schema.js";`, ...lines].sort().join("\n")}
`;
}
