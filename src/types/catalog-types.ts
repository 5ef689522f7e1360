/**
 * The types whose values are oids of the catalogue: regtype, regclass, regproc. Values are the oid as a number. Types are
 * found by oid or by name; relations and functions have no oids here, so their names are refused.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { compareIntegers, parseOid } from "./integer.js";
import type { TypeOperations } from "./operations.js";
import { isDigit, trimSpace } from "./scan.js";
import { arrayOf, type SqlType, types } from "./type.js";

const byOid = new Map<number, SqlType>();
const byName = new Map<string, SqlType>();

/** Spellings that are neither the catalogue's name of a type nor the one it is displayed with. */
const otherNames: Readonly<Record<string, SqlType>> = {
  int: types.int4,
  decimal: types.numeric,
  dec: types.numeric,
  float: types.float8,
  "char varying": types.varchar,
  char: types.bpchar,
  "time with time zone": types.timetz,
  "timestamp with time zone": types.timestamptz,
};

/** Makes a type findable by its oid and name; user types are made known when a value of regtype first names them. */
export function rememberType(type: SqlType): number {
  if (!byOid.has(type.oid)) {
    byOid.set(type.oid, type);
    if (!byName.has(type.display)) byName.set(type.display, type);
    if (!byName.has(type.name)) byName.set(type.name, type);
  }
  return type.oid;
}

function fill(): void {
  if (byOid.size > 0 && byName.has("integer")) return;
  for (const type of Object.values(types)) {
    rememberType(type);
    if (type.kind === "base" || type === types.record) rememberType(arrayOf(type));
  }
  byName.set("bool", types.bool);
  for (const [name, type] of Object.entries(otherNames)) byName.set(name, type);
}

/** The type with that oid. */
export function typeWithOid(oid: number): SqlType | undefined {
  fill();
  return byOid.get(oid);
}

/** A type by any spelling of its name, with a length or precision (ignored) and `[]`. */
export function typeBySpelling(text: string): SqlType | undefined {
  fill();
  let name = trimSpace(text).toLowerCase();
  let dimensions = 0;
  while (name.endsWith("[]")) {
    name = trimSpace(name.slice(0, -2));
    dimensions++;
  }
  const open = name.indexOf("(");
  const close = name.indexOf(")", open);
  const modifier = open < 0 || close < 0 ? "" : name.slice(open + 1, close);
  if (open >= 0 && close >= 0) name = trimSpace(name.slice(0, open)) + name.slice(close + 1);
  name = name.split(" ").filter(Boolean).join(" ");
  if (name.startsWith("pg_catalog.")) name = name.slice("pg_catalog.".length);
  const type = name === "float" && modifier !== "" && Number(modifier) <= 24 ? types.float4 : byName.get(name);
  return type === undefined || dimensions === 0 ? type : arrayOf(type);
}

function isOidText(text: string): boolean {
  const trimmed = trimSpace(text);
  if (trimmed === "") return false;
  for (let i = 0; i < trimmed.length; i++) if (!isDigit(trimmed.charCodeAt(i))) return false;
  return true;
}

/** The oid that the text of a regtype, regclass or regproc stands for. `-` is none. */
function oidFrom(text: string, named: (name: string) => number): number {
  if (trimSpace(text) === "-") return 0;
  return isOidText(text) ? parseOid(text) : named(text);
}

function typeOid(name: string): number {
  const type = typeBySpelling(name);
  if (type === undefined) throw new SqlError(sqlstate.undefinedObject, `type "${name}" does not exist`);
  return type.oid;
}

/** @throws SqlError 42704 */
export function parseRegtype(text: string): number {
  return oidFrom(text, typeOid);
}

/** @throws SqlError 0A000 for names */
export function parseRegclass(text: string): number {
  return oidFrom(text, () => {
    throw new SqlError(sqlstate.featureNotSupported, "looking up a relation by name with regclass is not supported", {
      hint: `SELECT * FROM information_schema.tables WHERE table_name = '${text.replaceAll("'", "''")}' describes a table.`,
    });
  });
}

function parseRegproc(text: string): number {
  return oidFrom(text, () => {
    throw new SqlError(sqlstate.featureNotSupported, "looking up a function by name with regproc is not supported");
  });
}

function oidText(oid: number): string {
  return oid === 0 ? "-" : String(oid);
}

function catalogOperations(parse: (text: string) => number, print: (oid: number) => string): TypeOperations {
  return {
    input: (text) => parse(text),
    output: (value) => print(value as number),
    compare: (a, b) => compareIntegers(a as number, b as number),
    fromHost: (value) => (Number.isInteger(value) && (value as number) >= 0 ? value : undefined),
    toHost: (value) => print(value as number),
  };
}

export const regtypeOperations: TypeOperations = catalogOperations(
  parseRegtype,
  (oid) => typeWithOid(oid)?.display ?? oidText(oid),
);
export const regclassOperations: TypeOperations = catalogOperations(parseRegclass, oidText);
export const regprocOperations: TypeOperations = catalogOperations(parseRegproc, oidText);
