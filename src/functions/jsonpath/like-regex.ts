/** The patterns of `like_regex`: XQuery's flags on the program's own regular expressions. */
import type { JsonPath, PathChain } from "../../types/json/jsonpath/ast.js";
import { compileRegex, type Regex } from "../regex/regex.js";
import { defaultOptions } from "../regex/syntax.js";

/** A pattern with the flags of a path. @throws SqlError 2201B for a malformed pattern, 0A000 for look-around and back-references */
export function pathRegex(pattern: string, flags: string): Regex {
  const ignoreCase = flags.includes("i");
  if (flags.includes("q")) return compileRegex(pattern, { ...defaultOptions, ignoreCase, syntax: "literal" });
  const newlineStops = !flags.includes("s");
  return compileRegex(pattern, { ...defaultOptions, ignoreCase, newlineStops, lineAnchors: flags.includes("m") });
}

const checked = new WeakSet<JsonPath>();

/** Compiles every pattern of a path, so that a malformed one is found whatever the path is applied to. */
export function checkPatterns(path: JsonPath): void {
  if (checked.has(path)) return;
  checkChain(path.root);
  checked.add(path);
}

function checkChain(chain: PathChain): void {
  for (const item of chain) {
    switch (item.kind) {
      case "like_regex":
        pathRegex(item.pattern, item.flags);
        checkChain(item.operand);
        break;
      case "filter":
        checkChain(item.predicate);
        break;
      case "index":
        for (const { from, to } of item.subscripts) {
          checkChain(from);
          if (to !== undefined) checkChain(to);
        }
        break;
      case "sign":
      case "not":
      case "exists":
      case "is unknown":
        checkChain(item.operand);
        break;
      case "and":
      case "or":
      case "comparison":
      case "arithmetic":
      case "starts with":
        checkChain(item.left);
        checkChain(item.right);
        break;
    }
  }
}
