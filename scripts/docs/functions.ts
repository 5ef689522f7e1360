/** The library of functions and operators, straight from the registry. */
import type { AnyFunction, Operator } from "../../src/functions/function.js";
import { functionNames, functionsNamed, operatorSymbols, operatorsNamed } from "../../src/functions/registry.js";
import { type TypeName, typeNamed } from "../../src/types/type.js";
import { code } from "./markdown.js";

type FunctionKind = AnyFunction["kind"];

interface Family {
  readonly title: string;
  /** The first family that a name fits takes it. */
  readonly fits: (entry: AnyFunction) => boolean;
}

const usesType =
  (...names: string[]) =>
  (entry: AnyFunction): boolean =>
    [...entry.args, entry.returns].some((type) => names.includes(type.replace("[]", "")));

const startsWith =
  (...prefixes: string[]) =>
  ({ name }: AnyFunction): boolean =>
    prefixes.some((prefix) => name.startsWith(prefix));

const times = ["date", "time", "timetz", "timestamp", "timestamptz", "interval"];
const arrays = (entry: AnyFunction): boolean => [...entry.args, entry.returns].some((type) => type.endsWith("array"));
const byOperator = ({ name }: AnyFunction): boolean => !/^[a-z][a-z0-9_]*$/.test(name);

const families: readonly Family[] = [
  { title: "Regular expressions", fits: startsWith("regexp_", "similar_", "substring_regex") },
  {
    title: "JSON",
    fits: (entry) =>
      startsWith("json", "to_json", "row_to_json", "array_to_json")(entry) || usesType("json", "jsonb")(entry),
  },
  { title: "Formatting", fits: startsWith("to_char", "to_number", "to_date", "to_timestamp", "format") },
  { title: "Dates and times", fits: (entry) => usesType(...times)(entry) || startsWith("date_", "timezone")(entry) },
  { title: "Enums", fits: usesType("anyenum") },
  { title: "Arrays", fits: (entry) => arrays(entry) || startsWith("array_")(entry) },
  { title: "Binary strings", fits: usesType("bytea") },
  {
    title: "Session and catalogue",
    fits: startsWith("pg_", "current_", "has_", "set_config", "version", "session_", "txid_", "inet_", "obj_", "col_"),
  },
  { title: "Case-insensitive text", fits: usesType("citext") },
  { title: "Text", fits: usesType("text", "varchar", "bpchar", "name", "char") },
  { title: "Numbers", fits: usesType("int2", "int4", "int8", "numeric", "float4", "float8") },
  { title: "Other", fits: () => true },
];

function typeText(name: TypeName): string {
  return typeNamed(name).display;
}

function signature(entry: AnyFunction): string {
  const optional = entry.defaults?.length ?? 0;
  const args = entry.args.map((type, i) => {
    const named = entry.argNames?.[i] === undefined ? typeText(type) : `${entry.argNames[i]} ${typeText(type)}`;
    const repeated = entry.variadic === true && i === entry.args.length - 1 ? `VARIADIC ${named}` : named;
    return i >= entry.args.length - optional ? `[${repeated}]` : repeated;
  });
  if (entry.kind === "aggregate" && entry.aggregateKind !== "normal") {
    const direct = entry.directArgs ?? 0;
    return `${entry.name}(${args.slice(0, direct).join(", ")}) WITHIN GROUP (ORDER BY ${args.slice(direct).join(", ")})`;
  }
  const star = entry.kind === "aggregate" && entry.name === "count" && args.length === 0;
  return `${entry.name}(${star ? "*" : args.join(", ")})`;
}

function result(entry: AnyFunction): string {
  if (entry.kind !== "set") return typeText(entry.returns);
  if (entry.columns === undefined) return `rows of ${typeText(entry.returns)}`;
  return `rows (${entry.columns.map(({ name, type }) => `${name} ${typeText(type)}`).join(", ")})`;
}

/** A line a function: its overloads, then what they give. */
function lines(entries: readonly AnyFunction[]): string[] {
  const byName = new Map<string, string[]>();
  for (const entry of entries) {
    const shown = `${code(signature(entry))} → ${result(entry)}`;
    const known = byName.get(entry.name) ?? [];
    byName.set(entry.name, known.includes(shown) ? known : [...known, shown]);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shown]) => `- ${shown.join("; ")}`);
}

function entriesOf(kind: FunctionKind): AnyFunction[] {
  return [...functionNames()].flatMap((name) => functionsNamed(name).filter((entry) => entry.kind === kind));
}

/** `### family` with its functions, for every family that has some. */
export function scalarSections(): string {
  const sections = new Map<string, AnyFunction[]>();
  for (const entry of entriesOf("scalar").filter((one) => !byOperator(one))) {
    const { title } = families.find((family) => family.fits(entry)) ?? families[families.length - 1];
    sections.set(title, [...(sections.get(title) ?? []), entry]);
  }
  return families
    .filter(({ title }) => sections.has(title))
    .map(({ title }) => `### ${title}\n\n${lines(sections.get(title) ?? []).join("\n")}`)
    .join("\n\n");
}

export function listOf(kind: Exclude<FunctionKind, "scalar">): string {
  return lines(entriesOf(kind)).join("\n");
}

export function operatorRows(): string[][] {
  const rows: string[][] = [];
  for (const symbol of [...operatorSymbols()].sort()) {
    const shown = operatorsNamed(symbol)
      .filter(({ missing }) => missing === undefined)
      .map(operandText);
    const unique = [...new Set(shown)];
    rows.push([code(symbol), unique.join("; ")]);
  }
  return rows;
}

function operandText({ left, right, returns }: Operator): string {
  const operands = left === undefined ? `prefix ${typeText(right)}` : pair(typeText(left), typeText(right));
  return `${operands} → ${typeText(returns)}`;
}

function pair(left: string, right: string): string {
  return left === right ? `two ${left}` : `${left}, ${right}`;
}
