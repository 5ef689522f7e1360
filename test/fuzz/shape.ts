/** What a statement is made of: its features, its outputs, the outputs that fix its order, whether its answer is fixed at all. */
import type { Body, Expr, Node, Query, Statement } from "./tree.js";
import { walk } from "./tree.js";

/** Names of everything in a statement, by which failures are told apart. */
export function features(root: Statement): Set<string> {
  const found = new Set<string>();
  walk(root, (node) => {
    if ("f" in node && node.f) for (const feature of node.f.split(" & ")) found.add(feature);
    for (const feature of nodeFeatures(node)) found.add(feature);
  });
  return found;
}

function nodeFeatures(node: Node): string[] {
  switch (node.k) {
    case "q":
      return queryFeatures(node);
    case "core": {
      const { group } = node;
      return [
        node.distinctOn ? "distinct on" : node.distinct ? "distinct" : "",
        node.where ? "where" : "",
        group ? (group.kind === "plain" ? "group by" : `group:${group.kind.toLowerCase()}`) : "",
        group?.style?.some((text) => text) ? "group:ordinal/alias" : "",
        node.having ? "having" : "",
        node.windows?.length ? "window:named" : "",
        node.items.some((item) => item.star) ? "star" : "",
      ].filter((feature) => feature !== "");
    }
    case "set":
      return [`set:${node.op.toLowerCase()}${node.all ? " all" : ""}`];
    case "vals":
      return ["values"];
    case "sub":
      return [node.lateral ? "from:lateral" : "from:subquery", ...(node.cols ? ["from:column aliases"] : [])];
    case "fn":
      return ["from:function", ...(node.ord ? ["from:ordinality"] : [])];
    case "join": {
      const type = node.type.toLowerCase().replace(/ ?(outer )?join/, "") || "inner";
      return [`join:${node.natural ? "natural " : ""}${type}${node.using ? " using" : ""}`];
    }
    case "write":
      return [
        `write:${node.verb.toLowerCase()}`,
        ...(node.returning ? ["write:returning"] : []),
        ...(node.conflict ? ["write:on conflict"] : []),
        ...(node.from ? ["write:from"] : []),
      ];
    default:
      return [];
  }
}

function queryFeatures(q: Query): string[] {
  const found: string[] = [];
  const ctes = q.with ?? [];
  if (ctes.length > 0) found.push("cte");
  if (ctes.some((cte) => cte.recursive)) found.push("cte:recursive");
  if (ctes.some((cte) => cte.mat)) found.push("cte:materialized");
  if (q.ties) found.push("limit:with ties");
  else if (typeof q.limit === "number") found.push("limit");
  if (typeof q.offset === "number") found.push("offset");
  for (const { nulls, style, e } of q.order) {
    found.push("order");
    if (nulls) found.push(`order:nulls ${nulls.toLowerCase()}`);
    if (style === "ord") found.push("order:ordinal");
    if (style === "expr" || e) found.push("order:expr");
  }
  return found;
}

/** `null` where only the database knows. */
export function outputWidth(body: Body | Expr): number | null {
  switch (body.k) {
    case "q":
      return outputWidth(body.body);
    case "set":
      return outputWidth(body.l);
    case "vals":
      return body.rows[0].length;
    case "core":
      return body.items.reduce((sum, item) => sum + (item.star ? (item.names?.length ?? 0) : 1), 0);
    case "e":
      return body.width ?? null;
  }
}

/** Output columns that fix the order of the rows, in order of significance; all columns once every output is a key. */
export function orderColumns(statement: Statement): number[] {
  if (statement.k !== "q") return [];
  if (statement.body.k === "core" && statement.body.group?.loose) return [];
  const width = outputWidth(statement.body);
  const seen: number[] = [];
  let hidden = false;
  for (const { i, e } of statement.order) {
    if (e !== undefined) hidden = true;
    else if (i !== undefined && !seen.includes(i)) seen.push(i);
  }
  if (width !== null && seen.length >= width) return Array.from({ length: width }, (_, i) => i);
  if (!hidden) return seen;
  const before: number[] = [];
  for (const { i, e } of statement.order) {
    if (e !== undefined || i === undefined) break;
    before.push(i);
  }
  return before;
}

/** Whether the statement fixes its answer: a limit, an offset or DISTINCT ON needs an order over every output. */
export function deterministic(root: Statement): boolean {
  let fixed = true;
  walk(root, (node) => {
    if (node.k === "e" && node.f === "array subquery") {
      if (node.parts.some((part) => typeof part === "object" && "q" in part && part.q.order.length === 0))
        fixed = false;
    }
    if (node.k === "q") fixed &&= fixesRows(node);
  });
  return fixed;
}

function fixesRows(q: Query): boolean {
  const total = (): boolean => orderColumns(q).length === outputWidth(q.body);
  const limited = typeof q.limit === "number" || typeof q.offset === "number";
  if (q.ties && q.order.length === 0) return false;
  const manyRows = q.body.k === "core" && q.body.items.some((item) => item.e?.f === "bad:scalar subquery rows");
  if (limited && !q.ties && q.limit !== 0 && !manyRows && !total()) return false;
  if (q.body.k !== "core" || !q.body.distinctOn) return true;
  const first = q.order[0];
  return total() && first.e === undefined && first.i !== undefined && q.body.distinctOn.includes(first.i);
}
