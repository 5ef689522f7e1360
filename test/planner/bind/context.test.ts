/** What the binder is told from outside: parameters, declared labels, verbs, and what its columns say. */
import { describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { parse } from "../../../src/grammar/parse.js";
import { bind } from "../../../src/planner/bind/bind.js";
import { type SqlType, types } from "../../../src/types/type.js";
import { fakeCatalog } from "../../support/fake-catalog.js";

const catalog = fakeCatalog(
  [
    "CREATE TABLE issue (id integer PRIMARY KEY, urgency text NOT NULL, title text, weight numeric(5,2))",
    "CREATE TABLE sent (id integer PRIMARY KEY, body text)",
    "CREATE TABLE nothing (id integer)",
  ],
  {
    labels: { "issue.urgency": ["low", "high"] },
    verbs: { sent: ["select", "insert"], nothing: [] },
  },
);

function bound(sql: string, parameterTypes?: readonly (SqlType | undefined)[]) {
  return bind(parse(sql)[0], catalog, { parameterTypes });
}

function failure(sql: string, parameterTypes?: readonly SqlType[]): SqlError {
  try {
    bound(sql, parameterTypes);
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  throw new Error(`bound without an error: ${sql}`);
}

describe("parameters take their type from the place they stand in", () => {
  test.each([
    { sql: "SELECT * FROM issue WHERE id = $1", parameters: ["int4"] },
    { sql: "SELECT * FROM issue WHERE title LIKE $1 AND weight > $2", parameters: ["text", "numeric"] },
    { sql: "SELECT $1", parameters: ["text"] },
    { sql: "SELECT $2::date, $1 + 1", parameters: ["int4", "date"] },
    { sql: "SELECT * FROM issue WHERE id = ANY ($1)", parameters: ["_int4"] },
    { sql: "SELECT * FROM issue WHERE id IN ($1, $2)", parameters: ["int4", "int4"] },
    { sql: "INSERT INTO issue (id, urgency, weight) VALUES ($1, $2, $3)", parameters: ["int4", "text", "numeric"] },
    { sql: "UPDATE issue SET title = $1 WHERE id = $2", parameters: ["text", "int4"] },
    { sql: "SELECT id FROM issue LIMIT $1", parameters: ["int8"] },
    { sql: "SELECT COALESCE(title, $1) FROM issue", parameters: ["text"] },
  ])("$sql", ({ sql, parameters }) => {
    expect(bound(sql).parameters.map((parameter) => parameter.type.name)).toEqual(parameters);
  });

  test("a known type is kept", () => {
    expect(bound("SELECT $1 + 1", [types.int8]).parameters[0].type).toBe(types.int8);
  });

  test.each([
    { sql: "SELECT $1 IS NULL", code: "42P18", message: "could not determine data type of parameter $1", position: 8 },
    { sql: "SELECT $2::int", code: "42P18", message: "could not determine data type of parameter $1" },
    {
      sql: "SELECT id = $1, title = $1 FROM issue",
      code: "42883",
      message: "operator does not exist: text = integer",
      position: 23,
    },
  ])("$sql fails", ({ sql, ...expected }) => {
    const { code, message, position } = failure(sql);
    expect({ code, message, ...(position !== undefined && { position }) }).toEqual(expected);
  });
});

describe("declared labels", () => {
  test.each([
    { sql: "SELECT * FROM issue WHERE urgency = 'HIGH'", position: 37 },
    { sql: "SELECT * FROM issue WHERE 'HIGH' <> urgency", position: 27 },
    { sql: "SELECT * FROM issue WHERE urgency IN ('low', 'HIGH')", position: 46 },
    { sql: "SELECT * FROM issue WHERE urgency NOT IN ('HIGH')", position: 43 },
    { sql: "SELECT * FROM issue WHERE urgency = ANY (ARRAY['low', 'HIGH'])", position: 55 },
    { sql: "SELECT * FROM issue WHERE urgency = ANY ('{HIGH}')", position: 42 },
    { sql: "SELECT CASE urgency WHEN 'HIGH' THEN 1 END FROM issue", position: 26 },
    { sql: "SELECT * FROM (SELECT urgency AS u FROM issue) s WHERE u = 'HIGH'", position: 60, column: "u" },
    { sql: "SELECT urgency FROM issue GROUP BY urgency HAVING urgency = 'HIGH'", position: 61 },
    { sql: "UPDATE issue SET urgency = 'HIGH'", position: 28 },
    { sql: "INSERT INTO issue (id, urgency) VALUES (1, 'HIGH')", position: 44 },
    { sql: "INSERT INTO issue (id, urgency) SELECT 1, 'HIGH'", position: 43 },
  ])("$sql", ({ sql, position, column = "urgency" }) => {
    const error = failure(sql);
    expect(error.code).toBe("22P02");
    expect(error.message).toBe(`invalid label "HIGH" for column "${column}"`);
    expect(error.detail).toBe(`The labels of "${column}" are: 'low', 'high'.`);
    expect(error.position).toBe(position);
  });

  test("the hint names the nearest label, and the way to compare with others", () => {
    expect(failure("SELECT * FROM issue WHERE urgency = 'HIGH'").hint).toBe(
      "Perhaps you meant 'high'. To compare with a value outside the declared labels, write urgency::text = 'HIGH'.",
    );
  });

  test.each([
    "SELECT * FROM issue WHERE urgency::text = 'HIGH'",
    "SELECT * FROM issue WHERE lower(urgency) = 'x'",
    "SELECT * FROM issue WHERE urgency LIKE 'HIGH%'",
    "SELECT * FROM issue WHERE urgency = 'high'",
    "SELECT NULLIF(urgency, '') FROM issue",
    "SELECT * FROM issue WHERE urgency > 'HIGH'",
    "SELECT * FROM issue WHERE urgency = title",
  ])("%s is fine", (sql) => {
    expect(bound(sql).output.length).toBeGreaterThan(0);
  });
});

describe("verbs that a table lacks", () => {
  test.each([
    { sql: "UPDATE sent SET body = 'x'", verb: "UPDATE", position: 8 },
    { sql: "DELETE FROM sent", verb: "DELETE", position: 13 },
    {
      sql: "INSERT INTO sent VALUES (1) ON CONFLICT (id) DO UPDATE SET body = 'x'",
      verb: "UPDATE",
      position: 29,
    },
    { sql: "MERGE INTO sent USING issue ON true WHEN MATCHED THEN DELETE", verb: "DELETE", position: 12 },
  ])("$sql", ({ sql, verb, position }) => {
    expect(failure(sql)).toMatchObject({
      code: "55000",
      message: `table "sent" cannot be written with ${verb}`,
      hint: "It takes: SELECT, INSERT.",
      position,
    });
  });

  test("a table without SELECT is not read", () => {
    expect(failure("SELECT * FROM nothing")).toMatchObject({
      code: "55000",
      message: 'table "nothing" cannot be read with SELECT',
    });
  });
});

describe("columns of the result", () => {
  test("say where they come from, whether they can be NULL, and their labels", () => {
    const { output } = bound(
      "SELECT i.urgency AS u, j.id, i.id + 1 AS n FROM issue i LEFT JOIN issue j ON i.id = j.id",
    );
    expect(output.map(({ name, nullable, labels, origin }) => ({ name, nullable, labels, origin }))).toEqual([
      {
        name: "u",
        nullable: false,
        labels: ["low", "high"],
        origin: { table: "issue", column: "urgency", alias: "i" },
      },
      { name: "id", nullable: true, labels: undefined, origin: { table: "issue", column: "id", alias: "j" } },
      { name: "n", nullable: true, labels: undefined, origin: undefined },
    ]);
  });

  test.each([
    { sql: "SELECT weight, COALESCE(weight, weight), weight + 1 FROM issue", typmods: [327686, 327686, -1] },
    { sql: "SELECT weight FROM issue UNION ALL SELECT weight FROM issue", typmods: [327686] },
    { sql: "SELECT 'a'::varchar(3), 1.5::numeric(5,2), '1 day'::interval day", typmods: [7, 327686, 589823] },
  ])("keep their modifiers: $sql", ({ sql, typmods }) => {
    expect(bound(sql).output.map((column) => column.typmod)).toEqual(typmods);
  });
});

test.each([
  { sql: "SELECT 1 FOR UPDATE", message: "FOR UPDATE is not supported" },
  { sql: "SELECT * FROM issue TABLESAMPLE SYSTEM (10)", message: "TABLESAMPLE is not supported" },
  { sql: 'SELECT title COLLATE "en_US" FROM issue', message: 'collation "en_US" is not supported' },
  { sql: "SELECT ctid FROM issue", message: 'system column "ctid" is not supported' },
  { sql: "SELECT '1'::money", message: 'type "money" is not supported' },
  { sql: "SELECT B'101'", message: "bit strings are not supported" },
])("$sql is refused by name", ({ sql, message }) => {
  expect(failure(sql)).toMatchObject({ code: "0A000", message });
});
