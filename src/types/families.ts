/** Finds what can be done with the values of a type: the table of base types, and the entries made for arrays, enums and rows. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { arrayOperations } from "./array.js";
import { booleanOperations } from "./boolean.js";
import { byteaOperations } from "./bytea.js";
import { regclassOperations, regprocOperations, regtypeOperations } from "./catalog-types.js";
import { dateOperations } from "./datetime/date.js";
import { intervalOperations } from "./datetime/interval.js";
import { timeOperations, timetzOperations } from "./datetime/time.js";
import { timestampOperations, timestamptzOperations } from "./datetime/timestamp.js";
import { enumOperations } from "./enum.js";
import { float4Operations, float8Operations } from "./float.js";
import { int2Operations, int4Operations, int8Operations, oidOperations } from "./integer.js";
import { jsonOperations } from "./json/json.js";
import { jsonbOperations } from "./json/jsonb.js";
import { jsonpathOperations } from "./json/jsonpath.js";
import { numericOperations } from "./numeric-operations.js";
import type { TypeOperations } from "./operations.js";
import { recordOperations } from "./record.js";
import {
  bpcharOperations,
  charOperations,
  citextOperations,
  nameOperations,
  textOperations,
  varcharOperations,
} from "./text.js";
import { type SqlType, types } from "./type.js";
import { uuidOperations } from "./uuid.js";

/** An untyped literal is its text; `void` is written as nothing. */
const unknownOperations: TypeOperations = { ...textOperations, compare: undefined };
const voidOperations: TypeOperations = {
  ...textOperations,
  compare: undefined,
  output: () => "",
  fromHost: () => undefined,
  toHost: () => "",
};

let found: Map<SqlType, TypeOperations> | undefined;

/** Made on first use, not when modules are loaded: the families refer to each other through this file. */
function baseOperations(): Map<SqlType, TypeOperations> {
  return new Map<SqlType, TypeOperations>([
    [types.bool, booleanOperations],
    [types.bytea, byteaOperations],
    [types.char, charOperations],
    [types.name, nameOperations],
    [types.int8, int8Operations],
    [types.int2, int2Operations],
    [types.int4, int4Operations],
    [types.regproc, regprocOperations],
    [types.text, textOperations],
    [types.oid, oidOperations],
    [types.json, jsonOperations],
    [types.float4, float4Operations],
    [types.float8, float8Operations],
    [types.unknown, unknownOperations],
    [types.bpchar, bpcharOperations],
    [types.varchar, varcharOperations],
    [types.date, dateOperations],
    [types.time, timeOperations],
    [types.timestamp, timestampOperations],
    [types.timestamptz, timestamptzOperations],
    [types.interval, intervalOperations],
    [types.timetz, timetzOperations],
    [types.numeric, numericOperations],
    [types.uuid, uuidOperations],
    [types.jsonb, jsonbOperations],
    [types.jsonpath, jsonpathOperations],
    [types.citext, citextOperations],
    [types.regclass, regclassOperations],
    [types.regtype, regtypeOperations],
    [types.void, voidOperations],
  ]);
}

const madeForType = new WeakMap<SqlType, TypeOperations>();

/** The operations of a type. @throws SqlError 0A000 for pseudo-types, which have no values */
export function operationsOf(type: SqlType): TypeOperations {
  found ??= baseOperations();
  const known = found.get(type) ?? madeForType.get(type);
  if (known !== undefined) return known;
  const made = makeOperations(type);
  madeForType.set(type, made);
  return made;
}

function makeOperations(type: SqlType): TypeOperations {
  switch (type.kind) {
    case "array":
      return arrayOperations(type.element as SqlType);
    case "enum":
      return enumOperations(type);
    case "record":
      return recordOperations(type);
    default:
      throw new SqlError(sqlstate.featureNotSupported, `values of type ${type.display} are not supported`);
  }
}

/** Whether values of the type have an order (btree operators), including what arrays and rows are made of. */
export function isOrdered(type: SqlType): boolean {
  if (type.kind === "array") return isOrdered(type.element as SqlType);
  if (type.kind === "record") return (type.fields ?? []).every((field) => isOrdered(field.type));
  return type.kind !== "pseudo" && operationsOf(type).compare !== undefined;
}
