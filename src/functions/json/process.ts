/** Functions over one json or jsonb value that give one value: length, kind, changes, printing (PostgreSQL 15, table 9.49). */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { fromTop, isScalar, kindOf, toTop } from "../../types/json/item.js";
import { type JsonNode, jsonTree } from "../../types/json/json.js";
import { prettyText, quoteJson } from "../../types/json/write.js";
import { JsonText, jsonNull, type Value } from "../../types/value.js";
import type { ScalarFunction } from "../function.js";
import { deleteIndex, deleteKey, deleteKeys, deletePath, insertPath, setPath, stripNulls } from "./modify.js";
import { checkPath } from "./operators.js";

function invalidParameter(message: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, message);
}

function arrayLength(kind: string, length: number): number {
  if (kind === "array") return length;
  throw invalidParameter(`cannot get array length of a ${kind === "object" ? "non-array" : "scalar"}`);
}

/** json without the fields that are null, white space dropped. */
function stripNode(json: JsonText, node: JsonNode): string {
  switch (node.kind) {
    case "object": {
      const parts: string[] = [];
      node.values.forEach((value, i) => {
        if (value.kind !== "null") parts.push(`${quoteJson(node.keys[i])}:${stripNode(json, value)}`);
      });
      return `{${parts.join()}}`;
    }
    case "array":
      return `[${node.items.map((item) => stripNode(json, item)).join()}]`;
    case "string":
      return quoteJson(node.value);
    default:
      return json.text.slice(node.start, node.end);
  }
}

const treatments = ["raise_exception", "use_json_null", "delete_key", "return_target"];

function setLax(
  value: Value,
  path: Value[] | null,
  replacement: Value,
  create: boolean | null,
  treatment: string | null,
): Value {
  if (value === null || path === null || create === null) return null;
  if (treatment === null || (replacement === null && !treatments.includes(treatment))) {
    throw invalidParameter(
      'null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"',
    );
  }
  if (replacement !== null) return setPath(value, checkPath(path), replacement, create);
  switch (treatment) {
    case "raise_exception":
      throw new SqlError(sqlstate.nullValueNotAllowed, "JSON value must not be null", {
        detail: 'Exception was raised because null_value_treatment is "raise_exception".',
        hint: "To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.",
      });
    case "use_json_null":
      return setPath(value, checkPath(path), jsonNull, create);
    case "delete_key":
      return deletePath(value, checkPath(path));
    default:
      return value;
  }
}

const scalar = { kind: "scalar", volatility: "immutable", strict: true } as const;

export const jsonProcessors: readonly ScalarFunction[] = [
  {
    ...scalar,
    name: "json_array_length",
    args: ["json"],
    returns: "int4",
    call: (json: JsonText) => {
      const node = jsonTree(json);
      return arrayLength(node.kind, node.kind === "array" ? node.items.length : 0);
    },
  },
  {
    ...scalar,
    name: "jsonb_array_length",
    args: ["jsonb"],
    returns: "int4",
    call: (value: Value) => {
      const item = fromTop(value);
      return arrayLength(kindOf(item), Array.isArray(item) ? item.length : 0);
    },
  },
  { ...scalar, name: "json_typeof", args: ["json"], returns: "text", call: (json: JsonText) => jsonTree(json).kind },
  { ...scalar, name: "jsonb_typeof", args: ["jsonb"], returns: "text", call: (value: Value) => kindOf(fromTop(value)) },
  {
    ...scalar,
    name: "json_strip_nulls",
    args: ["json"],
    returns: "json",
    call: (json: JsonText) => new JsonText(stripNode(json, jsonTree(json))),
  },
  {
    ...scalar,
    name: "jsonb_strip_nulls",
    args: ["jsonb"],
    returns: "jsonb",
    call: (value: Value) => (isScalar(fromTop(value)) ? value : toTop(stripNulls(fromTop(value)))),
  },
  {
    ...scalar,
    name: "jsonb_pretty",
    args: ["jsonb"],
    returns: "text",
    call: (value: Value) => prettyText(fromTop(value)),
  },
  {
    ...scalar,
    name: "jsonb_set",
    args: ["jsonb", "text[]", "jsonb", "bool"],
    argNames: ["jsonb_in", "path", "replacement", "create_if_missing"],
    defaults: [true],
    returns: "jsonb",
    call: (value: Value, path: Value[], replacement: Value, create: boolean) =>
      setPath(value, checkPath(path), replacement, create),
  },
  {
    ...scalar,
    strict: false,
    name: "jsonb_set_lax",
    args: ["jsonb", "text[]", "jsonb", "bool", "text"],
    argNames: ["jsonb_in", "path", "replacement", "create_if_missing", "null_value_treatment"],
    defaults: [true, "use_json_null"],
    returns: "jsonb",
    call: setLax,
  },
  {
    ...scalar,
    name: "jsonb_insert",
    args: ["jsonb", "text[]", "jsonb", "bool"],
    argNames: ["jsonb_in", "path", "replacement", "insert_after"],
    defaults: [false],
    returns: "jsonb",
    call: (value: Value, path: Value[], inserted: Value, after: boolean) =>
      insertPath(value, checkPath(path), inserted, after),
  },
  { ...scalar, name: "jsonb_delete", args: ["jsonb", "text"], returns: "jsonb", call: deleteKey },
  { ...scalar, name: "jsonb_delete", args: ["jsonb", "int4"], returns: "jsonb", call: deleteIndex },
  {
    ...scalar,
    name: "jsonb_delete",
    args: ["jsonb", "text[]"],
    returns: "jsonb",
    call: (value: Value, keys: Value[]) => deleteKeys(value, checkPath(keys)),
  },
  {
    ...scalar,
    name: "jsonb_delete_path",
    args: ["jsonb", "text[]"],
    returns: "jsonb",
    call: (value: Value, path: Value[]) => deletePath(value, checkPath(path)),
  },
];
