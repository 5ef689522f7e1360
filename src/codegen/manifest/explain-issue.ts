/** What Zod finds wrong with a document, in words that say what to write instead. */
import type { z } from "zod";
import { closest } from "../../errors/did-you-mean.js";
import { type ConnectorKind, connectorKinds, verbFormats } from "./format/manifest.js";
import type { Path, Report } from "./source.js";

type Issue = z.core.$ZodIssue;
type Problem = Parameters<Report>;

/**
 * Checks a part of a document.
 * @param path where the part stands
 * @param kind of the service's connector, for hints
 * @returns the checked part; `undefined` when something was reported
 */
export function checkFormat<S extends z.ZodType>(
  format: S,
  data: unknown,
  path: Path,
  report: Report,
  kind?: ConnectorKind,
): z.output<S> | undefined {
  const parsed = format.safeParse(data);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    for (const problem of explained(issue, { format, data, path, kind })) report(...problem);
  return undefined;
}

interface Checking {
  readonly format: z.ZodType;
  readonly data: unknown;
  readonly path: Path;
  readonly kind?: ConnectorKind | undefined;
}

/** The problems that an issue stands for, as arguments of a report. */
function explained(issue: Issue, checking: Checking): Problem[] {
  const { data, path } = checking;
  const place = [...path, ...issue.path];
  const value = valueAt(data, issue.path);
  const name = nearestName(place);
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = keysAt(checking.format, data, issue.path);
      return issue.keys.map((key) => [
        [...place, key],
        `unknown key "${key}"`,
        { hint: hintForKey(key, known, place, checking.kind), key: true },
      ]);
    }
    case "invalid_value":
      return [wrongValue(issue, place, value)];
    case "invalid_type":
      return [wrongType(issue, place, value)];
    case "invalid_union":
      if ("discriminator" in issue && issue.discriminator !== undefined)
        return [wrongKind(place, value, discriminatorValues(checking.format, data, issue.path.slice(0, -1)))];
      return [[place, `"${name}" ${ownMessage(issue) ?? `can't be ${typeOf(value)}`}`]];
    case "invalid_key":
      return [[place, `the name "${name}" ${issue.issues[0]?.message ?? "is not possible"}`, { key: true }]];
    case "too_small":
      if (/^[a-z]/.test(issue.message)) return [[place, `"${name}" ${issue.message}`]];
      return [[place, `"${name}" must ${least(issue)}`]];
    case "too_big":
      return [[place, `"${name}" must be at most ${issue.maximum}`]];
    default:
      return [[place, `"${name}" ${ownMessage(issue) ?? lowered(issue.message)}`]];
  }
}

function wrongValue(issue: Issue & { code: "invalid_value" }, place: Path, value: unknown): Problem {
  const { values } = issue;
  if (value === undefined) return [place.slice(0, -1), `"${nearestName(place)}" is missing`, { hint: listed(values) }];
  if (values.length === 1)
    return [place, `"${nearestName(place)}" ${ownMessage(issue) ?? `must be ${show(values[0])}`}`];
  const hint = nearest(String(value), values.map(String)) ?? listed(values);
  return [place, `${show(value)} is not possible for "${nearestName(place)}"`, { hint }];
}

function wrongType(issue: Issue & { code: "invalid_type" }, place: Path, value: unknown): Problem {
  if (value === undefined) return [place.slice(0, -1), `"${nearestName(place)}" is missing`];
  if (typeof value === "string" && place.includes("auth"))
    return [
      place,
      "a secret never stands in a manifest",
      { hint: "Write { env: NAME } and put the secret into that environment variable." },
    ];
  return [place, `"${nearestName(place)}" must be ${typeWord(issue.expected)}, not ${typeOf(value)}`];
}

/** The field that says which of several forms is meant. */
function wrongKind(place: Path, value: unknown, kinds: readonly string[]): Problem {
  const [field, owner] = [String(place.at(-1)), String(place.at(-2))];
  if (value === undefined) return [place.slice(0, -1), `"${owner}" needs a "${field}"`, { hint: listed(kinds) }];
  const hint = nearest(String(value), kinds) ?? listed(kinds);
  return [place, `unknown ${field} of ${owner}: ${show(value)}`, { hint }];
}

function least({ origin, minimum, inclusive }: Issue & { code: "too_small" }): string {
  if (origin === "array" || origin === "string") return "not be empty";
  return inclusive === false ? `be above ${minimum}` : `be at least ${minimum}`;
}

/** The message that the format gives for the case; Zod's own begin with a capital. */
function ownMessage(issue: Issue): string | undefined {
  return /^[a-z]/.test(issue.message) ? issue.message : undefined;
}

function lowered(message: string): string {
  return `is not right: ${message[0].toLowerCase()}${message.slice(1)}`;
}

/** Indexes say nothing by themselves: `keys[1]`. */
function nearestName(path: Path): string {
  const last = path.at(-1);
  return typeof last === "number" ? `${nearestName(path.slice(0, -1))}[${last}]` : String(last ?? "manifest");
}

function hintForKey(key: string, known: readonly string[], place: Path, kind: ConnectorKind | undefined): string {
  const isVerb = ["select", "insert", "update", "delete"].includes(String(place.at(-1)));
  const owner = connectorKinds.find((other) => other !== kind && keysAt(verbFormats[other], {}, []).includes(key));
  if (isVerb && kind !== undefined && owner !== undefined && !known.includes(key))
    return `The service's connector is ${kind}; "${key}" is of a verb of ${owner}. ${verbForms[kind]}`;
  return nearest(key, known) ?? (known.length > 0 ? `Known here: ${known.join(", ")}.` : "Leave it out.");
}

/** How a verb is written, by connector. */
export const verbForms: Readonly<Record<ConnectorKind, string>> = {
  http: 'Write { get | post | put | patch | delete: "/path/{column}", … }.',
  mcp: 'Write { tool: name, input: { argument: "{column}" }, rows: $.items }.',
  module: "Write true: the verb is code.",
};

function nearest(name: string, candidates: readonly string[]): string | undefined {
  const found = closest(name, candidates);
  return found === undefined ? undefined : `Perhaps you meant "${found}".`;
}

function listed(values: readonly unknown[]): string {
  return `Possible: ${values.map(String).join(", ")}.`;
}

function show(value: unknown): string {
  return typeof value === "object" && value !== null ? typeOf(value) : JSON.stringify(value);
}

function typeOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeWord(typeof value);
}

function typeWord(name: string): string {
  const words: Readonly<Record<string, string>> = {
    string: "a text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "a map of keys and values",
    record: "a map of keys and values",
  };
  return words[name] ?? name;
}

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/** The parts of Zod's own description of a schema that lead to the schema of a part. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
  readonly getter?: () => z.ZodType;
}

const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition;

/** The keys of the object that stands at a path of the format. */
function keysAt(format: z.ZodType, data: unknown, path: Path): readonly string[] {
  const found = formatAt(format, data, path);
  return found === undefined ? [] : Object.keys(definitionOf(found).shape ?? {});
}

function discriminatorValues(format: z.ZodType, data: unknown, path: Path): string[] {
  const union = formatAt(format, data, path, false);
  const { options = [], discriminator = "" } = union === undefined ? { options: [] } : definitionOf(union);
  return options.flatMap((option) => literalsOf(option, discriminator));
}

function literalsOf(option: z.ZodType, field: string): string[] {
  const literal = definitionOf(option).shape?.[field];
  return literal === undefined ? [] : ((literal._zod.def as unknown as { values: unknown[] }).values ?? []).map(String);
}

/** The format of a part. @param chooses whether a union is followed to the alternative that the data names */
function formatAt(format: z.ZodType, data: unknown, path: Path, chooses = true): z.ZodType | undefined {
  const definition = definitionOf(format);
  if (definition.innerType !== undefined) return formatAt(definition.innerType, data, path, chooses);
  if (definition.type === "union" && definition.discriminator !== undefined && (chooses || path.length > 0)) {
    const { discriminator, options = [] } = definition;
    const wanted = String(valueAt(data, [discriminator]));
    const option = options.find((candidate) => literalsOf(candidate, discriminator).includes(wanted));
    return option === undefined ? undefined : formatAt(option, data, path, chooses);
  }
  if (path.length === 0) return format;
  const [step, ...rest] = path;
  const next =
    typeof step === "string" && definition.shape !== undefined && Object.hasOwn(definition.shape, step)
      ? definition.shape[step]
      : (definition.valueType ?? definition.element);
  return next === undefined ? undefined : formatAt(next, valueAt(data, [step]), rest, chooses);
}
