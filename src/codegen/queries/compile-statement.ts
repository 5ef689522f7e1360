/**
 * Binds a named statement over the tables of the manifests, plans it as the database would, and tells the types of its
 * parameters and rows. Whatever can be found wrong without a call is found here.
 */
import type { CatalogReader } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { refuseSequences } from "../../functions/sequences.js";
import type * as ast from "../../grammar/ast.js";
import { parse } from "../../grammar/parse.js";
import { bind } from "../../planner/bind/bind.js";
import { raiseConstantErrors } from "../../planner/constant-errors.js";
import { directScans } from "../../planner/direct-write.js";
import { explainPlan } from "../../planner/explain.js";
import { explainText } from "../../planner/explain-node.js";
import { nullableOutputs } from "../../planner/nullability.js";
import { optimize } from "../../planner/optimize.js";
import { labelledParameters } from "../../planner/parameter-labels.js";
import { parameterUses } from "../../planner/parameter-uses.js";
import type { BoundQuery } from "../../planner/plan.js";
import { refusePatterns } from "../../planner/refuse-patterns.js";
import { resolutionGraph } from "../../planner/resolution.js";
import type { ManifestProblem } from "../manifest/model.js";
import { isIdentifier, type NamedStatement } from "./read-statements.js";
import { parameterType, resultType, withNull } from "./type-text.js";

/** A statement that is right, with what its function is written from. */
export interface CompiledStatement {
  readonly statement: NamedStatement;
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly isDocument: boolean }[];
  /** Empty for `:exec`. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** What EXPLAIN prints, without estimates. */
  readonly plan: string;
}

/** @param problems gets what is wrong; `undefined` is given back then */
export function compileStatement(
  statement: NamedStatement,
  catalog: CatalogReader,
  problems: ManifestProblem[],
): CompiledStatement | undefined {
  const report = (message: string, hint?: string, offset?: number) =>
    problems.push({
      file: statement.file,
      ...statement.place(offset),
      message,
      ...(hint !== undefined && { hint }),
    });
  try {
    const query = bind(theStatement(statement.sql), catalog, { checkFunction: refuseSequences });
    const plan = planText(query);
    const wrong = formProblem(statement, query);
    if (wrong !== undefined) {
      report(...wrong);
      return undefined;
    }
    const names = parameterNames(statement, query);
    if (typeof names === "string") {
      report(names, "Name each of $1, $2, … once: -- params: repo, state");
      return undefined;
    }
    return { statement, parameters: parametersOf(query, names), columns: columnsOf(statement, query), plan };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const hint = [error.detail, error.hint].filter((part) => part !== undefined).join(" ");
    report(
      error.message,
      hint === "" ? undefined : hint,
      error.position === undefined ? undefined : error.position - 1,
    );
    return undefined;
  }
}

const kinds: readonly ast.Statement["kind"][] = [
  "SelectStatement",
  "InsertStatement",
  "UpdateStatement",
  "DeleteStatement",
];

/** @throws SqlError for what is not one statement that reads or writes rows */
function theStatement(sql: string): ast.Statement {
  const statements = parse(sql);
  if (statements.length === 1 && kinds.includes(statements[0].kind)) return statements[0];
  const second = statements[1];
  if (second !== undefined)
    throw new SqlError("42601", "there is a second statement under one name", {
      position: second.range === undefined ? undefined : second.range.start + 1,
      hint: "Give it a name of its own: -- name: …",
    });
  throw new SqlError("0A000", "only SELECT, VALUES, INSERT, UPDATE and DELETE can have a name", {
    hint: "Transactions are the program's: run named statements between BEGIN and COMMIT.",
  });
}

/** The plan as a database would make it, before anything is known of how many rows there are. */
function planText(query: BoundQuery): string {
  const plan = optimize(query.plan);
  raiseConstantErrors(query);
  refusePatterns(plan);
  // The policy is the program's: a statement without WHERE is refused where it runs.
  const direct = directScans(plan, { unboundedWrites: true });
  resolutionGraph(plan, direct);
  return explainText(explainPlan(plan, { direct, costs: false }));
}

function formProblem({ name, form }: NamedStatement, { command, output }: BoundQuery): [string, string] | undefined {
  const isRead = command === "SELECT" || command === "VALUES";
  if (form === "exec" && isRead)
    return [`"${name}" reads, so it is not :exec`, "Write :many for all rows, :one for exactly one."];
  if (form !== "exec" && output.length === 0)
    return [
      `"${name}" gives no rows, so it is not :${form}`,
      isRead ? "Select a column." : "Write :exec, or add RETURNING.",
    ];
  return undefined;
}

/** The names of the parameters, or what is wrong with them. */
function parameterNames({ name, parameters }: NamedStatement, query: BoundQuery): readonly string[] | string {
  const count = query.parameters.length;
  if (parameters === undefined) return query.parameters.map((_, i) => `p${i + 1}`);
  if (parameters.length !== count)
    return `"${name}" has ${count} ${count === 1 ? "parameter" : "parameters"}, and ${parameters.length} names for them`;
  const strange = parameters.find((parameter) => !isIdentifier(parameter));
  if (strange !== undefined) return `"${strange}" is no name for a parameter`;
  const twice = parameters.find((parameter, i) => parameters.indexOf(parameter) !== i);
  return twice === undefined ? parameters : `two parameters of "${name}" are called "${twice}"`;
}

function parametersOf(query: BoundQuery, names: readonly string[]): CompiledStatement["parameters"] {
  const { nullable, labels } = parameterUses(query.plan);
  const compared = new Map(labelledParameters(query.plan).map(({ index, labels: own }) => [index, own]));
  return query.parameters.map(({ type }, i) => {
    const text = parameterType(type, labels.get(i + 1) ?? compared.get(i + 1));
    return {
      name: names[i],
      type: nullable.has(i + 1) ? withNull(text) : text,
      isDocument: type.name === "json" || type.name === "jsonb",
    };
  });
}

/** Names as rows of results have them: a repeated one is `name_1`, `name_2`, … */
function columnsOf({ form }: NamedStatement, query: BoundQuery): CompiledStatement["columns"] {
  if (form === "exec") return [];
  const nullable = nullableOutputs(query);
  const taken = new Set<string>();
  return query.output.map((column, i) => {
    let name = column.name;
    for (let n = 1; taken.has(name); n++) name = `${column.name}_${n}`;
    taken.add(name);
    const type = resultType(column.type, column.labels);
    return { name, type: nullable[i] ? withNull(type) : type };
  });
}
