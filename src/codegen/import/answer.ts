/** Where the rows of an answer are, read from its schema. */
import { isObjectSchema, objectShape } from "../../json-schema/object-shape.js";
import { elementOf, objectElement, rowsIn } from "../../json-schema/rows-in.js";
import type { JsonSchema, JsonSchemaNode } from "../../json-schema/schema.js";
import type { Answer } from "./operation.js";
import { singular, wordsOf } from "./words.js";

/** Properties that say how a call went, not what it found. */
const envelopeWords = new Set(["ok", "success", "status", "error", "message", "warning", "request_id", "object"]);

/** Names of lists that hold the rows, whatever else the answer lists. */
const rowLists = ["data", "items", "results", "records", "values", "rows", "entries"];

/**
 * Reads a schema: the only list in the answer, the list that is called as the entity or as lists of rows are called, the
 * only object in an envelope, or else the answer itself as one row.
 * @param entity words of the thing that is asked for, in the singular
 * @returns `undefined` when the schema does not say what a row has
 */
export function answerOf(node: JsonSchemaNode, root: JsonSchema, entity: readonly string[]): Answer | undefined {
  const plainRows = elementOf(node, root);
  if (plainRows !== undefined) return list([], plainRows, root);
  if (!isObjectSchema(node, root)) return undefined;
  const { properties } = objectShape(node, root);
  if (properties.size === 0) return undefined;
  const lists = [...properties].filter(([, property]) => elementOf(property, root) !== undefined);
  const called = lists.find(
    ([name]) => singularText(name) === entity.join("_") || singularText(name) === entity.at(-1),
  );
  const chosen =
    called ??
    lists.find(([name]) => rowLists.includes(name)) ??
    (lists.length === 1 && isEnvelope(properties, lists[0][0], root) ? lists[0] : undefined);
  if (chosen !== undefined) return list([chosen[0]], elementOf(chosen[1], root) as JsonSchemaNode, root);
  const nested = rowsIn(node, root);
  if (nested !== undefined && nested.path.length > 1) return { ...nested, root, plain: false, many: true };
  // `{ ok: true, channel: { … } }`: the object is what was asked for.
  const objects = [...properties].filter(([name]) => !envelopeWords.has(name));
  if (
    objects.length === 1 &&
    isObjectSchema(objects[0][1], root) &&
    objectShape(objects[0][1], root).properties.size > 0
  ) {
    return { path: [objects[0][0]], row: objects[0][1], root, plain: false, many: false };
  }
  return { path: [], row: node, root, plain: false, many: false };
}

function list(path: readonly string[], element: JsonSchemaNode, root: JsonSchema): Answer {
  const isObject = isObjectSchema(element, root) && objectShape(element, root).properties.size > 0;
  return { path, row: element, root, plain: !isObject, many: true };
}

/** Is a list the point of its object? Counts, cursors and flags stand beside it, and nothing with properties of its own. */
function isEnvelope(properties: ReadonlyMap<string, JsonSchemaNode>, name: string, root: JsonSchema): boolean {
  const beside = [...properties.keys()].filter((key) => key !== name);
  const about =
    /(^|_)(ok|success|status|next|prev|previous|cursor|count|total|has|more|page|paging|pagination|meta|metadata|response|links|object|type|limit|offset|size|start|is|request|url|cache|ts|incomplete|results|shown|lines|written|query|agg|pin|actions)(_|$)/;
  return (
    beside.every((key) => about.test(wordsOf(key).join("_"))) &&
    (objectElement(properties.get(name) as JsonSchemaNode, root) !== undefined || beside.length <= 4)
  );
}

function singularText(name: string): string {
  const words = wordsOf(name);
  return words.map((word, index) => (index === words.length - 1 ? singular(word) : word)).join("_");
}
