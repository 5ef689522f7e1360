/** Which of a filter's conditions removed the rows that were in hand, and which values occur instead. */
import { closest, editDistance } from "../errors/did-you-mean.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Column, Expr } from "../planner/expr.js";
import { type LogicalPlan, outputOf, type ProjectItem } from "../planner/plan.js";
import { printExpr } from "../planner/print-expr.js";
import { columnsOf, conjunctsOf, holdsSubquery, transformExpression } from "../planner/visit.js";
import { type SqlType, types } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Notice } from "./types.js";
import { shownValue, valueList, valueRange } from "./value-list.js";

/** Rows that are looked at. */
export const maxLookedAt = 10_000;

/** Runs a piece of the plan over the rows in hand and gives its first rows. */
export type RunPiece = (plan: LogicalPlan, maxRows: number) => Promise<readonly (readonly Value[])[]>;

/** What a filter above rows says. */
export interface FilterQuestion {
  readonly condition: Expr;
  /** What it filters; puts out at least one row. */
  readonly input: LogicalPlan;
  /** How the rows are called: `"issue"`; absent when they come of several relations. */
  readonly relation?: string;
  readonly parameters: readonly Value[];
}

/** One conjunct, and the expression whose values say why it did not hold. */
interface Part {
  readonly condition: Expr;
  readonly subject?: Subject;
}

interface Subject {
  readonly expr: Expr;
  readonly operator: string;
  /** What it is compared with, when that reads no row. */
  readonly others: readonly Expr[];
}

/** One notice for each condition that no row fulfils; when each is fulfilled by some row, one for all together. */
export async function explainFilter(question: FilterQuestion, run: RunPiece): Promise<Notice[]> {
  const parts = conjunctsOf(question.condition)
    .filter((condition) => !holdsSubquery(condition))
    .map((condition): Part => ({ condition, ...subjectOf(condition) }));
  if (parts.length === 0) return [];
  const exprs = parts.flatMap(({ condition, subject }) =>
    subject === undefined ? [condition] : [condition, subject.expr, ...subject.others],
  );
  const rows = await run(projected(question.input, exprs), maxLookedAt);
  const place = question.relation === undefined ? "row" : `row of ${question.relation}`;
  const nothing =
    rows.length < maxLookedAt ? `no ${place}` : `none of the first ${maxLookedAt} ${place.replace("row", "rows")}`;
  let at = 0;
  const looks = parts.map((part): Look => {
    const start = at;
    at += part.subject === undefined ? 1 : 2 + part.subject.others.length;
    return { part, start, held: rows.filter((row) => row[start] === true).length };
  });
  const text = (condition: Expr) => conditionText(condition, question);
  const culprits = looks.filter((look) => look.held === 0);
  if (culprits.length > 0) {
    return culprits.map(({ part, start }) => ({
      severity: "NOTICE",
      code: sqlstate.noData,
      message: `${nothing} has ${text(part.condition)}`,
      ...hintOf(part.subject, start, rows, question),
    }));
  }
  if (looks.length < 2 || looks.length < conjunctsOf(question.condition).length) return [];
  return [
    {
      severity: "NOTICE",
      code: sqlstate.noData,
      message: `${nothing} has ${looks.map(({ part }) => text(part.condition)).join(" and ")} together`,
      hint: `${looks.map(({ part, held }) => `${text(part.condition)} holds for ${held}`).join(", ")} of ${rows.length} rows.`,
    },
  ];
}

interface Look {
  readonly part: Part;
  /** Where its values stand in the rows: the condition, the subject, what it is compared with. */
  readonly start: number;
  readonly held: number;
}

/** The input with these expressions as its columns. */
export function projected(input: LogicalPlan, exprs: readonly Expr[]): LogicalPlan {
  const free = Math.max(
    0,
    ...outputOf(input).map((column) => column.id),
    ...exprs.flatMap((expr) => [...columnsOf(expr)]),
  );
  const items = exprs.map((expr, i): ProjectItem => {
    const column: Column = {
      id: free + 1 + i,
      name: `value${i + 1}`,
      type: expr.type,
      typmod: expr.typmod ?? -1,
      nullable: true,
    };
    return { column, expr };
  });
  return { kind: "Project", input, items };
}

function subjectOf(condition: Expr): { subject?: Subject } {
  switch (condition.kind) {
    case "Call": {
      if (condition.operator === undefined || condition.args.length !== 2) return {};
      const [left, right] = condition.args;
      if (readsNothing(right)) return subject(left, condition.operator, [right]);
      return readsNothing(left) ? subject(right, condition.operator, [left]) : {};
    }
    case "InList":
      return condition.negated || !condition.items.every(readsNothing)
        ? {}
        : subject(condition.input, "=", condition.items);
    case "ArrayComparison":
      return readsNothing(condition.array) ? subject(condition.input, "any", []) : {};
    case "IsNull":
    case "BooleanTest":
    case "Not":
      return condition.input.kind === "Column" ? subject(condition.input, "is", []) : {};
    case "Column":
      return subject(condition, "is", []);
    default:
      return {};
  }
}

function subject(expr: Expr, operator: string, others: readonly Expr[]): { subject?: Subject } {
  return columnsOf(expr).size === 0 ? {} : { subject: { expr, operator, others } };
}

function readsNothing(expr: Expr): boolean {
  return columnsOf(expr).size === 0;
}

const orderings = new Set(["<", "<=", ">", ">="]);

function hintOf(
  subject: Subject | undefined,
  start: number,
  rows: readonly (readonly Value[])[],
  question: FilterQuestion,
): { hint?: string } {
  if (subject === undefined || rows.length === 0) return {};
  const { type } = subject.expr;
  const values = rows.map((row) => row[start + 1]);
  const name = conditionText(subject.expr, question);
  const range = orderings.has(subject.operator) && type.category !== "S" ? valueRange(values, type) : undefined;
  const others = subject.others.map((_, i) => rows[0][start + 2 + i]);
  const meant = subject.operator === "=" ? likelyValue(others, values) : undefined;
  const asking = meant === undefined ? "" : `Did you mean ${shownValue(meant, type)}? `;
  return { hint: `${asking}${name} is ${range ?? valueList(values, type)}` };
}

/** A text among those that occur that differs from one asked for by case, white space or a slip. */
function likelyValue(asked: readonly Value[], occurring: readonly Value[]): string | undefined {
  const known = new Set(occurring.filter((value): value is string => typeof value === "string"));
  for (const text of asked) {
    if (typeof text !== "string") continue;
    for (const value of known) if (plainText(value) === plainText(text)) return value;
    const near = closest(text, known);
    if (near !== undefined && editDistance(plainText(text), plainText(near)) <= Math.floor(text.length / 4))
      return near;
  }
  return undefined;
}

function plainText(text: string): string {
  return text.normalize("NFKC").trim().replaceAll(/\s+/gu, " ").toLowerCase();
}

/** A condition as the reader wrote it: parameters by their values, columns of a single relation without its name. */
function conditionText(condition: Expr, { parameters, relation }: FilterQuestion): string {
  const shown = transformExpression(condition, (expr) => {
    if (expr.kind === "Parameter") return plainConstant(expr.type, parameters[expr.index - 1]);
    if (expr.kind === "Constant") return plainConstant(expr.type, expr.value);
    if (expr.kind === "Call" && expr.operator !== undefined)
      return { ...expr, operator: patternWords[expr.operator] ?? expr.operator };
    if (expr.kind !== "Column" || relation === undefined || expr.column.origin === undefined) return expr;
    const { origin, ...column } = expr.column;
    return { ...expr, column: { ...column, name: origin.column } };
  });
  const text = printExpr(shown);
  const isWrapped = shown.type === types.bool && text.startsWith("(") && text.endsWith(")") && closesAtEnd(text);
  return isWrapped ? text.slice(1, -1) : text;
}

/** A text is shown without the name of its type: `'x'`, not `'x'::name`. */
function plainConstant(type: SqlType, value: Value): Expr {
  return { kind: "Constant", type: type.category === "S" ? types.text : type, value };
}

/** Operators that statements write as words. */
const patternWords: Readonly<Record<string, string>> = {
  "~~": "LIKE",
  "!~~": "NOT LIKE",
  "~~*": "ILIKE",
  "!~~*": "NOT ILIKE",
};

/** Whether the first parenthesis is closed by the last; quoted parts hold what they like. */
function closesAtEnd(text: string): boolean {
  let depth = 0;
  let quote = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === "'" || character === '"') quote = character;
    else if (character === "(") depth += 1;
    else if (character === ")") {
      depth -= 1;
      if (depth === 0) return i === text.length - 1;
    }
  }
  return false;
}
