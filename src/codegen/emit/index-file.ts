/** Emits the index of everything generated from service manifests. */
import { header } from "./names.js";

/** The text of `index.ts`: one re-export a module, sorted. @param modules paths below the output folder */
export function emitIndex(modules: readonly string[]): string {
  const lines = modules.map((path) => `export * from "./${path.replace(/\.ts$/, ".js")}";`);
  return `${header("manifests")}
${[`export { catalogSeed } from "./information_schema.js";`, ...lines].sort().join("\n")}
`;
}
