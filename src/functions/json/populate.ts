/** Makes SQL values of given types out of JSON: scalars by their text, arrays and rows part by part. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type ArrayValue, shapeArray } from "../../types/array-shape.js";
import { operationsOf } from "../../types/families.js";
import type { TypeContext } from "../../types/operations.js";
import type { SqlType } from "../../types/type.js";
import { type RecordField, RecordValue, type Value } from "../../types/value.js";
import type { JsonSource } from "./source.js";

/**
 * A row of these fields out of a JSON object: fields that the object lacks keep the value of `base`, or are NULL.
 * @throws SqlError 22023 when it is no object; what the types' input functions raise
 */
export function populateFields(
  source: JsonSource,
  fields: readonly RecordField[],
  base: RecordValue | null,
  context: TypeContext,
): Value[] {
  if (source.kind !== "object") {
    throw new SqlError(
      sqlstate.invalidParameterValue,
      `cannot call populate_composite on ${source.kind === "array" ? "an array" : "a scalar"}`,
      { hint: "The JSON value must be an object whose fields are named like the columns." },
    );
  }
  return fields.map((field, i) => {
    const part = source.field(field.name);
    const before = base === null ? null : (base.values[i] ?? null);
    if (part === undefined) return before;
    return populate(part, field.type, field.typmod ?? -1, field.name, before, context);
  });
}

/** A JSON value as a value of a type; `key` names the field for errors. */
function populate(
  source: JsonSource,
  type: SqlType,
  typmod: number,
  key: string,
  base: Value,
  context: TypeContext,
): Value {
  if (source.kind === "null") return null;
  if (type.name === "json") return source.json();
  if (type.name === "jsonb") return source.jsonb();
  if (type.kind === "array" && type.element !== undefined && source.kind !== "string")
    return new ArrayPopulation(type.element, typmod, key, context).populate(source);
  if (type.kind === "record" && type.fields !== undefined && source.kind !== "string") {
    const before = base instanceof RecordValue ? base : null;
    return new RecordValue(populateFields(source, type.fields, before, context), type.fields);
  }
  return operationsOf(type).input(source.text() ?? "", typmod, context);
}

/** An array out of nested JSON arrays. How many dimensions there are is seen at the first element that is no array. */
class ArrayPopulation {
  private readonly items: Value[] = [];
  private readonly lengths: number[] = [];
  private readonly indexes: number[] = [];
  private dimensions = 0;

  constructor(
    private readonly element: SqlType,
    private readonly typmod: number,
    private readonly key: string,
    private readonly context: TypeContext,
  ) {}

  populate(source: JsonSource): ArrayValue {
    this.level(source, 1);
    return shapeArray(
      this.items,
      this.lengths,
      this.lengths.map(() => 1),
      this.element,
    );
  }

  private level(source: JsonSource, depth: number): void {
    if (source.kind !== "array") throw this.expectedArray(depth - 1);
    const items = source.items();
    if (this.dimensions === 0 && (items.length === 0 || items[0].kind !== "array")) this.dimensions = depth;
    this.indexes[depth - 1] = 0;
    for (const item of items) {
      if (this.dimensions > 0 && depth >= this.dimensions)
        this.items.push(populate(item, this.element, this.typmod, this.key, null, this.context));
      else this.level(item, depth + 1);
      this.indexes[depth - 1]++;
    }
    const known = this.lengths[depth - 1];
    if (known !== undefined && known !== items.length) {
      throw new SqlError(sqlstate.invalidTextRepresentation, "malformed JSON array", {
        detail: "Multidimensional arrays must have sub-arrays with matching dimensions.",
      });
    }
    this.lengths[depth - 1] = items.length;
  }

  private expectedArray(depth: number): SqlError {
    const place = this.indexes.slice(0, depth).map((index) => `[${index}]`);
    const hint =
      depth <= 0
        ? `See the value of key "${this.key}".`
        : `See the array element ${place.join("")} of key "${this.key}".`;
    return new SqlError(sqlstate.invalidTextRepresentation, "expected JSON array", { hint });
  }
}
