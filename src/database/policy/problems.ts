/** What is wrong with a policy, each problem with its way and in words that say what to write instead. */
import type { z } from "zod";
import { closest } from "../../errors/did-you-mean.js";
import { SqlError } from "../../errors/sql-error.js";
import { parseExpression } from "../../grammar/parse.js";
import { policySchema, recordParts } from "./schema.js";

/** One thing that is wrong. */
export interface PolicyProblem {
  /** Keys and indexes that lead to it. */
  readonly path: readonly PropertyKey[];
  /** The last key of the path is what is wrong, not its value. */
  readonly isKey: boolean;
  readonly message: string;
}

/** Everything that is wrong with a policy by itself; empty when it is right. `approve` is left to the caller. */
export function problemsOfPolicy(data: unknown): PolicyProblem[] {
  const problems = checked(policySchema, finite(data), data, []);
  problems.push(...hiddenKeys(data));
  if (problems.length === 0) problems.push(...unreadableFilters(data));
  return problems;
}

type Issue = z.core.$ZodIssue;

function checked(format: z.ZodType, value: unknown, data: unknown, path: readonly PropertyKey[]): PolicyProblem[] {
  const parsed = format.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => explained(issue, format, data, path));
}

/** `Infinity` takes a bound away; to the format it is a large number. */
function finite(data: unknown): unknown {
  if (!isMap(data)) return data;
  const large = (value: unknown) => (value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value);
  const copy: Record<string, unknown> = { ...data };
  for (const key of ["maxAffectedRows", "approvalTimeoutMs"]) if (key in copy) copy[key] = large(copy[key]);
  if (isMap(copy.limits))
    copy.limits = Object.fromEntries(Object.entries(copy.limits).map(([key, value]) => [key, large(value)]));
  return copy;
}

/** Zod passes over a key `__proto__`: a rule under it would be left out without a word. */
function hiddenKeys(data: unknown): PolicyProblem[] {
  const hidden = "__proto__";
  if (!isMap(data)) return [];
  const problems: PolicyProblem[] = [];
  const look = (key: keyof typeof recordParts, map: unknown, path: readonly PropertyKey[]) => {
    if (isMap(map) && Object.hasOwn(map, hidden))
      problems.push(...checked(recordParts[key], map[hidden], map[hidden], [...path, key, hidden]));
  };
  if (Object.hasOwn(data, hidden)) problems.push(unknownKey([hidden], Object.keys(policySchema.shape)));
  look("tables", data.tables, []);
  look("labels", data.labels, []);
  for (const [table, rule] of isMap(data.tables) ? Object.entries(data.tables) : [])
    if (isMap(rule)) look("mask", rule.mask, ["tables", table]);
  return problems;
}

function unreadableFilters(data: unknown): PolicyProblem[] {
  if (!isMap(data) || !isMap(data.tables)) return [];
  return Object.entries(data.tables).flatMap(([table, rule]) => {
    if (!isMap(rule) || typeof rule.rowFilter !== "string") return [];
    try {
      parseExpression(rule.rowFilter);
      return [];
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      return [{ path: ["tables", table, "rowFilter"], isKey: false, message: `is no SQL condition: ${error.message}` }];
    }
  });
}

function explained(issue: Issue, format: z.ZodType, data: unknown, above: readonly PropertyKey[]): PolicyProblem[] {
  const path = [...above, ...issue.path];
  const value = valueAt(data, issue.path);
  const problem = (message: string): PolicyProblem[] => [{ path, isKey: false, message }];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey([...path, key], keysAt(format, issue.path)));
    case "invalid_type":
      return problem(
        value === undefined
          ? `is missing; write ${wordOf(issue.expected)}`
          : `must be ${wordOf(issue.expected)}, not ${shown(value)}`,
      );
    case "invalid_value": {
      const near = typeof value === "string" ? closest(value, issue.values.map(String)) : undefined;
      const known = issue.values.map((item) => JSON.stringify(item)).join(", ");
      return problem(
        near === undefined
          ? `can't be ${shown(value)}; possible: ${known}`
          : `can't be ${shown(value)}; perhaps you meant "${near}"`,
      );
    }
    case "too_small":
      return problem(
        issue.origin === "string" || issue.origin === "array"
          ? "must not be empty"
          : issue.inclusive === true
            ? `must be at least ${issue.minimum}, not ${shown(value)}`
            : `must be above ${issue.minimum}, not ${shown(value)}`,
      );
    case "invalid_key":
      return [{ path, isKey: true, message: "is no name" }];
    default:
      return problem(`can't be ${shown(value)}`);
  }
}

function unknownKey(path: readonly PropertyKey[], known: readonly string[]): PolicyProblem {
  const near = closest(String(path.at(-1)), known);
  const hint = near === undefined ? `the keys here are: ${known.join(", ")}` : `perhaps you meant "${near}"`;
  return { path, isKey: true, message: `is no key of a policy; ${hint}` };
}

/** The parts of Zod's own description of a schema that lead to the schema of a part. */
interface Definition {
  readonly innerType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
}

function keysAt(format: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let definition = definitionOf(format);
  for (const step of path) {
    const { shape } = definition;
    const next =
      shape !== undefined && Object.hasOwn(shape, step)
        ? shape[String(step)]
        : (definition.valueType ?? definition.element);
    if (next === undefined) return [];
    definition = definitionOf(next);
  }
  return Object.keys(definition.shape ?? {});
}

function definitionOf(format: z.ZodType): Definition {
  const definition = format._zod.def as unknown as Definition;
  return definition.innerType === undefined ? definition : definitionOf(definition.innerType);
}

function wordOf(type: string): string {
  const words = new Map([
    ["string", "a text"],
    ["number", "a number"],
    ["int", "a whole number"],
    ["boolean", "true or false"],
    ["array", "a list"],
    ["object", "a map of keys and values"],
    ["record", "a map of keys and values"],
  ]);
  return words.get(type) ?? type;
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "function") return "a function";
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `policy.tables["crm_*"].mask`: where a problem stands, as code would write it. */
export function wayTo(path: readonly PropertyKey[]): string {
  return path.reduce<string>((way, step) => {
    if (typeof step === "number") return `${way}[${step}]`;
    const key = String(step);
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `${way}.${key}` : `${way}[${JSON.stringify(key)}]`;
  }, "policy");
}
