/**
 * Random statements as plain trees, so that the reducer can copy and edit them. An expression is text with holes; the
 * clauses of a query are nodes of their own. A literal knows the parameter that it could be instead.
 */
export const valueTypes = [
  "int",
  "bigint",
  "numeric",
  "float",
  "bool",
  "text",
  "date",
  "ts",
  "tstz",
  "interval",
  "jsonb",
  "text[]",
  "int[]",
  "uuid",
  "enum",
] as const;

export type ValueType = (typeof valueTypes)[number];
/** `spec`: a window's definition; `set`: a call in FROM; `query`: fixed text of a query. */
export type ExprType = ValueType | "spec" | "set" | "query";

/** A hole: an expression that needs at least that precedence to stand without parentheses, or a query. */
export type Part = string | { e: Expr; n: number } | { q: Query };

export interface ParameterForm {
  readonly value: string | number | boolean | null;
  /** The type that the literal names; a bare one takes its type from what stands beside it. */
  readonly cast?: string;
}

export interface Expr {
  k: "e";
  t: ExprType;
  /** Precedence: OR 10, AND 20, NOT 30, IS 40, comparison 50, IN and LIKE 60, other operators 70, + 80, * 90, ^ 100, AT TIME ZONE 110, minus 130, [] 140, :: 150, primary 200. */
  p: number;
  /** Features joined by " & ". */
  f: string | null;
  parts: Part[];
  /** A bound on the absolute value. */
  m: number;
  leaf?: "col" | "lit";
  /** Of a column. */
  sub?: string | null;
  colName?: string | null;
  bare?: boolean;
  src?: { rel: string; col: string };
  param?: ParameterForm;
  /** Written in parentheses though it needs none. */
  paren?: boolean;
  agg?: boolean;
  win?: boolean;
  /** The reducer leaves it alone: an order that keeps the answer fixed. */
  fix?: boolean;
  /** Number of columns of a fixed query. */
  width?: number;
}

export interface OrderItem {
  /** Index of an output, or else an expression. */
  i?: number;
  e?: Expr;
  style: "name" | "ord" | "expr";
  dir?: string;
  nulls?: string | null;
}

export interface Cte {
  name: string;
  q: Query | Expr | Write;
  cols?: string[];
  recursive?: boolean;
  mat?: string;
}

export interface Query {
  k: "q";
  with?: Cte[];
  body: Body;
  order: OrderItem[];
  limit?: number | null;
  offset?: number | null;
  ties?: boolean;
  fetch?: boolean;
}

export interface Item {
  e?: Expr;
  as?: string | null;
  /** `*` or `t.*`, with the names it stands for. */
  star?: string;
  names?: (string | null)[];
}

export interface Grouping {
  kind: "plain" | "ROLLUP" | "CUBE" | "sets";
  keys: Expr[];
  /** How a key is written instead: its output's name or position. */
  style?: (string | null)[] | null;
  sets?: number[][];
  /** The order of the groups is not compared. */
  loose?: boolean;
}

export interface Core {
  k: "core";
  items: Item[];
  from?: FromNode | null;
  where?: Expr | null;
  group?: Grouping | null;
  having?: Expr | null;
  distinct?: boolean | null;
  distinctOn?: number[] | null;
  windows?: { name: string; spec: Expr }[] | null;
}

export interface SetOperation {
  k: "set";
  op: "UNION" | "INTERSECT" | "EXCEPT";
  all: boolean;
  l: Body;
  r: Body;
}

export interface Values {
  k: "vals";
  rows: Expr[][];
}

export type Body = Core | SetOperation | Values | Query;

export interface TableNode {
  k: "tab";
  name: string;
  alias: string | null;
  as?: boolean;
}

export interface SubqueryNode {
  k: "sub";
  q: Query | Values;
  alias: string;
  lateral?: boolean;
  cols?: string[];
  as?: boolean;
}

export interface FunctionNode {
  k: "fn";
  e: Expr;
  alias: string;
  cols?: string[];
  defs?: string;
  ord?: boolean;
  lateral?: boolean;
}

export interface JoinNode {
  k: "join";
  type: string;
  natural?: boolean;
  l: FromNode;
  r: FromNode;
  on?: Expr | null;
  using?: string[];
}

export type FromNode = TableNode | SubqueryNode | FunctionNode | JoinNode;

/** INSERT, UPDATE or DELETE of one table. */
export interface Write {
  k: "write";
  verb: "INSERT" | "UPDATE" | "DELETE";
  table: string;
  alias?: string | null;
  columns?: string[];
  source?: Query | Values;
  conflict?: string | null;
  set?: { column: string; e: Expr }[];
  from?: FromNode | null;
  where?: Expr | null;
  returning?: Item[] | null;
}

/** Text as it is: what cannot be a tree because it is no SQL. */
export interface RawStatement {
  k: "raw";
  f: string;
  sql: string;
}

export type Statement = Query | Write | RawStatement;
export type Node = Expr | Query | Body | FromNode | Statement;

export function clone<T>(tree: T): T {
  return structuredClone(tree);
}

export function expression(t: ExprType, parts: Part[], p = 200, more: Partial<Expr> = {}): Expr {
  return { k: "e", t, p, f: null, parts, m: 0, ...more };
}

/** An expression of fixed text. */
export function raw(t: ExprType, text: string, p = 200, more: Partial<Expr> = {}): Expr {
  return expression(t, [text], p, more);
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "k" in value;
}

/** Visits every node, parents first; `false` stays out of what is below. */
export function walk(tree: unknown, visit: (node: Node) => unknown): void {
  if (typeof tree !== "object" || tree === null) return;
  if (isNode(tree) && visit(tree) === false) return;
  for (const value of Object.values(tree)) walk(value, visit);
}

export function some(tree: unknown, test: (node: Node) => boolean): boolean {
  let found = false;
  walk(tree, (node) => {
    found ||= test(node);
    return !found;
  });
  return found;
}

export function conjunction(conditions: readonly (Expr | null | undefined)[]): Expr | null {
  let all: Expr | null = null;
  for (const condition of conditions) {
    if (!condition) continue;
    all = all ? expression("bool", [{ e: all, n: 20 }, " AND ", { e: condition, n: 21 }], 20) : condition;
  }
  return all;
}
