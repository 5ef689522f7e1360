/** json_agg, jsonb_agg, json_object_agg, jsonb_object_agg. Source: PostgreSQL 15, 9.21, and its output's white space. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type JsonObject, newObject, setField } from "../../types/json/item.js";
import { quoteJson } from "../../types/json/write.js";
import type { SqlType } from "../../types/type.js";
import { JsonText, type Value } from "../../types/value.js";
import type { Accumulator, AggregateFunction, CallSite, SessionContext } from "../function.js";
import { toJsonb, toJsonText } from "../json/build.js";
import { castToText } from "../strings/define.js";

/** Rows and arrays stand on lines of their own. */
function jsonArray({ argTypes, session }: CallSite): Accumulator<string> {
  const structured = argTypes[0].kind === "array" || argTypes[0].kind === "record";
  return {
    init: () => "",
    step(text, value) {
      const item = toJsonText(value, argTypes[0], session);
      if (text === "") return `[${item}`;
      return `${text}, ${structured && value !== null ? "\n " : ""}${item}`;
    },
    final: (text) => (text === "" ? null : new JsonText(`${text}]`)),
  };
}

function jsonbArray({ argTypes, session }: CallSite): Accumulator<Value[]> {
  return {
    init: () => [],
    step(items, value) {
      items.push(toJsonb(value, argTypes[0], session));
      return items;
    },
    final: (items) => (items.length === 0 ? null : items.slice()),
  };
}

/** Text of an object's key. @throws SqlError 22023 for NULL, and when first met for types that cannot be keys */
function keyText(type: SqlType, session: SessionContext): (key: Value) => string {
  const scalar = type.kind !== "array" && type.kind !== "record" && type.name !== "json" && type.name !== "jsonb";
  const text = castToText(type, session);
  return (key) => {
    if (key === null) throw new SqlError(sqlstate.invalidParameterValue, "field name must not be null");
    if (!scalar)
      throw new SqlError(sqlstate.invalidParameterValue, "key value must be scalar, not array, composite, or json");
    return text(key);
  };
}

/** Repeated keys are kept: json keeps its text. */
function jsonObject({ argTypes, session }: CallSite): Accumulator<string> {
  const toKey = keyText(argTypes[0], session);
  return {
    init: () => "",
    step(text, key, value) {
      const field = `${quoteJson(toKey(key))} : ${toJsonText(value, argTypes[1], session)}`;
      return text === "" ? `{ ${field}` : `${text}, ${field}`;
    },
    final: (text) => (text === "" ? null : new JsonText(`${text} }`)),
  };
}

/** Of repeated keys the last wins. */
function jsonbObject({ argTypes, session }: CallSite): Accumulator<Map<string, Value>> {
  const toKey = keyText(argTypes[0], session);
  return {
    init: () => new Map(),
    step(fields, key, value) {
      fields.set(toKey(key), toJsonb(value, argTypes[1], session));
      return fields;
    },
    final(fields) {
      if (fields.size === 0) return null;
      const object: JsonObject = newObject();
      for (const [key, value] of fields) setField(object, key, value as ReturnType<typeof toJsonb>);
      return object;
    },
  };
}

function jsonAggregate(
  name: string,
  args: AggregateFunction["args"],
  returns: "json" | "jsonb",
  volatility: AggregateFunction["volatility"],
  create: (site: CallSite) => Accumulator<unknown>,
): AggregateFunction {
  return {
    kind: "aggregate",
    aggregateKind: "normal",
    name,
    args,
    returns,
    volatility,
    strict: false,
    create: (site) => create(site),
  };
}

export const jsonAggregates: readonly AggregateFunction[] = [
  jsonAggregate("json_agg", ["anyelement"], "json", "stable", (site) => jsonArray(site)),
  jsonAggregate("jsonb_agg", ["anyelement"], "jsonb", "stable", (site) => jsonbArray(site)),
  jsonAggregate("json_object_agg", ["any", "any"], "json", "stable", (site) => jsonObject(site)),
  jsonAggregate("jsonb_object_agg", ["any", "any"], "jsonb", "immutable", (site) => jsonbObject(site)),
];
