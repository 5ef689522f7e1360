/**
 * The world of the model-written statements: service tables as rows, and as resources whose SELECT filters on what is
 * pushed down to it the way the services do (by equality, without case, by part), so that more rows come back than match.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { builtPackage } from "./built.js";
import { corporaFolder } from "./corpus.js";
import type { Subject } from "./subject.js";

type Match = "equals" | "iequals" | "icontains";
type Row = Record<string, unknown>;

export interface ModelTable {
  readonly name: string;
  readonly description: string;
  readonly volatility: "immutable" | "stable" | "volatile";
  readonly columns: { name: string; type: string; requiredKey?: boolean; description?: string }[];
  readonly pushdown: Readonly<Record<string, { readonly match: Match }>>;
  readonly rows: Row[];
}

export function modelTables(): ModelTable[] {
  const text = readFileSync(path.join(corporaFolder(), "model-sql", "tables.json"), "utf8");
  const { tables } = JSON.parse(text) as { tables: (Omit<ModelTable, "rows"> & { rows: unknown[][] })[] };
  return tables.map((table) => ({
    ...table,
    pushdown: table.pushdown ?? {},
    rows: table.rows.map((row) => Object.fromEntries(table.columns.map(({ name }, i) => [name, row[i]]))),
  }));
}

export async function openModelDatabase(): Promise<Subject> {
  const { Database, defineResource } = await builtPackage();
  const db = await Database.create();
  for (const table of modelTables()) {
    db.register(
      defineResource({
        name: table.name,
        description: table.description,
        columns: table.columns,
        volatility: table.volatility,
        select: async (bindings) => {
          let rows = table.rows;
          for (const { name, requiredKey } of table.columns) {
            const match = table.pushdown[name]?.match;
            if (match === undefined || !bindings.has(name)) continue;
            const values = bindings.all(name);
            // a service takes one value; several come one call each for a required key, and not at all for others
            if (values.length > 1 && requiredKey !== true) continue;
            rows = values.flatMap((value) => rows.filter((row) => matches(match, row[name], value)));
          }
          return rows.map((row) => ({ ...row }));
        },
      }),
    );
  }
  return {
    async run(sql, params) {
      const { fields, rows } = await db.execute(sql, { params: [...params], limit: 1e9 });
      return { columns: fields, rows: rows.map((row) => Object.values(row as Row)) };
    },
    close: () => db.close(),
  };
}

function matches(match: Match, cell: unknown, value: unknown): boolean {
  if (match === "equals") return cell === value;
  const [text, part] = [folded(cell), folded(value)];
  return match === "icontains" ? text.includes(part) : text === part;
}

function folded(value: unknown): string {
  return value === null || value === undefined ? "" : String(value).toLowerCase();
}
