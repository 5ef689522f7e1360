/** Loads a policy from YAML or JSON. Needs the optional peer `yaml`. */
import type { Policy } from "../types.js";
import { checkPolicy } from "./check-policy.js";
import { type PolicyProblem, problemsOfPolicy, wayTo } from "./problems.js";

type Yaml = typeof import("yaml");

/** Where the text comes from, for messages. */
export interface ReadPolicyOptions {
  /** Default: `policy`. */
  readonly file?: string;
}

/**
 * A policy from its text (YAML or JSON) or from data that was read already. `approve` is added in code:
 * `{ ...(await readPolicy(text)), approve }`.
 * @throws TypeError with one line a problem: `policy.yaml:3:5: tables.crm is no key …`; for a key that stands twice too
 */
export async function readPolicy(source: string | object, options: ReadPolicyOptions = {}): Promise<Policy> {
  if (typeof source !== "string") return checkPolicy(source);
  const { file = "policy" } = options;
  const yaml = await loadYaml();
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(source, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    uniqueKeys: true,
  });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const faults = [...document.errors, ...document.warnings].map(
    (fault) => `${place(fault.pos[0])}: ${faultWords(fault.message)}`,
  );
  if (faults.length > 0) throw new TypeError(faults.join("\n"));
  const data = dataOf(document, place(0));
  const problems = problemsOfPolicy(data).map(
    (problem) => `${place(offsetOf(document, problem, yaml))}: ${wayTo(problem.path)} ${problem.message}`,
  );
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return checkPolicy(data);
}

async function loadYaml(): Promise<Yaml> {
  try {
    return await import("yaml");
  } catch (error) {
    throw new Error("reading a policy from a text needs the package yaml: npm install yaml", { cause: error });
  }
}

function faultWords(message: string): string {
  const words = message.split("\n")[0];
  return `not readable: ${words[0].toLowerCase()}${words.slice(1)}`;
}

function dataOf(document: import("yaml").Document, place: string): unknown {
  try {
    return document.toJS() ?? {}; // an empty text is a policy without rules
  } catch (error) {
    throw new TypeError(`${place}: not readable: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Where the value at a path, or its key, stands; the nearest enclosing one when it is missing. */
function offsetOf(document: import("yaml").Document, { path, isKey }: PolicyProblem, yaml: Yaml): number {
  if (isKey && path.length > 0) {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const pair = yaml.isMap(parent)
      ? parent.items.find(({ key }) => keyText(key, yaml) === String(path.at(-1)))
      : undefined;
    if (yaml.isNode(pair?.key) && pair.key.range != null) return pair.key.range[0];
  }
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (yaml.isNode(node) && node.range != null) return node.range[0];
  }
  return 0;
}

function keyText(key: unknown, yaml: Yaml): string {
  return String(yaml.isScalar(key) ? key.value : key);
}
