/** Session and catalogue information (PostgreSQL 15, 9.26, 9.27): what has an answer here. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { rememberType, typeBySpelling, typeText } from "../types/catalog-types.js";
import { displayType, type SqlType, type TypeName } from "../types/type.js";
import type { CallSite, ScalarFunction, SessionContext, Volatility } from "./function.js";

/** The version whose behaviour is followed, in PostgreSQL's form. */
export const serverVersion = "15.0";
export const versionText = `PostgreSQL ${serverVersion} (glove-scratchpad)`;

type SessionCall = (session: SessionContext, ...args: never[]) => unknown;

function session(
  name: string,
  args: readonly TypeName[],
  returns: TypeName,
  call: SessionCall,
  volatility: Volatility = "stable",
): ScalarFunction {
  return {
    kind: "scalar",
    name,
    args,
    returns,
    volatility,
    strict: true,
    specialize:
      (site) =>
      (...values: never[]) =>
        call(site.session, ...values),
  };
}

/** Settings that are the same for every session. */
const fixedSettings: Readonly<Record<string, string>> = {
  server_version: serverVersion,
  server_version_num: "150000",
  server_encoding: "UTF8",
  client_encoding: "UTF8",
  standard_conforming_strings: "on",
  integer_datetimes: "on",
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  lc_collate: "C",
  lc_ctype: "C",
  extra_float_digits: "1",
  bytea_output: "hex",
  search_path: '"$user", public',
  transaction_isolation: "read committed",
};

function settingOf(context: SessionContext, name: string): string | undefined {
  const known = context.setting(name);
  if (known !== undefined) return known;
  const folded = name.toLowerCase();
  if (folded === "timezone") return context.timeZone;
  return Object.hasOwn(fixedSettings, folded) ? fixedSettings[folded] : undefined;
}

function currentSetting(context: SessionContext, name: string, missingOk = false): string | null {
  const value = settingOf(context, name);
  if (value !== undefined) return value;
  if (missingOk) return null;
  throw new SqlError(sqlstate.undefinedObject, `unrecognized configuration parameter "${name}"`);
}

function typeOfArgument({ argTypes }: CallSite) {
  const oid = rememberType(argTypes[0]);
  return () => oid;
}

function formatType(oid: number | null, typmod: number | null): string | null {
  if (oid === null) return null;
  if (oid === 0) return "-";
  return typeText(
    oid,
    () => "???",
    (type) => displayType(type, typmod ?? -1),
  );
}

function typeOidOrNull(context: SessionContext, name: string): number | null {
  const type: SqlType | undefined = typeBySpelling(name, context);
  return type === undefined ? null : rememberType(type);
}

export const systemFunctions: readonly ScalarFunction[] = [
  {
    kind: "scalar",
    name: "pg_typeof",
    args: ["any"],
    returns: "regtype",
    volatility: "stable",
    strict: false,
    specialize: typeOfArgument,
  },
  {
    kind: "scalar",
    name: "format_type",
    args: ["oid", "int4"],
    returns: "text",
    volatility: "stable",
    strict: false,
    call: formatType,
  },
  session("to_regtype", ["text"], "regtype", typeOidOrNull),
  session("version", [], "text", () => versionText),
  session("current_database", [], "name", ({ database }) => database),
  session("current_catalog", [], "name", ({ database }) => database),
  session("current_schema", [], "name", () => "public"),
  session("current_schemas", ["bool"], "name[]", (_, implicit: boolean) =>
    implicit ? ["pg_catalog", "public"] : ["public"],
  ),
  session("current_user", [], "name", ({ user }) => user),
  session("session_user", [], "name", ({ user }) => user),
  session("user", [], "name", ({ user }) => user),
  // Not PostgreSQL's: who asks, for row filters of a policy; NULL where nobody is named.
  session("current_actor", [], "text", ({ actor }) => actor ?? null),
  session("current_setting", ["text"], "text", (context, name: string) => currentSetting(context, name)),
  session("current_setting", ["text", "bool"], "text", (context, name: string, missingOk: boolean) =>
    currentSetting(context, name, missingOk),
  ),
  session("pg_client_encoding", [], "name", () => "UTF8"),
  session("getdatabaseencoding", [], "name", () => "UTF8"),
  session("pg_is_in_recovery", [], "bool", () => false, "volatile"),
];
