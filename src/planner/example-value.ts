/** Literals that stand for any value of a column, for hints: a statement with one parses and binds. */
import type { TableColumn } from "../catalog/table.js";
import { quoteString } from "../grammar/deparse/names.js";
import type { SqlType } from "../types/type.js";

const examples: Readonly<Record<string, string>> = {
  bytea: "\\x00",
  char: "a", // holds one byte, and … has three
  date: "2025-01-31",
  interval: "1 day",
  jsonb: '["…"]',
  time: "12:00",
  timestamp: "2025-01-31 12:00",
  timestamptz: "2025-01-31 12:00+00",
  timetz: "12:00+00",
  uuid: "00000000-0000-0000-0000-000000000000",
};

/** SQL of a value of the column's type: a label where they are known, `1`, `'…'`, `'["…"]'` for jsonb, `'{"…"}'` for text[]. */
export function exampleValue({ type, enumLabels }: Pick<TableColumn, "type" | "enumLabels">): string {
  const label = enumLabels?.[0];
  if (type.element !== undefined) {
    const text = label ?? textOf(type.element);
    return quoteString(`{"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"}`);
  }
  const text = label ?? textOf(type);
  return label === undefined && (type.category === "N" || type.category === "B") ? text : quoteString(text);
}

function textOf(type: SqlType): string {
  if (type.labels !== undefined && type.labels.length > 0) return type.labels[0];
  if (type.category === "N") return "1";
  if (type.category === "B") return "true";
  return Object.hasOwn(examples, type.name) ? examples[type.name] : "…";
}
