/**
 * The type of a function's answer, learned from one answer. A model that knows the field names of a result does not
 * guess them. Only functions that say they read, and that can be called without arguments, are called for it.
 */
import { propertyText } from "../json-schema/type-text.js";
import { missingRequired } from "./arguments.js";
import type { ToolFn, ToolFnContext } from "./tool-fn.js";

/** How a sample is taken. */
export interface SampleShapesOptions {
  /** Passed on to the call. */
  ctx?: ToolFnContext;
}

/** How many rows are looked at, how many fields and levels are printed. */
const limits = { rows: 50, fields: 40, depth: 3 };

/** Answers under way, and functions whose answer had no shape to learn: neither is called a second time. */
const sampled = new WeakMap<ToolFn, Promise<string | undefined>>();

/**
 * Calls a function once and notes the type of its answer in `resultShape`. Nothing is called when the shape is known, the
 * function does not say that it only reads, or it needs arguments.
 * @returns the shape; `undefined` when it could not be learned (a failing call is none of the reader's business here)
 */
export function sampleOne(fn: ToolFn, options: SampleShapesOptions = {}): Promise<string | undefined> {
  if (fn.resultShape !== undefined && fn.resultShape !== "") return Promise.resolve(fn.resultShape);
  if (fn.readOnlyHint !== true || missingRequired(fn, {}).length > 0) return Promise.resolve(undefined);
  const known = sampled.get(fn);
  if (known !== undefined) return known;
  const pending = takeSample(fn, options);
  sampled.set(fn, pending);
  return pending;
}

async function takeSample(fn: ToolFn, options: SampleShapesOptions): Promise<string | undefined> {
  let answer: unknown;
  try {
    answer = await fn.call({}, options.ctx);
  } catch {
    // A description without a result type is still a description; the next question may try again.
    sampled.delete(fn);
    return undefined;
  }
  const shape = deriveShape(answer);
  if (shape !== undefined) fn.resultShape = shape;
  return shape;
}

/** Samples several functions side by side; gives them back. */
export async function sampleResultShapes(fns: ToolFn[], options: SampleShapesOptions = {}): Promise<ToolFn[]> {
  await Promise.all(fns.map((fn) => sampleOne(fn, options)));
  return fns;
}

/**
 * The type of a value as text: `{ id: number, state: "open" | "closed" | string, note?: string }[]`. Text that repeats a
 * few short words shows them, left open with `string`. `undefined` for an empty answer, which has no shape to show.
 */
export function deriveShape(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  return shapeOf([value], limits.depth);
}

/** The type of all values of one place. */
function shapeOf(values: readonly unknown[], depth: number): string {
  const present = values.filter((value) => value !== undefined);
  const types = new Set<string>();
  const objects = present.filter(isRecord);
  if (objects.length > 0) types.add(objectShapeOf(objects, depth));
  const arrays = present.filter(Array.isArray);
  if (arrays.length > 0) types.add(arrayShapeOf(arrays, depth));
  const texts = present.filter((value) => typeof value === "string");
  if (texts.length > 0) types.add(textShapeOf(texts));
  for (const value of present) {
    if (value === null) types.add("null");
    else if (typeof value !== "object" && typeof value !== "string") types.add(typeof value);
  }
  return types.size === 0 ? "unknown" : [...types].join(" | ");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectShapeOf(objects: readonly Record<string, unknown>[], depth: number): string {
  if (depth <= 0) return "object";
  const rows = objects.slice(0, limits.rows);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0) return "object";
  const members = names.slice(0, limits.fields).map((name) => {
    const everywhere = rows.every((row) => Object.hasOwn(row, name));
    const shape = shapeOf(
      rows.map((row) => (Object.hasOwn(row, name) ? row[name] : undefined)),
      depth - 1,
    );
    return `${propertyText(name)}${everywhere ? "" : "?"}: ${shape}`;
  });
  if (names.length > limits.fields) members.push("…");
  return `{ ${members.join(", ")} }`;
}

function arrayShapeOf(arrays: readonly unknown[][], depth: number): string {
  const elements = arrays.flatMap((array) => array.slice(0, limits.rows)).slice(0, limits.rows);
  if (elements.length === 0) return "unknown[]";
  const shape = shapeOf(elements, depth);
  const types = new Set(elements.map((element) => (Array.isArray(element) ? "array" : typeof element)));
  return types.size > 1 || shape.startsWith('"') || elements.includes(null) ? `(${shape})[]` : `${shape}[]`;
}

/** Words that repeat are probably labels, and a wrong-case label is the commonest silent mistake: so they are shown. */
function textShapeOf(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const repeated = texts.length >= 4 && distinct.length <= 6 && distinct.length * 2 <= texts.length;
  // Only short words: what a service's users wrote does not belong into a signature.
  if (!repeated || !distinct.every((text) => /^[\w-]{1,24}$/.test(text))) return "string";
  return `${distinct.map((text) => JSON.stringify(text)).join(" | ")} | string`;
}
