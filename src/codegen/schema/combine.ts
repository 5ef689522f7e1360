/** Shapes put together: one of several, all of several. */
import type { ObjectForm, Shape } from "./shape.js";

const unknown: Shape = { kind: "unknown" };

/** One of several holds; what is the same is said once, and null comes last. */
export function eitherOf(options: readonly Shape[]): Shape {
  const flat = options.flatMap((option) =>
    option.kind === "union" && option.description === undefined ? option.options : [option],
  );
  const possible = flat.filter((option) => option.kind !== "never");
  if (possible.some((option) => option.kind === "unknown")) return unknown;
  const distinct = new Map(possible.map((option) => [keyOf(option), option]));
  const ordered = [
    ...[...distinct.values()].filter((option) => option.kind !== "null"),
    ...[...distinct.values()].filter((option) => option.kind === "null"),
  ];
  if (ordered.length === 0) return { kind: "never" };
  return ordered.length === 1 ? ordered[0] : { kind: "union", options: ordered };
}

export function withNull(shape: Shape): Shape {
  if (shape.kind === "unknown") return shape;
  const { description, pgType, ...form } = shape;
  return { ...eitherOf([form, { kind: "null" }]), ...annotations({ description, pgType }) };
}

/**
 * All of several hold. Objects become one object with the properties of all; a part that says nothing is left out.
 * @param inside the shape behind a reference, where parts are merged; `undefined` for one that is being read
 */
export function allOf(parts: readonly Shape[], inside: (name: string) => Shape | undefined): Shape {
  const telling = parts.filter((part) => part.kind !== "unknown");
  const distinct = [...new Map(telling.map((part) => [keyOf(part), part])).values()];
  if (distinct.length === 0) return unknown;
  if (distinct.length === 1) return distinct[0];
  const merged = distinct.map((part) => (part.kind === "reference" ? (inside(part.name) ?? part) : part)).reduce(both);
  return merged;
}

/** Both hold. */
export function both(left: Shape, right: Shape): Shape {
  if (left.kind === "unknown") return right;
  if (right.kind === "unknown") return left;
  if (left.kind === "never" || right.kind === "never") return { kind: "never" };
  if (left.kind === "object" && right.kind === "object") return mergeObjects(left, right);
  const narrowed = narrow(left, right) ?? narrow(right, left);
  if (narrowed !== undefined) return narrowed;
  const parts = [left, right].flatMap((part) => (part.kind === "intersection" ? part.parts : [part]));
  return { kind: "intersection", parts: parts.map(opened) };
}

/** The narrower of two where one contains the other; `undefined` when this does not tell. */
function narrow(wide: Shape, narrower: Shape): Shape | undefined {
  if (keyOf(wide) === keyOf(narrower)) return narrower;
  if (narrower.kind === "literal") {
    const accepts: Record<string, (value: unknown) => boolean> = {
      string: (value) => typeof value === "string",
      number: (value) => typeof value === "number",
      integer: (value) => Number.isInteger(value),
      boolean: (value) => typeof value === "boolean",
      literal: (value) => wide.kind === "literal" && wide.values.includes(value as never),
    };
    const accept = accepts[wide.kind];
    if (accept === undefined) return undefined;
    const values = narrower.values.filter(accept);
    return values.length === 0 ? { kind: "never" } : { ...narrower, values };
  }
  if ((wide.kind === "number" || wide.kind === "integer") && narrower.kind === "integer")
    return { ...wide, ...narrower };
  if (wide.kind === "number" && narrower.kind === "number") return { ...wide, ...narrower };
  if (wide.kind === "string" && narrower.kind === "string" && (wide.format ?? narrower.format) === narrower.format)
    return { ...wide, ...narrower };
  // Null is in the intersection only where both take it.
  if (wide.kind === "union") return eitherOf(wide.options.map((option) => both(option, narrower)).filter(isPossible));
  if (wide.kind === "null" || narrower.kind === "null") return { kind: "never" };
  return undefined;
}

const isPossible = (shape: Shape) => shape.kind !== "never";

function mergeObjects(left: Shape & ObjectForm, right: Shape & ObjectForm): Shape {
  const properties = new Map(left.properties);
  for (const [name, property] of right.properties) {
    const other = properties.get(name);
    properties.set(
      name,
      other === undefined
        ? property
        : {
            shape: { ...annotations(other.shape), ...both(other.shape, property.shape) },
            required: other.required || property.required,
          },
    );
  }
  // Closed only where both are: each part alone would refuse what the other declares, and no author means that.
  const rest =
    left.rest === undefined ? right.rest : right.rest === undefined ? left.rest : both(left.rest, right.rest);
  return {
    kind: "object",
    properties,
    ...(rest !== undefined && { rest }),
    ...annotations(left),
    ...annotations(right),
  };
}

/** A part of an intersection has to let the other parts' properties pass. */
function opened(shape: Shape): Shape {
  if (shape.kind === "object" && shape.rest === undefined) return { ...shape, rest: unknown };
  if (shape.kind === "union") return { ...shape, options: shape.options.map(opened) };
  return shape;
}

/** What a shape says to readers. */
export function annotations(shape: { readonly description?: string; readonly pgType?: string }): {
  readonly description?: string;
  readonly pgType?: string;
} {
  return {
    ...(shape.description !== undefined && { description: shape.description }),
    ...(shape.pgType !== undefined && { pgType: shape.pgType }),
  };
}

/** Equal for shapes that are the same but for what they say to readers. */
function keyOf({ description: _, pgType: __, ...shape }: Shape): string {
  return JSON.stringify(shape, (_name, value) => (value instanceof Map ? [...value] : value));
}
