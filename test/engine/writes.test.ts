/** Data-modifying statements: what the environment is asked to write, and what RETURNING makes of its answer. */
import { expect, test } from "vitest";
import { type Environment, prepare, type WriteOutcome, type WriteRequest } from "../../src/engine/run.js";
import type { Merge, Write } from "../../src/planner/plan.js";
import type { Value } from "../../src/types/value.js";
import type { TestTable } from "./dataset.js";
import { bindSql, environmentOf } from "./harness.js";

const stock: TestTable = {
  name: "stock",
  primaryKey: ["id"],
  columns: [
    { name: "id", type: "int4" },
    { name: "item", type: "text" },
    { name: "count", type: "int4" },
  ],
  rows: [
    { id: 1, item: "nut", count: 5 },
    { id: 2, item: "bolt", count: 0 },
    { id: 3, item: "gear", count: 9 },
  ],
};
const delivery: TestTable = {
  name: "delivery",
  primaryKey: ["item"],
  columns: [
    { name: "item", type: "text" },
    { name: "amount", type: "int4" },
  ],
  rows: [
    { item: "nut", amount: 10 },
    { item: "gear", amount: 1 },
    { item: "cog", amount: 7 },
  ],
};

const tuples = (table: TestTable): Value[][] => table.rows.map((row) => table.columns.map(({ name }) => row[name]));

/** Answers as a store of rows would, without keeping anything. */
function answer(node: Write | Merge, request: WriteRequest): WriteOutcome {
  const rows = tuples(node.table.name === "stock" ? stock : delivery);
  switch (request.op) {
    case "insert": {
      const written: Value[][] = [];
      const origins: number[] = [];
      request.rows.forEach((row, r) => {
        const existing = rows.find(([id]) => id === row[0]);
        if (request.conflict !== undefined && existing !== undefined) {
          if (request.conflict.action === "nothing") return;
          const values = request.conflict.update(existing, row);
          if (values === undefined) return;
          const changed = [...existing];
          request.conflict.targets.forEach((target, t) => {
            changed[target] = values[t];
          });
          written.push(changed);
        } else written.push([...row]);
        origins.push(r);
      });
      return { affected: written.length, rows: written, origins };
    }
    case "update": {
      const written = request.changes.map(({ rowId, targets, values }) => {
        const row = [...rows[rowId]];
        targets.forEach((target, t) => {
          row[target] = values[t];
        });
        return row;
      });
      return { affected: written.length, rows: written };
    }
    case "delete":
      return { affected: request.rowIds.length, rows: request.rowIds.map((id) => rows[id]) };
    case "merge":
      return { affected: request.steps.length, rows: [] };
  }
}

const insertNode = { table: { name: "stock" } } as Write;

async function perform(sql: string) {
  const requests: WriteRequest[] = [];
  const list = [stock, delivery];
  const bound = bindSql(sql, list);
  const environment: Environment = environmentOf(list, {
    write: async (node, request) => {
      requests.push(request);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return answer(node, request);
    },
  });
  const { rows, affected } = await prepare(bound.plan, bound.output).run(environment, { rows: "objects" });
  return { requests, rows, affected };
}

test.each([
  {
    name: "rows of VALUES",
    sql: "INSERT INTO stock (item, id) VALUES ('cog', 4), (upper('pin'), 2 + 3) RETURNING id, item || '!' AS shout",
    rows: [
      { id: 4, shout: "cog!" },
      { id: 5, shout: "PIN!" },
    ],
    request: {
      op: "insert",
      rows: [
        [4, "cog", null],
        [5, "PIN", null],
      ],
    },
  },
  {
    name: "rows of a query",
    sql: "INSERT INTO stock SELECT 10 + amount, item, 0 FROM delivery WHERE amount > 5",
    rows: [],
    request: {
      op: "insert",
      rows: [
        [20, "nut", 0],
        [17, "cog", 0],
      ],
    },
  },
  {
    name: "an update with a condition",
    sql: "UPDATE stock SET count = count + 1, item = upper(item) WHERE count > 3 RETURNING *",
    rows: [
      { id: 1, item: "NUT", count: 6 },
      { id: 3, item: "GEAR", count: 10 },
    ],
  },
  {
    name: "an update from another table",
    sql: "UPDATE stock SET count = count + d.amount FROM delivery d WHERE d.item = stock.item RETURNING id, count, d.amount",
    rows: [
      { id: 1, count: 15, amount: 10 },
      { id: 3, count: 10, amount: 1 },
    ],
  },
  {
    name: "a row that matches twice is updated once",
    sql: "UPDATE stock SET count = d.amount FROM delivery d WHERE stock.id = 1 RETURNING id, count",
    rows: [{ id: 1, count: 10 }],
  },
  {
    name: "a delete",
    sql: "DELETE FROM stock WHERE count = 0 RETURNING item",
    rows: [{ item: "bolt" }],
    request: { op: "delete", rowIds: [1] },
  },
  {
    name: "a delete using another table",
    sql: "DELETE FROM stock USING delivery d WHERE d.item = stock.item AND d.amount < 5 RETURNING stock.id, d.amount",
    rows: [{ id: 3, amount: 1 }],
    request: { op: "delete", rowIds: [2] },
  },
  {
    name: "a data-modifying CTE",
    sql: "WITH gone AS (DELETE FROM stock WHERE count < 9 RETURNING id, item) SELECT count(*)::int4 AS n, max(item) AS item FROM gone",
    rows: [{ n: 2, item: "nut" }],
  },
  {
    name: "a conflict that updates",
    sql: "INSERT INTO stock VALUES (1, 'nut', 7), (9, 'pin', 1) ON CONFLICT (id) DO UPDATE SET count = stock.count + excluded.count RETURNING id, count",
    rows: [
      { id: 1, count: 12 },
      { id: 9, count: 1 },
    ],
  },
  {
    name: "a conflict that a condition leaves alone",
    sql: "INSERT INTO stock VALUES (1, 'nut', 7), (2, 'bolt', 3) ON CONFLICT (id) DO UPDATE SET count = (SELECT max(amount) FROM delivery) WHERE stock.count = 0 RETURNING id, count",
    rows: [{ id: 2, count: 10 }],
  },
  {
    name: "a conflict that does nothing",
    sql: "INSERT INTO stock VALUES (1, 'nut', 7), (8, 'pin', 3) ON CONFLICT DO NOTHING RETURNING id",
    rows: [{ id: 8 }],
  },
  {
    name: "a merge",
    sql: `MERGE INTO stock s USING delivery d ON s.item = d.item
          WHEN MATCHED AND d.amount < 5 THEN DELETE
          WHEN MATCHED THEN UPDATE SET count = s.count + d.amount
          WHEN NOT MATCHED THEN INSERT (id, item, count) VALUES (100, d.item, d.amount)`,
    rows: [],
    request: {
      op: "merge",
      steps: [
        { action: "update", rowId: 0, targets: [2], values: [15] },
        { action: "delete", rowId: 2 },
        { action: "insert", row: [100, "cog", 7], targets: [0, 1, 2] },
      ],
    },
  },
])("$name", async ({ sql, rows, request }) => {
  const done = await perform(sql);
  expect(done.rows).toEqual(rows);
  expect(done.requests.length).toBe(1);
  if (request !== undefined) expect(done.requests[0]).toEqual(request);
  expect(done.affected).toBe(sql.startsWith("WITH") ? undefined : affectedBy(done.requests[0]));
});

function affectedBy(request: WriteRequest): number {
  switch (request.op) {
    case "insert":
      return answer(insertNode, request).affected;
    case "update":
      return request.changes.length;
    case "delete":
      return request.rowIds.length;
    case "merge":
      return request.steps.length;
  }
}

test("a target row that a merge meets twice is an error", async () => {
  await expect(
    perform("MERGE INTO stock s USING delivery d ON s.id = 1 WHEN MATCHED THEN UPDATE SET count = d.amount"),
  ).rejects.toMatchObject({ code: "21000", message: "MERGE command cannot affect row a second time" });
});

test("where nothing can be written the statement fails", async () => {
  const bound = bindSql("DELETE FROM stock", [stock]);
  await expect(prepare(bound.plan, bound.output).run(environmentOf([stock]))).rejects.toMatchObject({ code: "0A000" });
});
