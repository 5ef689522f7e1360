/** Which columns a write of a resource takes. */
import type { ResourceModel, VerbName } from "../manifest/model.js";
import { pathPlaceholders, placeholdersOf } from "../manifest/verbs.js";

/** Columns that an INSERT takes; `required` are those that the call cannot be made without. */
export function insertColumns(resource: ResourceModel): {
  readonly required: readonly string[];
  readonly optional: readonly string[];
} {
  const taken = columnsTaken(resource, "insert");
  const inPath =
    resource.verbs.kind === "http" ? pathPlaceholders(resource.verbs.verbs.insert ?? { method: "POST", path: "" }) : [];
  const required = taken.filter((column) => inPath.includes(column));
  return { required, optional: taken.filter((column) => !required.includes(column)) };
}

/** Columns that an UPDATE may set: those of the call that do not say which row is meant. */
export function updateColumns(resource: ResourceModel): readonly string[] {
  const identity = new Set([...resource.primaryKey, ...resource.keys]);
  return columnsTaken(resource, "update").filter((column) => !identity.has(column));
}

/** In the order of the row. */
function columnsTaken(resource: ResourceModel, verb: VerbName): string[] {
  const mentioned = placeholdersOf(resource.verbs, verb);
  return resource.columnNames.filter((column) => mentioned === undefined || mentioned.has(column));
}
