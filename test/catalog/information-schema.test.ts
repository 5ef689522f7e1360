/** What `information_schema` says of columns: spellings, lengths and precisions as PostgreSQL 15 has them. */
import { expect, test } from "vitest";
import { Catalog } from "../../src/catalog/catalog.js";
import { columnsRows } from "../../src/catalog/information-schema.js";
import { MemoryBackend } from "../../src/sql.js";
import { enumType } from "../../src/types/type.js";

/** The description of the one column of a table. */
async function columnOf(type: string): Promise<Record<string, unknown>> {
  const backend = await MemoryBackend.create();
  await backend.exec(`CREATE TABLE t (a ${type})`);
  const { rows } = await backend.query(
    `SELECT data_type, udt_name, character_maximum_length AS length, numeric_precision AS precision,
            numeric_precision_radix AS radix, numeric_scale AS scale, datetime_precision AS datetime
     FROM information_schema.columns WHERE table_name = 't'`,
  );
  await backend.close();
  return rows[0] as Record<string, unknown>;
}

const none = { length: null, precision: null, radix: null, scale: null, datetime: null };

test.each([
  {
    type: "int",
    column: { ...none, data_type: "integer", udt_name: "int4", precision: 32, radix: 2, scale: 0 },
  },
  { type: "real", column: { ...none, data_type: "real", udt_name: "float4", precision: 24, radix: 2 } },
  {
    type: "numeric(8,2)",
    column: { ...none, data_type: "numeric", udt_name: "numeric", precision: 8, radix: 10, scale: 2 },
  },
  { type: "varchar(7)", column: { ...none, data_type: "character varying", udt_name: "varchar", length: 7 } },
  { type: "interval", column: { ...none, data_type: "interval", udt_name: "interval", datetime: 6 } },
  {
    type: "timestamp(3)",
    column: { ...none, data_type: "timestamp without time zone", udt_name: "timestamp", datetime: 3 },
  },
  { type: "int[]", column: { ...none, data_type: "ARRAY", udt_name: "_int4" } },
])("$type", async ({ type, column }) => expect(await columnOf(type)).toEqual(column));

test("an enum named as a property that every object has is no number", () => {
  const catalog = new Catalog();
  const column = { name: "a", type: enumType("constructor", ["x"]), typmod: -1, nullable: true, pushable: false };
  const facts = { schema: "public", name: "t", description: "", verbs: ["select"], volatility: "volatile" } as const;
  catalog.add({ kind: "stored", ...facts, primaryKey: [], columns: [column] });
  expect(columnsRows(catalog)).toMatchObject([
    { udt_name: "constructor", numeric_precision: null, numeric_precision_radix: null, numeric_scale: null },
  ]);
});
