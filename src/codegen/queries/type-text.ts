/** PostgreSQL types as TypeScript: what results hold, and what parameters take. */
import type { SqlType } from "../../types/type.js";

/**
 * A value of a result. Big integers and numerics are numbers where these are exact, else their digits; documents are
 * whatever they are; what has no form of its own is its text.
 * @param labels declared labels of a text
 */
export function resultType(type: SqlType, labels?: readonly string[]): string {
  if (type.kind === "array" && type.element !== undefined) return `(${withNull(resultType(type.element))})[]`;
  switch (type.name) {
    case "bool":
      return "boolean";
    case "int2":
    case "int4":
    case "oid":
    case "float4":
    case "float8":
      return "number";
    case "int8":
    case "numeric":
      return "number | string";
    case "json":
    case "jsonb":
    case "record":
      return "unknown";
    default:
      return labelUnion(type.labels ?? labels) ?? "string";
  }
}

/** A value of a parameter: everything that is read as the type without loss. */
export function parameterType(type: SqlType, labels?: readonly string[]): string {
  if (type.kind === "array" && type.element !== undefined) {
    const element = parameterType(type.element, labels);
    return `readonly ${element.includes(" ") ? `(${element})` : element}[]`;
  }
  switch (type.name) {
    case "int8":
    case "numeric":
      return "number | bigint | string";
    case "timestamp":
    case "timestamptz":
      return "string | Date";
    default:
      return resultType(type, labels);
  }
}

/** `T | null`; `unknown` has null in it. */
export function withNull(type: string): string {
  return type === "unknown" ? type : `${type} | null`;
}

function labelUnion(labels: readonly string[] | undefined): string | undefined {
  if (labels === undefined || labels.length === 0) return undefined;
  return labels.map((label) => JSON.stringify(label)).join(" | ");
}
