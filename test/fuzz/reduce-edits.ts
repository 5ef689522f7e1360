/** Smaller copies of a statement: without a clause, a column, a join; with a part in place of a whole. The bold ones first. */
import { print } from "./print.js";
import { outputWidth } from "./shape.js";
import {
  type Body,
  type Core,
  clone,
  type Expr,
  isNode,
  type JoinNode,
  type Node,
  type Query,
  raw,
  type Statement,
  type ValueType,
  type Write,
} from "./tree.js";

interface Place {
  readonly node: Node;
  readonly fixed: boolean;
  /** An output, which may be of any type. */
  readonly output: boolean;
  /** A key of GROUP BY, which must not become a constant. */
  readonly key: boolean;
  /** A branch of a set operation, which can stand alone. */
  readonly branch: boolean;
  replace(by: Node): void;
}

type Container = Record<string, unknown>;

/** Every node with its place, in one fixed order: the n-th node of a copy is the n-th of the original. */
function places(holder: { root: Statement }): Place[] {
  const found: Place[] = [];
  const visit = (value: unknown, parent: Container, key: string, fixed: boolean, role: string): void => {
    if (typeof value !== "object" || value === null) return;
    const inside = fixed || ("fix" in value && value.fix === true);
    if (isNode(value)) {
      const replace = (by: Node): void => {
        parent[key] = by;
      };
      const branch = parent.k === "set";
      found.push({ node: value, fixed, output: "as" in parent, key: role === "keys", branch, replace });
    }
    for (const [name, below] of Object.entries(value)) {
      visit(below, value as Container, name, inside, Array.isArray(value) ? role : name);
    }
  };
  visit(holder.root, holder as unknown as Container, "root", false, "root");
  return found;
}

/** A copy in which `change` was made to the node at an index; nothing when it says no. */
function edited(root: Statement, index: number, change: (place: Place) => unknown): Statement[] {
  const holder = { root: clone(root) };
  const done = change(places(holder)[index]);
  return done === false ? [] : [holder.root];
}

/** With `keepConditions` the conditions stay: a join without its own is slow for another reason. */
export function* edits(root: Statement, keepConditions: boolean): Generator<Statement> {
  const found = places({ root });
  for (const [i, place] of found.entries()) if (i > 0) yield* partsAsWhole(root, place);
  for (const [i, { node }] of found.entries()) {
    for (const change of clauseChanges(node, keepConditions)) yield* edited(root, i, change);
  }
  for (const [i, place] of found.entries()) {
    if (place.node.k !== "e" || place.fixed || (keepConditions && place.node.t === "bool")) continue;
    for (const by of smallerExpressions(place.node, place)) yield* edited(root, i, ({ replace }) => replace(by));
  }
}

function partsAsWhole(root: Statement, { node, branch }: Place): Statement[] {
  const ctes = root.k === "q" ? (root.with ?? []) : [];
  if (node.k === "q") {
    const alone = clone(node);
    return ctes.length > 0 ? [alone, { ...clone(node), with: clone(ctes) }] : [alone];
  }
  if (node.k === "write" && root.k !== "write") return [clone(node)];
  if (node.k !== "core" || !branch) return [];
  return [{ k: "q", with: clone(ctes), body: clone(node), order: [], limit: null, offset: null }];
}

type Change = (place: Place) => unknown;

/** A change to a node of the same kind. */
function change<N extends Node>(make: (node: N, place: Place) => unknown): Change {
  return (place) => make(place.node as N, place);
}

function clauseChanges(node: Node, keepConditions: boolean): Change[] {
  switch (node.k) {
    case "q":
      return queryChanges(node);
    case "core":
      return coreChanges(node, keepConditions);
    case "join":
      return joinChanges(node, keepConditions);
    case "write":
      return writeChanges(node);
    case "sub":
      return node.lateral ? [change<typeof node>((n) => Object.assign(n, { lateral: false }))] : [];
    case "vals":
      if (node.rows.length < 2) return [];
      return node.rows.map((_, j) => change<typeof node>((n) => n.rows.splice(j, 1)));
    default:
      return [];
  }
}

function queryChanges(node: Query): Change[] {
  const changes: Change[] = (node.with ?? []).map((_, j) => change<Query>((q) => q.with?.splice(j, 1)));
  if (typeof node.limit === "number") {
    changes.push(change<Query>((q) => Object.assign(q, { limit: null, offset: null, ties: false })));
  }
  if (typeof node.offset === "number") changes.push(change<Query>((q) => Object.assign(q, { offset: null })));
  if (node.order.length > 0 && !node.ties) changes.push(change<Query>((q) => Object.assign(q, { order: [] })));
  if (node.order.length > 1)
    for (const j of node.order.keys()) changes.push(change<Query>((q) => q.order.splice(j, 1)));
  const width = outputWidth(node.body) ?? 0;
  if (width < 2) return changes;
  const outputs = Array.from({ length: width }, (_, j) => j);
  for (const kept of outputs) {
    changes.push(change<Query>((q) => outputs.toReversed().every((j) => j === kept || dropColumn(q, j))));
  }
  for (const j of outputs) changes.push(change<Query>((q) => dropColumn(q, j)));
  return changes;
}

/** False when a star hides the column. */
function dropColumn(q: Query, at: number): boolean {
  for (const core of coresOf(q.body)) {
    if (core.k === "vals") {
      for (const row of core.rows) row.splice(at, 1);
      continue;
    }
    if (core.items.some((item) => item.star)) return false;
    core.items.splice(at, 1);
    const on = core.distinctOn?.filter((key) => key !== at).map((key) => (key > at ? key - 1 : key));
    core.distinctOn = on && on.length > 0 ? on : null;
  }
  q.order = q.order
    .filter((item) => item.e !== undefined || item.i !== at)
    .map((item) => (item.e === undefined && (item.i ?? 0) > at ? { ...item, i: (item.i ?? 0) - 1 } : item));
  return true;
}

function coresOf(body: Body): Exclude<Body, Query | { k: "set" }>[] {
  if (body.k === "q") return coresOf(body.body);
  return body.k === "set" ? [...coresOf(body.l), ...coresOf(body.r)] : [body];
}

function coreChanges(node: Core, keepConditions: boolean): Change[] {
  const without = (key: keyof Core): Change => change<Core>((core) => Object.assign(core, { [key]: null }));
  const clauses = ["from", ...(keepConditions ? [] : (["where"] as const)), "having", "group", "distinct"] as const;
  const changes = [...clauses, "distinctOn" as const, "windows" as const].filter((key) => node[key]).map(without);
  const { group } = node;
  if (!group) return changes;
  const ofGroup = (make: (grouping: NonNullable<Core["group"]>) => unknown): Change =>
    change<Core>((core) => (core.group ? make(core.group) : false));
  if (group.kind !== "plain") changes.push(ofGroup((grouping) => Object.assign(grouping, { kind: "plain" })));
  if (group.style) changes.push(ofGroup((grouping) => Object.assign(grouping, { style: null })));
  if (group.keys.length > 1 && group.kind !== "sets") {
    for (const j of group.keys.keys()) {
      changes.push(
        ofGroup((grouping) => {
          grouping.keys.splice(j, 1);
          grouping.style?.splice(j, 1);
        }),
      );
    }
  }
  return changes;
}

function joinChanges(node: JoinNode, keepConditions: boolean): Change[] {
  const changes = [
    change<JoinNode>((join, place) => place.replace(join.l)),
    change<JoinNode>((join, place) => place.replace(join.r)),
  ];
  if (!keepConditions && node.on && node.on.parts[0] !== "TRUE") {
    const always = raw("bool", "TRUE", 200, { leaf: "lit" });
    changes.push(change<JoinNode>((join) => Object.assign(join, { on: always })));
  }
  if (!/^(JOIN|CROSS JOIN|COMMA)$/.test(node.type)) {
    changes.push(change<JoinNode>((join) => Object.assign(join, { type: "JOIN" })));
  }
  return changes;
}

function writeChanges(node: Write): Change[] {
  const changes: Change[] = [];
  const drop = (key: keyof Write): void => {
    if (node[key]) changes.push(change<Write>((write) => Object.assign(write, { [key]: null })));
  };
  for (const key of ["returning", "conflict", "where"] as const) drop(key);
  if ((node.set?.length ?? 0) > 1) {
    for (const j of node.set?.keys() ?? []) changes.push(change<Write>((write) => write.set?.splice(j, 1)));
  }
  if ((node.returning?.length ?? 0) > 1) {
    for (const j of node.returning?.keys() ?? []) changes.push(change<Write>((w) => w.returning?.splice(j, 1)));
  }
  const { source, columns = [] } = node;
  if (source?.k === "vals" && columns.length > 1) {
    for (const j of columns.keys()) {
      changes.push(
        change<Write>((write) => {
          write.columns?.splice(j, 1);
          if (write.source?.k === "vals") for (const row of write.source.rows) row.splice(j, 1);
        }),
      );
    }
  }
  return changes;
}

const simple: Partial<Record<ValueType, string>> = {
  int: "1",
  bigint: "1::bigint",
  numeric: "1.5",
  float: "1.5::float8",
  bool: "TRUE",
  text: "'a'",
  date: "DATE '2024-01-02'",
  ts: "TIMESTAMP '2024-01-02 03:04:05'",
  tstz: "TIMESTAMPTZ '2024-01-02 03:04:05+00'",
  interval: "INTERVAL '1 day'",
  jsonb: `'{"a": 1}'::jsonb`,
  "text[]": "ARRAY['a']",
  "int[]": "ARRAY[1]",
  uuid: "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid",
};

/** A part of the same type, any part for an output, a plain value. */
function smallerExpressions(e: Expr, { output, key }: Place): Expr[] {
  if (e.leaf === "lit" || e.t === "spec" || e.t === "set" || e.t === "query") return [];
  const found = new Map<string, Expr>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isNode(value)) {
      if (value.k === "q") return;
      if (value.k === "e" && value.t !== "spec" && (value.t === e.t || output)) found.set(print(value), clone(value));
    }
    for (const below of Object.values(value)) collect(below);
  };
  collect(e.parts);
  const plain = simple[e.t];
  const smaller = [...found.values()];
  if (plain !== undefined && e.parts.length > 1 && !key) smaller.push(raw(e.t, plain, 150, { leaf: "lit", m: 1 }));
  return smaller;
}
