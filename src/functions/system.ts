/** Session and catalogue information (PostgreSQL 15, 9.26, 9.27): what has an answer here, and what is refused by name. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { rememberType, typeBySpelling, typeWithOid } from "../types/catalog-types.js";
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

/** A function of PostgreSQL that has no meaning here; it is known, so that the message can say so. */
function refused(name: string, args: readonly TypeName[], returns: TypeName, hint?: string): ScalarFunction {
  return {
    kind: "scalar",
    name,
    args,
    returns,
    volatility: "stable",
    strict: false,
    specialize: () => {
      throw new SqlError(sqlstate.featureNotSupported, `function ${name}() is not supported`, { hint });
    },
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
  const type = typeWithOid(oid);
  return type === undefined ? "???" : displayType(type, typmod ?? -1);
}

function typeOidOrNull(name: string): number | null {
  const type: SqlType | undefined = typeBySpelling(name);
  return type === undefined ? null : rememberType(type);
}

const informationSchema =
  "Query information_schema.tables and information_schema.columns, which have a column description.";
const privileges = "Which tables can be read and written is told by information_schema.tables.";

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
  session("to_regtype", ["text"], "regtype", (_, name: string) => typeOidOrNull(name)),
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
  session("current_setting", ["text"], "text", (context, name: string) => currentSetting(context, name)),
  session("current_setting", ["text", "bool"], "text", (context, name: string, missingOk: boolean) =>
    currentSetting(context, name, missingOk),
  ),
  session("pg_client_encoding", [], "name", () => "UTF8"),
  session("getdatabaseencoding", [], "name", () => "UTF8"),
  session("pg_is_in_recovery", [], "bool", () => false, "volatile"),
  refused("set_config", ["text", "text", "bool"], "text", "Settings of the session are changed with SET name = value."),
  refused("txid_current", [], "int8"),
  refused("txid_current_if_assigned", [], "int8"),
  refused("pg_backend_pid", [], "int4"),
  refused("pg_sleep", ["float8"], "void"),
  refused("pg_column_size", ["any"], "int4", "octet_length(value::text) counts the bytes of a value's text."),
  refused("pg_relation_size", ["regclass"], "int8"),
  refused("pg_total_relation_size", ["regclass"], "int8"),
  refused("pg_postmaster_start_time", [], "timestamptz"),
  refused("obj_description", ["oid", "name"], "text", informationSchema),
  refused("obj_description", ["oid"], "text", informationSchema),
  refused("shobj_description", ["oid", "name"], "text", informationSchema),
  refused("col_description", ["oid", "int4"], "text", informationSchema),
  refused("to_regclass", ["text"], "regclass", informationSchema),
  refused("pg_table_is_visible", ["oid"], "bool", informationSchema),
  refused("pg_get_userbyid", ["oid"], "name"),
  refused("has_table_privilege", ["text", "text"], "bool", privileges),
  refused("has_table_privilege", ["name", "text", "text"], "bool", privileges),
  refused("has_column_privilege", ["text", "text", "text"], "bool", privileges),
  refused("has_column_privilege", ["name", "text", "text", "text"], "bool", privileges),
  refused("has_schema_privilege", ["text", "text"], "bool", privileges),
  refused("has_schema_privilege", ["name", "text", "text"], "bool", privileges),
  refused("has_database_privilege", ["text", "text"], "bool", privileges),
  refused("has_database_privilege", ["name", "text", "text"], "bool", privileges),
  refused("has_function_privilege", ["text", "text"], "bool", privileges),
  refused("has_any_column_privilege", ["text", "text"], "bool", privileges),
];
