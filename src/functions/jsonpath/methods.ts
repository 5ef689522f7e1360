/** The item methods of paths: type, size, double, ceiling, floor, abs, keyvalue, datetime. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { operationsOf } from "../../types/families.js";
import { fieldOf, keysOf, newObject, setField } from "../../types/json/item.js";
import type { Method } from "../../types/json/jsonpath/ast.js";
import { asNumeric, jsonNumber, numberText } from "../../types/json/number.js";
import { numericAbs, numericCeil, numericFloor } from "../../types/numeric.js";
import { types } from "../../types/type.js";
import { datetimeTypeName, PathDatetime, readIsoDatetime } from "./datetime.js";
import { readTemplate } from "./datetime-template.js";
import {
  type Emit,
  isNumber,
  isPathObject,
  numberResult,
  type PathEvaluation,
  type PathValue,
  pathKind,
} from "./evaluate.js";
import { pathFailure } from "./failure.js";
import { objectId } from "./object-id.js";

/** Applies a method to one item and hands on what it gives. @throws PathFailure */
export function applyMethod(name: Method, value: PathValue, evaluation: PathEvaluation, emit: Emit): boolean {
  switch (name) {
    case "type":
      return emit(value instanceof PathDatetime ? datetimeTypeName(value) : pathKind(value));
    case "size":
      if (Array.isArray(value)) return emit(value.length);
      if (evaluation.lax) return emit(1);
      if (evaluation.ignoreStructure) return false;
      throw pathFailure(sqlstate.jsonArrayNotFound, "jsonpath item method .size() can only be applied to an array");
    case "double":
      return emit(toDouble(value, evaluation));
    case "keyvalue":
      return keyValues(value, evaluation, emit);
    default: {
      if (!isNumber(value)) {
        throw pathFailure(
          sqlstate.nonNumericJsonItem,
          `jsonpath item method .${name}() can only be applied to a numeric value`,
        );
      }
      const change = { abs: numericAbs, floor: numericFloor, ceiling: numericCeil }[name];
      return emit(numberResult(change(asNumeric(value))));
    }
  }
}

function toDouble(value: PathValue, evaluation: PathEvaluation): PathValue {
  const numeric = isNumber(value);
  if (!numeric && typeof value !== "string") {
    throw pathFailure(
      sqlstate.nonNumericJsonItem,
      "jsonpath item method .double() can only be applied to a string or numeric value",
    );
  }
  const text = numeric ? numberText(value) : value;
  let double: number;
  try {
    double = operationsOf(types.float8).input(text, -1, evaluation.context) as number;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    double = Number.NaN;
  }
  if (!Number.isFinite(double)) {
    const what = numeric ? "numeric" : "string";
    const wrong = numeric
      ? "is out of range for type double precision"
      : "is not a valid representation of a double precision number";
    throw pathFailure(sqlstate.nonNumericJsonItem, `${what} argument of jsonpath item method .double() ${wrong}`);
  }
  // a string becomes the numeric of the double (15 digits), a number stays as it is
  return numeric ? value : jsonNumber(String(Number(double.toPrecision(15))));
}

function keyValues(value: PathValue, evaluation: PathEvaluation, emit: Emit): boolean {
  if (!isPathObject(value)) {
    throw pathFailure(sqlstate.jsonObjectNotFound, "jsonpath item method .keyvalue() can only be applied to an object");
  }
  const id = objectId(evaluation.base, value);
  for (const key of keysOf(value)) {
    const pair = newObject();
    setField(pair, "id", id);
    setField(pair, "key", key);
    setField(pair, "value", fieldOf(value, key) ?? null);
    if (evaluation.inBase(evaluation.newBase(pair), () => emit(pair))) return true;
  }
  return false;
}

/** `.datetime()`: ISO 8601 text, or text of the form of a template, as a date or time. @throws PathFailure 22031, 22007, 22008 */
export function applyDatetime(value: PathValue, template: string | undefined): PathDatetime {
  if (typeof value !== "string") {
    throw pathFailure(
      sqlstate.invalidArgumentForJsonDatetime,
      "jsonpath item method .datetime() can only be applied to a string",
    );
  }
  if (template !== undefined) return readTemplate(value, template);
  const datetime = readIsoDatetime(value);
  if (datetime === undefined) {
    throw pathFailure(
      sqlstate.invalidArgumentForJsonDatetime,
      `datetime format is not recognized: "${value}"`,
      "Use a datetime template argument to specify the input data format.",
    );
  }
  return datetime;
}
