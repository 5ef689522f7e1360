/**
 * Paths into an answer: JMESPath, or the part of JSONPath that names one place (`$.data['items'][0]`, `$.edges[*].node`).
 * A chain of names is followed here, so that "not there" and "null" are told apart; everything else is the library's.
 */
import { compile, getRegisteredFunctions, TreeInterpreter } from "@jmespath-community/jmespath";
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import type { JsonAnswer } from "./json-answer.js";

type Node = ReturnType<typeof compile>;

/** A path that has been read. */
export interface AnswerPath {
  readonly text: string;
  /** Whether it leaves out none of the elements of a list: their number says whether a page was full. */
  readonly keepsAll: boolean;
  /** Whether it goes straight to one place, so that null there is the service's own word. */
  readonly isPlain: boolean;
  /**
   * The value there: `undefined` when something on the way is missing, where that can be told; null otherwise.
   * @throws SqlError HV000 when the path compares or computes and the answer has numbers that JMESPath would round
   */
  find(answer: JsonAnswer): unknown;
}

/**
 * Reads a path.
 * @throws TypeError saying what is wrong with it
 */
export function answerPath(text: string): AnswerPath {
  const node = compiled(text);
  const steps = namedSteps(node);
  const isSafe = everyNode(node, ({ type }) => exactNodes.has(type));
  return {
    text,
    keepsAll: steps !== undefined || everyNode(node, ({ type }) => completeNodes.has(type)),
    isPlain: steps !== undefined,
    find(answer) {
      if (steps !== undefined) return follow(answer.value, steps);
      if (!isSafe && answer.hasLongNumbers) throw roundingPath(text);
      return TreeInterpreter.search(node, answer.value as never);
    },
  };
}

function compiled(text: string): Node {
  const expression = text.trimStart().startsWith("$") ? fromJsonPath(text.trim()) : text;
  let node: Node;
  try {
    node = compile(expression);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${JSON.stringify(text)} is no JMESPath: ${reason}; ${quotingAdvice}`, { cause: error });
  }
  // `html-url` would be a difference, and null in every row.
  if (!everyNode(node, ({ type }) => type !== "Arithmetic" && type !== "Unary"))
    throw new TypeError(`${JSON.stringify(text)} computes, which is left to SQL; ${quotingAdvice}`);
  const functions: readonly string[] = getRegisteredFunctions();
  everyNode(node, ({ type, name }) => {
    if (type === "Function" && !functions.includes(String(name)))
      throw new TypeError(`${JSON.stringify(text)}: JMESPath has no function ${name}()`);
    return true;
  });
  return node;
}

const quotingAdvice =
  'a name with other characters than letters, digits and _ is written in double quotes, such as "html-url"';

/** The steps of JSONPath that have the same meaning in JMESPath. */
const step = /\.([A-Za-z_][\w-]*)|\['((?:[^'\\]|\\['\\])*)'\]|\["((?:[^"\\]|\\["\\])*)"\]|\[(\d+)\]|\[\*\]/y;

function fromJsonPath(path: string): string {
  let expression = "@";
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const at = step.lastIndex;
    const match = step.exec(path);
    if (match === null) {
      throw new TypeError(
        `${JSON.stringify(path)} is a JSONPath that is not supported from ${JSON.stringify(path.slice(at))} on; ` +
          "the steps .name, ['name'], [0] and [*] are, and any JMESPath (which does not begin with $)",
      );
    }
    const [whole, dotted, single, double, index] = match;
    const name = dotted ?? (single ?? double)?.replace(/\\(.)/g, "$1");
    if (name !== undefined) expression += `.${JSON.stringify(name)}`;
    else expression += index === undefined ? whole : `[${index}]`;
  }
  return expression;
}

/** The names and indexes of a path that goes straight to one place. */
function namedSteps(node: Node): (string | number)[] | undefined {
  switch (node.type) {
    case "Current":
    case "Identity":
      return [];
    case "Field":
      return [node.name];
    case "Index":
      return node.value < 0 ? undefined : [node.value];
    case "Subexpression":
    case "IndexExpression": {
      const left = namedSteps(node.left);
      const right = left === undefined ? undefined : namedSteps(node.right);
      return left === undefined || right === undefined ? undefined : [...left, ...right];
    }
    case "Projection": // `items[*]` is the list itself; the library would drop its nulls, which are no rows
      return node.right.type === "Identity" ? namedSteps(node.left) : undefined;
    default:
      return undefined;
  }
}

function follow(value: unknown, steps: readonly (string | number)[]): unknown {
  let current = value;
  for (const name of steps) {
    if (typeof current !== "object" || current === null) return undefined;
    if (Array.isArray(current) !== (typeof name === "number") || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string | number, unknown>)[name];
  }
  return current;
}

/** Nodes whose value does not depend on what a number is, only on which it is. */
const exactNodes = new Set([
  ...["Current", "Identity", "Root", "Field", "Index", "Subexpression", "IndexExpression", "Slice", "Projection"],
  ...["ValueProjection", "FilterProjection", "Flatten", "Pipe", "OrExpression", "AndExpression", "NotExpression"],
  ...["MultiSelectHash", "MultiSelectList", "KeyValuePair", "Literal", "EQ", "NE"],
]);

/** Nodes that keep every element of a list; a projection drops those for which it finds null. */
const completeNodes = new Set([
  ...["Current", "Identity", "Root", "Field", "Index", "Subexpression", "IndexExpression", "Pipe", "OrExpression"],
  "Literal",
]);

/** Whether a test holds for a node of the path and for all below it. A comparison is tested under its operator. */
function everyNode(node: object, test: (node: { readonly type: string; readonly name?: string }) => boolean): boolean {
  const { type, name } = node as { readonly type: string; readonly name?: string };
  if (!test(type === "Comparator" ? { type: String(name) } : { type, name })) return false;
  if (type === "Literal") return true;
  return Object.values(node)
    .flat()
    .every((part) => typeof part !== "object" || part === null || !("type" in part) || everyNode(part, test));
}

function roundingPath(text: string): SqlError {
  return new SqlError(sqlstate.fdwError, `the path ${JSON.stringify(text)} can't be tried on the service's answer`, {
    detail: "It compares or computes, and the answer has numbers of more digits than JMESPath computes with.",
    hint: "Use a path that only names places, and compare in SQL.",
  });
}
