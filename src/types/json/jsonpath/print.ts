/** The text form of a path, as PostgreSQL prints it: names quoted, parentheses where precedence needs them. */
import { numberText } from "../number.js";
import { quoteJson } from "../write.js";
import type { JsonPath, PathChain, PathItem } from "./ast.js";

export function pathText(path: JsonPath): string {
  return (path.lax ? "" : "strict ") + chainText(path.root, true);
}

function chainText(chain: PathChain, parentheses: boolean): string {
  return chain
    .map((item, i) => itemText(item, i > 0, i === 0 ? parentheses || chain.length > 1 : true, chain.length > i + 1))
    .join("");
}

function itemText(item: PathItem, asAccessor: boolean, parentheses: boolean, hasNext: boolean): string {
  const wrap = (text: string): string => (parentheses ? `(${text})` : text);
  const dot = asAccessor ? "." : "";
  switch (item.kind) {
    case "null":
    case "last":
      return item.kind;
    case "root":
      return "$";
    case "current":
      return "@";
    case "any key":
      return `${dot}*`;
    case "any array":
      return "[*]";
    case "key":
      return dot + quoteJson(item.value);
    case "string":
      return quoteJson(item.value);
    case "variable":
      return `$${quoteJson(item.value)}`;
    case "number":
      return hasNext ? `(${numberText(item.value)})` : numberText(item.value);
    case "boolean":
      return String(item.value);
    case "index":
      return `[${item.subscripts
        .map(({ from, to }) => chainText(from, false) + (to === undefined ? "" : ` to ${chainText(to, false)}`))
        .join()}]`;
    case "any":
      return `${dot}**${levelsText(item.first, item.last)}`;
    case "filter":
      return `?(${chainText(item.predicate, false)})`;
    case "method":
      return `.${item.name}()`;
    case "datetime":
      return `.datetime(${item.template === undefined ? "" : quoteJson(item.template)})`;
    case "sign":
      return wrap(item.operator + operandText(item.operand, item));
    case "not":
      return `!(${chainText(item.operand, false)})`;
    case "exists":
      return `exists (${chainText(item.operand, false)})`;
    case "is unknown":
      return `(${chainText(item.operand, false)}) is unknown`;
    case "like_regex": {
      const flags = item.flags === "" ? "" : ` flag "${item.flags}"`;
      return wrap(`${operandText(item.operand, item)} like_regex ${quoteJson(item.pattern)}${flags}`);
    }
    default:
      return wrap(`${operandText(item.left, item)} ${operatorText(item)} ${operandText(item.right, item)}`);
  }
}

function operandText(chain: PathChain, parent: PathItem): string {
  return chainText(chain, priority(chain[0]) <= priority(parent));
}

function operatorText(item: PathItem): string {
  switch (item.kind) {
    case "and":
      return "&&";
    case "or":
      return "||";
    case "comparison":
    case "arithmetic":
      return item.operator;
    default:
      return item.kind;
  }
}

function priority(item: PathItem): number {
  switch (item.kind) {
    case "or":
      return 0;
    case "and":
      return 1;
    case "comparison":
    case "starts with":
      return 2;
    case "arithmetic":
      return item.operator === "+" || item.operator === "-" ? 3 : 4;
    case "sign":
      return 5;
    default:
      return 6;
  }
}

function levelsText(first: number, last: number): string {
  const unbounded = Number.POSITIVE_INFINITY;
  if (first === 0 && last === unbounded) return "";
  const name = (level: number): string => (level === unbounded ? "last" : String(level));
  return first === last ? `{${name(first)}}` : `{${name(first)} to ${name(last)}}`;
}
