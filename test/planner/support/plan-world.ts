/** The tables that plan snapshots are made over: the recording world, a feed that takes a limit, and stored tables. */
import type { CatalogReader, StoredTableInfo, Table } from "../../../src/catalog/table.js";
import { parse } from "../../../src/grammar/parse.js";
import { bind } from "../../../src/planner/bind/bind.js";
import { explainPlan } from "../../../src/planner/explain.js";
import { explainText } from "../../../src/planner/explain-node.js";
import { optimize } from "../../../src/planner/optimize.js";
import type { LogicalPlan } from "../../../src/planner/plan.js";
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
  ];
}

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
