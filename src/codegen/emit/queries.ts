/** Emits the named statements: one function each, typed by what was inferred, and the snapshots of their plans. */
import type { CompiledStatement } from "../queries/compile-statement.js";
import { exportsOf } from "../queries/load-queries.js";
import { header } from "./names.js";
import { docComment, propertyKey, sentence, templateText } from "./text.js";

/** The text of `queries.ts`, not formatted yet. */
export function emitQueries(queries: readonly CompiledStatement[]): string {
  return `${header("the statements of *.sql")}
${importsOf(queries)}
${queries.map(functionText).join("\n")}`;
}

/** Path of a statement's snapshot below the output folder. */
export function planPath(name: string): string {
  return `__plans__/${name}.txt`;
}

/** The snapshot of a plan: the statement, and what EXPLAIN says of it. */
export function emitPlan({ statement, plan }: CompiledStatement): string {
  return `${header(statement.file)}\n${statement.sql.replaceAll("\r\n", "\n")}\n\n${plan}\n`;
}

const runners = { many: "allRows", one: "oneRow", exec: "runWrite" } as const;

function importsOf(queries: readonly CompiledStatement[]): string {
  const values = [
    ...queries.map(({ statement }) => runners[statement.form]),
    ...(queries.some(({ parameters }) => parameters.some(({ isDocument }) => isDocument)) ? ["jsonParameter"] : []),
  ];
  const types = ["RunOptions", "SqlExecutor", ...(values.includes("runWrite") ? ["WriteResult"] : [])];
  const names = [...new Set(values)].sort();
  return `import { ${[...names, ...types.map((name) => `type ${name}`)].join(", ")} } from "glove-scratchpad";\n`;
}

function functionText(query: CompiledStatement): string {
  const { statement, parameters, columns } = query;
  const { name, form } = statement;
  const exported = exportsOf(name);
  const runner = runners[form];
  const row = form === "exec" ? "" : `<${exported.row}>`;
  const result = { many: `${exported.row}[]`, one: exported.row, exec: "WriteResult" }[form];
  const values = parameters.map((parameter) => {
    const value = `params.${parameter.name}`;
    return parameter.isDocument ? `jsonParameter(${value})` : value;
  });
  const parameterList = [
    "db: SqlExecutor",
    ...(parameters.length > 0 ? [`params: ${exported.params}`] : []),
    "options?: RunOptions",
  ];
  return [
    ...(form === "exec" ? [] : [interfaceText(exported.row, `A row of {@link ${name}}.`, columns, "")]),
    ...(parameters.length === 0
      ? []
      : [interfaceText(exported.params, `Parameters of {@link ${name}}.`, parameters, "readonly ")]),
    `${docComment(descriptionOf(query))}export function ${name}(${listText(parameterList, 2)}): Promise<${result}> {
  return ${runner}${row}(
    db,
    ${templateText(statement.sql.replaceAll("\r\n", "\n"))},
    [${listText(values, 6)}],
    options,
  );
}
`,
  ].join("\n");
}

/** Longest list that stays on one line. */
const listWidth = 80;

/** Items with commas, each on a line of its own where there are many. */
function listText(items: readonly string[], indent: number): string {
  const line = items.join(", ");
  if (line.length <= listWidth) return line;
  const start = " ".repeat(indent);
  return `\n${items.map((item) => `${start}${item},\n`).join("")}${start.slice(2)}`;
}

const gives = {
  many: "All rows.",
  one: "The only row; fails when there is none (P0002) or several (P0003).",
  exec: "Runs for its effect.",
} as const;

function descriptionOf({ statement }: CompiledStatement): string[] {
  const { description, form, file } = statement;
  const place = `Declared in ${file}.`;
  return description === "" ? [gives[form], "", place] : [sentence(description), "", gives[form], place];
}

function interfaceText(
  name: string,
  comment: string,
  fields: readonly { readonly name: string; readonly type: string }[],
  modifier: string,
): string {
  const lines = fields.map((field) => `  ${modifier}${propertyKey(field.name)}: ${field.type};\n`);
  return `${docComment([comment])}export interface ${name} {\n${lines.join("")}}\n`;
}
