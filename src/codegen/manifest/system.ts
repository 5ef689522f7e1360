/** A manifest of system relations: its format, its checks, its model. */
import { checkType } from "./check/row.js";
import { checkFormat } from "./explain-issue.js";
import { systemFormat } from "./format/manifest.js";
import type { SystemManifest } from "./model.js";
import type { ManifestSource } from "./source.js";

/** @returns the model; `undefined` when something was reported that leaves none */
export function readSystem({ file, data, report }: ManifestSource): SystemManifest | undefined {
  const document = checkFormat(systemFormat, data, [], report);
  if (document === undefined) return undefined;
  const { service, description, relations } = document;
  return {
    kind: "system",
    file,
    service,
    description,
    relations: Object.entries(relations).map(([name, relation]) => ({
      name,
      description: relation.description,
      columns: Object.entries(relation.columns).map(([column, declared]) => {
        checkType(declared.type, ["relations", name, "columns", column, "type"], report);
        return { name: column, ...declared };
      }),
    })),
  };
}
