/**
 * The types whose values are oids of the catalogue: regtype, regclass, regproc. Values are the oid as a number. Types are
 * found by oid or by name, enums by the names that the session's database has; relations and functions have no oids
 * here, so their names are refused.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { compareIntegers, parseOid } from "./integer.js";
import { isMissingType } from "./missing-types.js";
import type { TypeContext, TypeOperations } from "./operations.js";
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

/** Makes a type findable by its oid, which it shares with no other; gives the oid. */
export function rememberType(type: SqlType): number {
  if (!byOid.has(type.oid)) byOid.set(type.oid, type);
  return type.oid;
}

/** Only types of pg_catalog: two databases may have enums of one name. */
function rememberName(type: SqlType): void {
  rememberType(type);
  if (!byName.has(type.display)) byName.set(type.display, type);
  if (!byName.has(type.name)) byName.set(type.name, type);
}

function fill(): void {
  if (byName.size > 0) return;
  for (const type of Object.values(types)) {
    rememberName(type);
    if (type.kind === "base" || type === types.record) rememberName(arrayOf(type));
  }
  byName.set("bool", types.bool);
  for (const [name, type] of Object.entries(otherNames)) byName.set(name, type);
}

/** The type with that oid. */
export function typeWithOid(oid: number): SqlType | undefined {
  fill();
  return byOid.get(oid);
}

/** Oids below this one belong to PostgreSQL's own objects (FirstNormalObjectId). */
const firstUserOid = 16384;

/** A type as regtype and format_type write it. @throws SqlError 0A000 where the oid may be that of a type we have not */
export function typeText(oid: number, unknown: (oid: number) => string, show: (type: SqlType) => string): string {
  const type = typeWithOid(oid);
  if (type !== undefined) return show(type);
  if (oid === 0 || oid >= firstUserOid) return unknown(oid);
  throw new SqlError(sqlstate.featureNotSupported, `the type with oid ${oid} is not supported`);
}

/** A name as it must be written to be found again: `"Mood"`. */
function shownName(type: SqlType): string {
  const named = type.element ?? type;
  const plain = named.kind !== "enum" || /^[a-z_][a-z0-9_$]*$/.test(named.name);
  return plain ? type.display : `"${named.name.replaceAll('"', '""')}"${type === named ? "" : "[]"}`;
}

/**
 * A type by any spelling of its name, with a length or precision (ignored) and `[]`; `undefined` when there is none.
 * @throws SqlError 0A000 for a type that only PostgreSQL has
 */
export function typeBySpelling(text: string, context: Pick<TypeContext, "userType"> = {}): SqlType | undefined {
  fill();
  const written = trimSpace(text);
  let name = written.toLowerCase();
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
  if (type === undefined && (name === "bit varying" || isMissingType(name) || name.startsWith("pg_"))) {
    throw new SqlError(sqlstate.featureNotSupported, `type "${name}" is not supported`);
  }
  const found =
    type ?? userTypeBySpelling(dimensions === 0 ? written : written.slice(0, written.indexOf("[")), context);
  return found === undefined || dimensions === 0 ? found : arrayOf(found);
}

/** `mood`, `public.mood`, `"Mood"`, `_mood`. */
function userTypeBySpelling(text: string, context: Pick<TypeContext, "userType">): SqlType | undefined {
  const parts = identifiersOf(trimSpace(text));
  if (parts === undefined || parts.length > 2 || context.userType === undefined) return undefined;
  const name = parts[parts.length - 1];
  const schema = parts.length === 2 ? parts[0] : undefined;
  const type = context.userType(name, schema);
  if (type !== undefined || !name.startsWith("_")) return type;
  const element = context.userType(name.slice(1), schema);
  return element && arrayOf(element);
}

/** The parts of a qualified name, `Public."My Table"` is `public` and `My Table`; `undefined` when the text is none. */
export function identifiersOf(text: string): string[] | undefined {
  const part = /"((?:[^"]|"")+)"|([^\s".]+)/y;
  const parts: string[] = [];
  for (let start = 0; ; start++) {
    part.lastIndex = start;
    const match = part.exec(text);
    if (match === null) return undefined;
    parts.push(match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2].toLowerCase());
    start = part.lastIndex;
    if (start === text.length) return parts;
    if (text[start] !== ".") return undefined;
  }
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

/** @throws SqlError 42704, 0A000 */
function parseRegtype(text: string, context: TypeContext): number {
  return oidFrom(text, (name) => {
    const type = typeBySpelling(name, context);
    if (type === undefined) throw new SqlError(sqlstate.undefinedObject, `type "${name}" does not exist`);
    return rememberType(type);
  });
}

/** @throws SqlError 42P01, 3F000 or 42602 for a name of nothing, 0A000 for all other names */
export function parseRegclass(text: string, context: TypeContext): number {
  return oidFrom(text, () => {
    checkRelationName(text, context);
    throw new SqlError(sqlstate.featureNotSupported, "looking up a relation by name with regclass is not supported", {
      hint: `SELECT * FROM information_schema.tables WHERE table_name = '${text.replaceAll("'", "''")}' describes a table.`,
    });
  });
}

/** A relation that only PostgreSQL's catalogue has counts as one that is there. */
function checkRelationName(text: string, context: TypeContext): void {
  const parts = identifiersOf(trimSpace(text));
  if (parts === undefined) throw new SqlError(sqlstate.invalidName, "invalid name syntax");
  if (parts.length > 3) {
    const name = parts.join(".");
    throw new SqlError(sqlstate.syntaxError, `improper relation name (too many dotted names): ${name}`);
  }
  if (parts.length === 3) return;
  const name = parts[parts.length - 1];
  const schema = parts.length === 2 ? parts[0] : undefined;
  if (schema === "pg_catalog" || schema === "information_schema" || name.startsWith("pg_")) return;
  const found = context.relation?.(name, schema);
  if (found === "no schema") throw new SqlError(sqlstate.invalidSchemaName, `schema "${schema}" does not exist`);
  if (found === "no relation") {
    throw new SqlError(sqlstate.undefinedTable, `relation "${parts.join(".")}" does not exist`);
  }
}

function parseRegproc(text: string): number {
  return oidFrom(text, () => {
    throw new SqlError(sqlstate.featureNotSupported, "looking up a function by name with regproc is not supported");
  });
}

function oidText(oid: number): string {
  return oid === 0 ? "-" : String(oid);
}

function catalogOperations(
  parse: (text: string, context: TypeContext) => number,
  print: (oid: number) => string,
): TypeOperations {
  return {
    input: (text, _, context) => parse(text, context),
    output: (value) => print(value as number),
    compare: (a, b) => compareIntegers(a as number, b as number),
    fromHost: (value) => (Number.isInteger(value) && (value as number) >= 0 ? value : undefined),
    toHost: (value) => print(value as number),
  };
}

export const regtypeOperations: TypeOperations = catalogOperations(parseRegtype, (oid) =>
  typeText(oid, oidText, shownName),
);
export const regclassOperations: TypeOperations = catalogOperations(parseRegclass, oidText);
export const regprocOperations: TypeOperations = catalogOperations(parseRegproc, oidText);
