/** Set-returning functions in FROM, with fixed arguments or over the columns of what stands before them. */
import { quote } from "../names.js";
import type { Rng } from "../rng.js";
import { pools } from "../templates/pools.js";
import { type Expr, expression, raw } from "../tree.js";
import type { FoundColumn, ScopeColumn } from "./scope.js";

export interface FunctionCall {
  readonly call: Expr;
  /** From which the alias is made. */
  readonly base: string;
  readonly cols: readonly ScopeColumn[];
  readonly est: number;
  readonly ordinality?: boolean;
  /** A column definition list. */
  readonly definitions?: string;
}

const text = (name: string): ScopeColumn => ({ name, type: "text", m: 0 });
const jsonb = (name: string): ScopeColumn => ({ name, type: "jsonb", m: 0 });

/** A call that needs nothing of its surroundings. */
export function plainCall(r: Rng, full: boolean): FunctionCall {
  switch (r.int(0, 6)) {
    case 0:
    case 1: {
      const step = r.chance(0.3) ? `, ${r.int(2, 4)}` : "";
      const call = raw("set", `generate_series(${r.int(-2, 3)}, ${r.int(2, 12)}${step})`, 200, {
        f: "generate_series(int)",
      });
      const cols: ScopeColumn[] = [{ name: "n", type: "int", m: 12, sub: "small" }];
      return { call, base: "gs", cols, est: 8, ordinality: full && r.chance(0.2) };
    }
    case 2:
    case 3: {
      const first = r.pick(["2024-01-01", "2024-02-27", "2023-12-30"]);
      const last = r.pick(["2024-03-05", "2024-01-05", "2024-06-01"]);
      const step = r.pick(["1 month", "10 days", "1 week", "36 hours"]);
      const type = r.chance(0.5) ? "date" : "timestamptz";
      const written = `generate_series('${first}'::${type}, '${last}'::timestamptz, '${step}'::interval)`;
      const call = raw("set", written, 200, { f: "generate_series(timestamp)" });
      return { call, base: "ds", cols: [{ name: "day", type: "tstz", m: 0 }], est: 8 };
    }
    case 4: {
      const items = r.pick(["'a', 'b', NULL", "'red', 'bug', 'red'", "'x'"]);
      const call = raw("set", `unnest(ARRAY[${items}])`, 200, { f: "unnest(array)" });
      return { call, base: "un", cols: [text("elem")], est: 3, ordinality: r.chance(0.3) };
    }
    case 5: {
      const rows = `'[{"a": 1, "b": "x"}, {"a": 2}, {"b": null, "c": 3}]'::jsonb`;
      const call = raw("set", `jsonb_to_recordset(${rows})`, 200, { f: "jsonb_to_recordset" });
      const cols: ScopeColumn[] = [{ name: "a", type: "int", m: 2 }, text("b")];
      return { call, base: "rs", cols, est: 3, definitions: "a int, b text" };
    }
    default: {
      const call = raw("set", "string_to_table('a,b,,c', ',')", 200, { f: "string_to_table" });
      return { call, base: "st", cols: [text("part")], est: 4 };
    }
  }
}

/** A call over a column; `null` when no column fits. */
export function lateralCall(
  r: Rng,
  full: boolean,
  columns: readonly FoundColumn[],
  reference: (column: FoundColumn) => Expr,
): FunctionCall | null {
  const options: [number, () => FunctionCall][] = [];
  const of = (test: (column: FoundColumn) => boolean): FoundColumn[] => columns.filter(test);
  const add = (weight: number, found: FoundColumn[], parts: [string, string, number?], more: CallShape): void => {
    if (found.length === 0 || weight === 0) return;
    const [before, after, need = 0] = parts;
    const f = more.f ?? before.slice(0, before.indexOf("("));
    options.push([
      weight,
      () => {
        const call = expression("set", [before, { e: reference(r.pick(found)), n: need }, after], 200, { f });
        const { base, cols, est, ordinality = 0 } = more;
        return { call, base, cols, est, ordinality: r.chance(ordinality) };
      },
    ]);
  };
  const arrays = of(({ col }) => col.type === "text[]");
  const documents = of(({ col }) => col.type === "jsonb" && col.sub === "doc");
  const texts = full ? of(({ col }) => col.type === "text") : [];
  const small = of(({ col }) => col.type === "int" && col.sub === "small");
  const keyed = [text("key")];
  add(3, arrays, ["unnest(", ")"], { base: "u", cols: [text("elem")], est: 3, ordinality: 0.3, f: "unnest(column)" });
  const items = { base: "e", cols: [text("tag")], est: 3, ordinality: 0.2 };
  add(2, documents, ["jsonb_array_elements_text(", " -> 'tags')", 71], items);
  add(1, documents, ["jsonb_array_elements(", " -> 'tags')", 71], { base: "e", cols: [jsonb("item")], est: 3 });
  add(1, documents, ["jsonb_each_text(", ")"], { base: "kv", cols: [...keyed, text("value")], est: 4 });
  add(0.7, documents, ["jsonb_each(", ")"], { base: "kv", cols: [...keyed, jsonb("value")], est: 4 });
  add(0.7, documents, ["jsonb_object_keys(", ")"], { base: "ks", cols: keyed, est: 4 });
  const path = quote(r.pick(pools.jsonPath));
  add(full ? 0.5 : 0, documents, ["jsonb_path_query(", `, ${path})`], { base: "pq", cols: [jsonb("item")], est: 3 });
  add(0.5, texts, ["regexp_split_to_table(", ", '[ @-]')"], { base: "w", cols: [text("word")], est: 3 });
  const hits: ScopeColumn[] = [{ name: "hit", type: "text[]", m: 0 }];
  add(0.4, texts, ["regexp_matches(", ", '[a-e]+', 'g')"], { base: "m", cols: hits, est: 3 });
  const numbers: ScopeColumn[] = [{ name: "n", type: "int", m: 10 }];
  add(0.7, small, ["generate_series(1, ", ")"], { base: "g", cols: numbers, est: 5, f: "generate_series(column)" });
  return options.length === 0 ? null : r.weighted(options)();
}

interface CallShape {
  readonly base: string;
  readonly cols: readonly ScopeColumn[];
  readonly est: number;
  /** Chance of WITH ORDINALITY. */
  readonly ordinality?: number;
  readonly f?: string;
}
