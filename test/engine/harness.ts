/** Runs SQL on the engine over the test tables: parse, bind, (optimize,) prepare, run. */
import type { CatalogReader, StoredTableInfo } from "../../src/catalog/table.js";
import { type Environment, prepare, type RunOptions } from "../../src/engine/run.js";
import type { SessionContext } from "../../src/functions/function.js";
import { parse } from "../../src/grammar/parse.js";
import { bind } from "../../src/planner/bind/bind.js";
import type { BoundQuery, LogicalPlan } from "../../src/planner/plan.js";
import { operationsOf } from "../../src/types/families.js";
import { type SqlType, types } from "../../src/types/type.js";
import { type TestTable, tables } from "./dataset.js";

const now = Date.UTC(2024, 5, 1, 12, 0, 0) * 1000;

export const session: SessionContext = {
  timeZone: "UTC",
  nowMicroseconds: now,
  statementMicroseconds: now,
  clockMicroseconds: () => now,
  user: "tester",
  database: "test",
  random: () => 0.5,
  setting: () => undefined,
  reserveBytes: () => undefined,
};

export function catalogOf(list: readonly TestTable[]): CatalogReader {
  const infos = new Map<string, StoredTableInfo>(
    list.map((table) => [
      table.name,
      {
        kind: "stored",
        schema: "public",
        name: table.name,
        description: "",
        columns: table.columns.map((column) => ({
          name: column.name,
          type: types[column.type as keyof typeof types] as SqlType,
          typmod: -1,
          nullable: true,
          pushable: false,
        })),
        verbs: ["select", "insert", "update", "delete"],
        volatility: "stable",
        primaryKey: table.primaryKey,
      },
    ]),
  );
  return {
    table: (name, schema) => (schema === undefined || schema === "public" ? infos.get(name) : undefined),
    hasSchema: (schema) => schema === "public",
    tableNames: () => infos.keys(),
    version: 1,
  };
}

export function environmentOf(list: readonly TestTable[], extra: Partial<Environment> = {}): Environment {
  return {
    session,
    parameters: [],
    limits: {},
    relation: (scan) => {
      const table = list.find((candidate) => candidate.name === scan.table.name);
      if (table === undefined) throw new Error(`no table ${scan.table.name}`);
      return {
        kind: "objects",
        rows: table.rows,
        columns: scan.table.columns.map(({ name, type, typmod }) => ({ name, type, typmod })),
      };
    },
    ...extra,
  };
}

export function bindSql(sql: string, list: readonly TestTable[] = tables): BoundQuery {
  const statements = parse(sql);
  if (statements.length !== 1) throw new Error("one statement at a time");
  return bind(statements[0], catalogOf(list));
}

/** Rows as PostgreSQL's text, and the types' oids. */
export async function textRows(
  sql: string,
  options: {
    list?: readonly TestTable[];
    extra?: Partial<Environment>;
    rewrite?: (plan: LogicalPlan) => LogicalPlan;
  } = {},
): Promise<{ oids: number[]; rows: (string | null)[][] }> {
  const list = options.list ?? tables;
  const bound = bindSql(sql, list);
  const plan = options.rewrite === undefined ? bound.plan : options.rewrite(bound.plan);
  const answer = await prepare(plan, bound.output).run(environmentOf(list, options.extra));
  const operations = bound.output.map((column) => operationsOf(column.type));
  return {
    oids: bound.output.map((column) => column.type.oid),
    rows: (answer.rows as readonly (readonly unknown[])[]).map((row) =>
      row.map((value, c) => (value === null ? null : operations[c].output(value, session))),
    ),
  };
}

/** Rows as a host gets them. */
export async function hostRows(
  sql: string,
  options: RunOptions & { list?: readonly TestTable[]; extra?: Partial<Environment> } = {},
): Promise<readonly unknown[]> {
  const list = options.list ?? tables;
  const bound = bindSql(sql, list);
  const answer = await prepare(bound.plan, bound.output).run(environmentOf(list, options.extra), {
    rows: "objects",
    ...options,
  });
  return answer.rows;
}
