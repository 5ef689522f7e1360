/** Names that do not exist, or exist twice; grouping and placement gone wrong. */
import type { Generator } from "../generator/generator.js";
import { ident } from "../names.js";
import { type Expr, expression, type Grouping, isNode, raw, type TableNode, walk } from "../tree.js";
import {
  addWhere,
  bad,
  columnOf,
  inExpression,
  inQuery,
  item,
  type Mistake,
  marked,
  place,
  qualified,
  reference,
  typo,
} from "./mistake.js";

const otherDatabases = [
  ...["foo", "lenght", "ifnull", "isnull", "datediff", "strftime", "nvl", "date_format", "group_concat", "len", "year"],
  ...["instr", "toString", "dateadd"],
];

function tablesOf(from: unknown): TableNode[] {
  const found: TableNode[] = [];
  walk(from, (node) => {
    if (node.k === "tab") found.push(node);
  });
  return found;
}

/** A column that the grouping does not name. */
function ungrouped(g: Generator, grouping: Grouping, base: ReturnType<Generator["base"]>): Expr | null {
  const keys = new Set<string>();
  walk(grouping.keys, (node) => {
    if (isNode(node) && node.k === "e" && node.leaf === "col" && node.colName) keys.add(node.colName);
  });
  const found = g.columns(base.scope).filter(({ col }) => !keys.has(col.name ?? ""));
  return found.length === 0 ? null : qualified(g.r.pick(found));
}

function ungroupedMistake(
  weight: number,
  kind: string,
  put: (base: ReturnType<Generator["base"]>, e: Expr) => void,
): Mistake {
  return inQuery(weight, kind, (g) => {
    const base = g.base({ grouped: true });
    const { group } = base.body;
    const e = group?.kind === "plain" ? ungrouped(g, group, base) : null;
    if (e === null) return null;
    put(base, e);
    return base.q;
  });
}

export const nameMistakes: readonly Mistake[] = [
  inExpression(3, "unknown column", (g, scope) => {
    const found = columnOf(g, scope);
    const name = found === null ? "" : typo(g, found.col.name ?? "") || "nope";
    if (found === null || g.columns(scope).some(({ col }) => col.name === name)) return null;
    return raw("int", g.r.chance(0.5) ? ident(name) : `${ident(found.rel.alias)}.${ident(name)}`);
  }),
  inQuery(2, "unknown table", (g) => {
    const { q, body } = g.base();
    const [table] = tablesOf(body.from);
    table.alias ??= table.name;
    table.name = typo(g, table.name) || "nope";
    return q;
  }),
  inExpression(1.5, "unknown alias", (g, scope) => {
    const found = columnOf(g, scope);
    return found && raw("int", `zz.${ident(found.col.name ?? "")}`);
  }),
  inExpression(2, "unknown function", (g, scope) => {
    const e = g.leaf(g.someType(scope), scope, { typed: true });
    return expression("text", [`${g.r.pick(otherDatabases)}(`, { e, n: 0 }, ")"]);
  }),
  inQuery(2, "ambiguous column", (g) => {
    const base = g.base({ joins: 1 });
    const names = g.columns(base.scope).map(({ col }) => col.name ?? "");
    const twice = names.filter((name, i) => names.indexOf(name) !== i);
    if (twice.length === 0 || base.scope.merged) return null;
    return place(g, base, "ambiguous column", raw("int", ident(g.r.pick(twice))));
  }),
  inQuery(0.7, "duplicate alias", (g) => {
    const { q, body } = g.base({ joins: 1 });
    const [first, second] = tablesOf(body.from);
    if (second === undefined) return null;
    second.alias = first.alias ?? first.name;
    return q;
  }),
  inQuery(1.5, "alias in where", (g) => {
    const { q, body, scope } = g.base();
    body.items.push({ e: g.expr("int", scope, 1), as: "zalias" });
    addWhere(body, bad("alias in where", "bool", "zalias > 1", 50));
    return q;
  }),
  inQuery(1, "alias in having", (g) => {
    const { q, body } = g.base({ grouped: true });
    if (!body.group) return null;
    body.items.push({ e: raw("bigint", "count(*)", 200, { agg: true }), as: "zcount" });
    body.having = bad("alias in having", "bool", "zcount > 1", 50);
    return q;
  }),
  inQuery(0.5, "order by out of range", (g) => {
    const { q } = g.base();
    q.order = [{ e: bad("order by position", "int", String(g.r.pick([0, 7, 99]))), style: "expr" }];
    return q;
  }),
  inQuery(0.5, "group by out of range", (g) => {
    const { q, body } = g.base({ grouped: true });
    if (body.group?.kind !== "plain") return null;
    body.group.style = ["9"];
    return q;
  }),
  ungroupedMistake(4, "ungrouped column", ({ body }, e) => body.items.push(item("ungrouped column", e))),
  ungroupedMistake(1, "ungrouped in having", ({ body }, e) => {
    body.having = expression("bool", [{ e, n: 41 }, " IS NOT NULL"], 40, { f: "bad:ungrouped in having" });
  }),
  ungroupedMistake(1, "ungrouped in order by", ({ q }, e) => {
    q.order = [{ e: marked("ungrouped in order by", e), style: "expr" }];
  }),
  inQuery(2, "column beside aggregate", (g) => {
    const { q, body, scope } = g.base();
    const found = columnOf(g, scope);
    if (found === null) return null;
    body.items = [item("column beside aggregate", qualified(found)), { e: raw("bigint", "count(*)"), as: null }];
    return q;
  }),
  inQuery(2, "aggregate in where", (g) => {
    const { q, body, scope } = g.base();
    const found = columnOf(g, scope, "int", "numeric", "bigint");
    const call = g.r.pick(["sum", "max", "avg"]);
    const kind = "aggregate in where";
    if (found === null || g.r.chance(0.4)) addWhere(body, bad(kind, "bool", "count(*) > 1", 50));
    else {
      const e = reference(g, scope, found);
      addWhere(body, expression("bool", [`${call}(`, { e, n: 0 }, ") > 10"], 50, { f: `bad:${kind}` }));
    }
    return q;
  }),
  inQuery(1, "nested aggregate", (g) => {
    const { q, body, scope } = g.base();
    const found = columnOf(g, scope, "int", "numeric");
    if (found === null) return null;
    const parts = ["max(sum(", { e: reference(g, scope, found), n: 0 }, "))"];
    body.items = [item("nested aggregate", expression("numeric", parts))];
    return q;
  }),
  inQuery(1, "window in where", (g) => {
    const { q, body } = g.base();
    addWhere(body, bad("window in where", "bool", "row_number() OVER () = 1", 50));
    return q;
  }),
  inExpression(0.7, "window without over", () => raw("bigint", "row_number()")),
  inQuery(0.7, "aggregate in group by", (g) => {
    const { q, body } = g.base();
    body.items = [{ e: raw("bigint", "count(*)"), as: null }];
    body.group = { kind: "plain", keys: [bad("aggregate in group by", "bigint", "count(*)")] };
    return q;
  }),
  inQuery(1, "distinct order by other", (g) => {
    const { q, body, scope } = g.base();
    const found = g.columns(scope);
    if (found.length < 2 || body.items.some((output) => output.star)) return null;
    const [first, second] = g.r.sample(found, 2);
    body.distinct = true;
    body.items = [{ e: qualified(first), as: "only" }];
    q.order = [{ e: marked("distinct order by", qualified(second)), style: "expr" }];
    return q;
  }),
];
