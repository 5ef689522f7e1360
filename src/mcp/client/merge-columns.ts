/** Arguments and results of a tool as the columns of one table. */
import type { ResourceColumn, Row } from "../../resources/resource.js";
import type { ArgumentColumn } from "./tool-columns.js";
import type { RowReader } from "./tool-rows.js";
import type { McpVerb } from "./types.js";

/**
 * Keeps results apart from arguments of the same name and another type: such a result is called `<name>_result`, because
 * one column can't have both types. Of the same type, argument and result are one column.
 * @param declared the caller wrote the columns, and is taken at his word
 */
export function apartFrom(args: readonly ArgumentColumn[], answer: RowReader, declared: boolean): RowReader {
  if (declared) return answer;
  const argumentTypes = new Map(args.map(({ column }) => [column.name, column.type]));
  const taken = new Set([...argumentTypes.keys(), ...answer.columns.map((column) => column.name)]);
  const renamed = new Map<string, string>();
  for (const { name, type } of answer.columns) {
    const other = argumentTypes.get(name);
    if (other === undefined || other === type) continue;
    let free = `${name}_result`;
    while (taken.has(free)) free = `${free}_`;
    taken.add(free);
    renamed.set(name, free);
  }
  if (renamed.size === 0) return answer;
  const nameOf = (name: string) => renamed.get(name) ?? name;
  return {
    columns: answer.columns.map((column) => ({ ...column, name: nameOf(column.name) })),
    read: (result) =>
      answer
        .read(result)
        .map((row): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value]))),
  };
}

/**
 * Arguments and results in one list. For a read: what must be bound, what comes back, what may be bound. For a write:
 * what is given, then what comes back.
 */
export function mergeColumns(
  results: readonly ResourceColumn[],
  args: readonly ArgumentColumn[],
  op: McpVerb,
  keys: readonly string[] = [],
): ResourceColumn[] {
  const byName = new Map(args.map(({ column }) => [column.name, column]));
  const merged = results.map((column) => {
    const argument = byName.get(column.name);
    if (argument !== undefined) return oneColumn(column, argument, op);
    return keys.includes(column.name) ? { ...column, requiredKey: true, nullable: false } : column;
  });
  const isResult = new Map(merged.map((column) => [column.name, column]));
  const others = [...byName.values()].filter((column) => !isResult.has(column.name));
  const isKey = (column: ResourceColumn) => column.requiredKey === true;
  if (op === "select") {
    const columns = [...others.filter(isKey), ...merged, ...others.filter((column) => !isKey(column))];
    // A row that does not say an argument's value gets the one that was asked for.
    return columns.map((column): ResourceColumn => {
      if (!byName.has(column.name)) return column;
      return { ...column, stamped: isResult.has(column.name) ? "missing" : "always" };
    });
  }
  const given = [...byName.values()].map((column) => isResult.get(column.name) ?? column);
  return [...given, ...merged.filter((column) => !byName.has(column.name))];
}

/** A column that is argument and result: the labels of both; whether it must be given is for the argument to say. */
function oneColumn(result: ResourceColumn, argument: ResourceColumn, op: McpVerb): ResourceColumn {
  const labels =
    result.enum !== undefined && argument.enum !== undefined
      ? [...new Set([...argument.enum, ...result.enum])]
      : (result.enum ?? argument.enum);
  const description =
    op === "select" ? (result.description ?? argument.description) : (argument.description ?? result.description);
  return {
    ...result,
    nullable: op === "select" ? result.nullable : argument.nullable,
    ...(labels !== undefined && { enum: labels }),
    ...(description !== undefined && { description }),
    ...(argument.requiredKey === true && { requiredKey: true, nullable: false }),
  };
}
