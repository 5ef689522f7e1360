/**
 * Puts definitions into an order in which they can be declared, and finds those that contain themselves. A definition that
 * is nothing but itself (`a: { anyOf: [{ $ref: a }, …] }`) says nothing at that place, and no type could be declared so.
 */
import { type Definition, type ObjectForm, type RowShape, referencesOf, rowReference, type Shape } from "./shape.js";

export function sortDefinitions(row: ObjectForm, read: ReadonlyMap<string, Shape>): RowShape {
  const shapes = withoutBareCircles(read);
  const reachable = (from: Shape) => {
    const found = new Set<string>();
    const visit = (shape: Shape) => {
      for (const name of referencesOf(shape)) {
        if (found.has(name)) continue;
        found.add(name);
        visit(name === rowReference ? row : (shapes.get(name) as Shape));
      }
    };
    visit(from);
    return found;
  };
  const recursive = new Set([...shapes].filter(([name, shape]) => reachable(shape).has(name)).map(([name]) => name));
  const definitions = new Map<string, Definition>();
  const add = (name: string) => {
    if (definitions.has(name) || name === rowReference) return;
    const shape = shapes.get(name) as Shape;
    if (recursive.has(name)) {
      definitions.set(name, { shape, isRecursive: true });
      return;
    }
    for (const needed of referencesOf(shape)) add(needed);
    definitions.set(name, { shape, isRecursive: false });
  };
  // What contains itself is made when it is used, so that it can be declared before what it needs.
  const used = [...reachable(row)].filter((name) => name !== rowReference);
  for (const name of used) if (recursive.has(name)) add(name);
  for (const name of used) add(name);
  return { row, definitions };
}

function withoutBareCircles(read: ReadonlyMap<string, Shape>): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  const open = new Set<string>();
  const settle = (name: string): void => {
    if (shapes.has(name)) return;
    open.add(name);
    shapes.set(name, replaceBare(read.get(name) as Shape, open, settle));
    open.delete(name);
  };
  for (const name of read.keys()) settle(name);
  return shapes;
}

/** Replaces references that stand for the whole value and lead back to a definition that is being settled. */
function replaceBare(shape: Shape, open: ReadonlySet<string>, settle: (name: string) => void): Shape {
  if (shape.kind === "reference") {
    if (open.has(shape.name)) return { kind: "unknown" };
    if (shape.name !== rowReference) settle(shape.name);
    return shape;
  }
  if (shape.kind === "union") {
    const options = shape.options.map((option) => replaceBare(option, open, settle));
    return options.some((option) => option.kind === "unknown") ? { kind: "unknown" } : { ...shape, options };
  }
  if (shape.kind !== "intersection") return shape;
  const parts = shape.parts.map((part) => replaceBare(part, open, settle)).filter((part) => part.kind !== "unknown");
  return parts.length > 0 ? { ...shape, parts } : { kind: "unknown" };
}
