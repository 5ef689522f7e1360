/** Types: their names, the forms of their values, the casts between them. */
import { findCast } from "../../src/types/casts.js";
import { type SqlType, types } from "../../src/types/type.js";
import { code, table } from "./markdown.js";
import { runExample } from "./sample.js";
import { composite, examples } from "./values.js";

const listed = (Object.keys(examples) as (keyof typeof examples)[]).map((name) => ({
  name,
  type: types[name] as SqlType,
}));

/** Every type with example values as they stand in a row. */
export async function typeTable(): Promise<string> {
  const rows: string[][] = [];
  for (const { name, type } of listed) {
    const shown = await Promise.all(examples[name].map(shownValue));
    rows.push([code(type.display), name === type.display ? "" : code(name), shown.join("<br>")]);
  }
  for (const example of composite) rows.push(["", "", await shownValue(example)]);
  return table(["type", "also", "values in rows (as JSON)"], rows);
}

async function shownValue(expression: string): Promise<string> {
  const { rows, error } = await runExample(`SELECT ${expression}`);
  if (error !== undefined) throw new Error(`${expression}: ${error.message}`);
  return `${code(expression)} is ${code(JSON.stringify(rows[0][0]))}`;
}

/** By source type: what it becomes by itself, when it is stored, when it is asked to. */
export function castTable(): string {
  const rows = listed.map(({ type }) => {
    const targets = (context: string): string =>
      listed
        .filter((other) => other.type !== type && findCast(type, other.type)?.context === context)
        .map((other) => other.type.display)
        .join(", ");
    return [code(type.display), targets("implicit"), targets("assignment"), targets("explicit")];
  });
  return table(["from", "by itself", "when stored", "with a cast"], rows);
}
