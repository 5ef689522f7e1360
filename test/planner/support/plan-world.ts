/**
 * The tables that plan snapshots are made over: the recording world, resources that take more than arguments, and stored
 * tables.
 */
import type { CatalogReader, StoredTableInfo, Table } from "../../../src/catalog/table.js";
import { parse } from "../../../src/grammar/parse.js";
import { bind } from "../../../src/planner/bind/bind.js";
import { explainPlan } from "../../../src/planner/explain.js";
import { explainText } from "../../../src/planner/explain-node.js";
import { optimize } from "../../../src/planner/optimize.js";
import type { LogicalPlan } from "../../../src/planner/plan.js";
import { defineResource } from "../../../src/resources/define-resource.js";
import { registeredResource } from "../../../src/resources/table-info.js";
import { type SqlType, types } from "../../../src/types/type.js";
import { prTables } from "../../support/pr-world.js";
import { Recorder } from "../../support/recording.js";

function stored(
  name: string,
  rowCount: number,
  columns: Record<string, SqlType>,
  primaryKey: string[],
): StoredTableInfo {
  return {
    kind: "stored",
    schema: "public",
    name,
    description: "",
    columns: Object.entries(columns).map(([column, type]) => ({
      name: column,
      type,
      typmod: -1,
      nullable: !primaryKey.includes(column),
      pushable: false,
    })),
    verbs: ["select", "insert", "update", "delete"],
    volatility: "stable",
    primaryKey,
    rowCount,
  };
}

function resources(): Table[] {
  const recorder = new Recorder();
  const feed = registeredResource(
    recorder.resource({
      name: "feed",
      columns: [
        { name: "id", type: "bigint" },
        { name: "channel", type: "text" },
        { name: "body", type: "text" },
      ],
    }),
    "public",
  );
  const columns = feed.columns.map((column) => (column.name === "channel" ? { ...column, exact: true } : column));
  return [
    ...prTables().map((table) => registeredResource(recorder.resource(table), "public")),
    { ...feed, columns, acceptsLimit: true },
    registeredResource(log, "public"),
    registeredResource(image, "public"),
  ];
}

/** Takes predicates, an order and a limit. */
const log = defineResource({
  name: "log",
  volatility: "volatile",
  columns: [
    { name: "id", type: "bigint", operators: [">", ">=", "<", "<=", "<>"], exact: true },
    { name: "at", type: "timestamptz", operators: [">", ">=", "<", "<="], exact: true },
    { name: "level", type: "text", operators: ["<>", "like", "is null", "is not null"] },
    { name: "doc", type: "jsonb", operators: ["@>"] },
    { name: "pr", type: "bigint", equality: false },
    { name: "host", type: "citext", operators: ["like"], exact: true },
  ],
  accepts: { limit: true, orderBy: ["id", "at"] },
  select: () => [],
});

/** Needs its repository, and one of two other keys. */
const image = defineResource({
  name: "image",
  volatility: "stable",
  columns: [
    { name: "repo", type: "text", requiredKey: true },
    { name: "tag", type: "text" },
    { name: "pr", type: "bigint" },
    { name: "size", type: "bigint" },
  ],
  keyAlternatives: [["tag", "pr"]],
  select: () => [],
});

const { int4, text, timestamptz } = types;
const tables = new Map<string, Table>(
  [
    ...resources(),
    stored("team", 20, { id: int4, name: text, lead: text }, ["id"]),
    stored("member", 400, { team: int4, login: text, since: timestamptz }, []),
    stored("event", 100_000, { id: int4, login: text, kind: text, at: timestamptz }, ["id"]),
  ].map((table) => [table.name, table]),
);

const catalog: CatalogReader = {
  table: (name, schema) => (schema === undefined || schema === "public" ? tables.get(name) : undefined),
  hasSchema: (schema) => schema === "public",
  tableNames: () => tables.keys(),
  version: 1,
};

export function planOf(sql: string): LogicalPlan {
  return bind(parse(sql)[0], catalog).plan;
}

/** The statement's plan as EXPLAIN prints it. */
export function explained(sql: string): string {
  return explainText(explainPlan(optimize(planOf(sql))));
}
