/** Mistakes made on purpose: PostgreSQL says what the error is, a kind only names it. Some turn out valid on some data. */
import type { BaseQuery, Generator } from "../generator/generator.js";
import type { FoundColumn, Scope } from "../generator/scope.js";
import { ident } from "../names.js";
import {
  type Core,
  conjunction,
  type Expr,
  type ExprType,
  expression,
  type Item,
  raw,
  type Statement,
  type ValueType,
} from "../tree.js";

export interface Mistake {
  readonly weight: number;
  readonly kind: string;
  /** `null` when the world offers no place for it. */
  make(g: Generator): Statement | null;
}

/** A wrong piece, marked so that a failure names it. */
export function bad(kind: string, t: ExprType, text: string, p = 200): Expr {
  return raw(t, text, p, { f: `bad:${kind}` });
}

export function marked(kind: string, e: Expr): Expr {
  return { ...e, f: `bad:${kind}` };
}

export function item(kind: string, e: Expr): Item {
  return { e: marked(kind, e), as: null };
}

export function addWhere(body: Core, condition: Expr): void {
  body.where = conjunction([body.where, condition]);
}

/** A mistake inside an expression, put into the outputs or into WHERE as the dice say. */
export function inExpression(weight: number, kind: string, make: (g: Generator, scope: Scope) => Expr | null): Mistake {
  return {
    weight,
    kind,
    make(g) {
      const base = g.base();
      const e = make(g, base.scope);
      return e && place(g, base, kind, e);
    },
  };
}

export function place(g: Generator, { q, body }: BaseQuery, kind: string, e: Expr): Statement {
  if (g.r.chance(0.6)) body.items.splice(g.r.int(0, body.items.length), 0, item(kind, e));
  else addWhere(body, expression("bool", [{ e: marked(kind, e), n: 41 }, " IS NOT NULL"], 40));
  return q;
}

/** A mistake in a query of its own. */
export function inQuery(weight: number, kind: string, make: (g: Generator) => Statement | null): Mistake {
  return { weight, kind, make };
}

/** A column of one of the types. */
export function columnOf(g: Generator, scope: Scope, ...types: ValueType[]): FoundColumn | null {
  const found = g.columns(scope).filter(({ col }) => types.length === 0 || types.includes(col.type));
  return found.length === 0 ? null : g.r.pick(found);
}

export function reference(g: Generator, scope: Scope, { rel, col }: FoundColumn): Expr {
  return g.columnRef(scope, scope, rel, col);
}

export function qualified({ rel, col }: FoundColumn): Expr {
  const text = `${ident(rel.alias)}.${ident(col.name ?? "")}`;
  return raw(col.type, text, 200, { leaf: "col", colName: col.name });
}

export function typo(g: Generator, name: string): string {
  const at = g.r.int(0, Math.max(0, name.length - 1));
  return name.slice(0, at) + name.slice(at + 1) + g.r.pick(["", "x", "_id", "s"]);
}
