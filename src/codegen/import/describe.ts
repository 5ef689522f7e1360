/** Descriptions of imported tables and columns, out of the words of their operations. */
import { resolveSchema } from "../../json-schema/resolve.js";
import type { TableGroup } from "./group.js";
import type { Parameter } from "./operation.js";
import { firstSentence, oneLine } from "./words.js";

/** The parameter's words, its default, and that it can't be read where that is so. */
export function describeParameter(parameter: Parameter, isOnlyWritten: boolean): string | undefined {
  const schema = resolveSchema(parameter.schema, parameter.root);
  const words = oneLine(parameter.description ?? (typeof schema.description === "string" ? schema.description : ""));
  const remarks: string[] = [];
  if (schema.default !== undefined && schema.default !== null)
    remarks.push(`default ${JSON.stringify(schema.default)}`);
  if (isOnlyWritten) remarks.push("only written");
  const remark = remarks.length === 0 ? "" : `(${remarks.join(", ")})`;
  return [words, remark].filter((part) => part !== "").join(" ") || undefined;
}

/** What is read, and one sentence for each verb that writes. */
export function describeTable(group: TableGroup): string {
  const entries = [...group.verbs];
  if (entries.length === 1) return entries[0][1].description || entries[0][1].id;
  return entries
    .map(([verb, operation]) => {
      const words = firstSentence(operation.description || operation.id);
      return verb === "select" ? words : `${verb.toUpperCase()}: ${words}`;
    })
    .join(". ");
}
