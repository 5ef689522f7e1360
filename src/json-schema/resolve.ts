/**
 * Follows local references (`#`, `#/$defs/…`, `#/definitions/…`, any JSON pointer, `$anchor`) inside one document.
 *
 * A server's schema may be broken: a reference that leads nowhere, leaves the document or runs in a circle reads as "a
 * value we know nothing about" instead of failing, so that one bad schema never takes the others down.
 */
import { isJsonSchema, type JsonSchema, type JsonSchemaNode } from "./schema.js";

/** The schema that allows everything. */
const anything: JsonSchema = {};

/**
 * The schema a node stands for, with `$ref` followed. Keywords beside a `$ref` (usually `description`) win over the
 * target's. `true` reads as "anything"; so do a dangling, a foreign and a circular reference.
 * @param root the document the references point into
 */
export function resolveSchema(node: JsonSchemaNode | undefined, root: JsonSchema): JsonSchema {
  if (!isJsonSchema(node)) return anything;
  let schema: JsonSchema = node;
  const seen = new Set<string>();
  while (typeof schema.$ref === "string") {
    const { $ref, ...beside } = schema;
    if (seen.has($ref)) return beside;
    seen.add($ref);
    const target = referenced($ref, root);
    if (!isJsonSchema(target)) return beside;
    schema = { ...target, ...beside };
    // Spreading drops the reference of the first node; the target's own is followed in the next round.
  }
  return schema;
}

/** What a reference leads to; `undefined` for one that leads nowhere or out of the document. */
export function referenced(ref: string, root: JsonSchema): unknown {
  if (ref === "#" || ref === "") return root;
  if (ref.startsWith("#/")) return follow(ref.slice(2).split("/").map(unescapePointer), root);
  if (ref.startsWith("#")) return findAnchor(ref.slice(1), root);
  const id = root["$id"] ?? root["id"];
  if (typeof id === "string" && ref.startsWith(`${id}#`)) return referenced(ref.slice(id.length), root);
  return undefined;
}

function follow(path: readonly string[], root: unknown): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** One step of a JSON pointer in a URI fragment: percent-decoded, then `~1` → `/`, `~0` → `~`. */
function unescapePointer(step: string): string {
  let text = step;
  if (step.includes("%")) {
    try {
      text = decodeURIComponent(step);
    } catch (error) {
      // Not a valid escape: the step is then meant literally.
      if (!(error instanceof URIError)) throw error;
    }
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function findAnchor(anchor: string, root: JsonSchema): unknown {
  for (const map of [root.$defs, root.definitions]) {
    if (!isJsonSchema(map)) continue;
    for (const candidate of Object.values(map)) {
      if (!isJsonSchema(candidate)) continue;
      if (candidate["$anchor"] === anchor || candidate["$id"] === `#${anchor}`) return candidate;
    }
  }
  return undefined;
}
