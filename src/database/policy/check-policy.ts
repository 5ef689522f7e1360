/** A host's policy, checked and copied, so that nobody changes it while statements go by it. */
import type { Policy } from "../types.js";
import { problemsOfPolicy, wayTo } from "./problems.js";

/**
 * @returns a deep copy that can't be changed; `approve` is the host's own function, called on its object
 * @throws TypeError that names each wrong key with the nearest valid one, and each wrong value with its way
 */
export function checkPolicy(policy: unknown): Policy {
  if (typeof policy !== "object" || policy === null || Array.isArray(policy))
    throw new TypeError(`policy must be an object, not ${Array.isArray(policy) ? "a list" : String(policy)}`);
  const { approve, ...data } = policy as Policy & Record<string, unknown>;
  const problems = problemsOfPolicy(data).map(({ path, message }) => `${wayTo(path)} ${message}`);
  if (approve !== undefined && typeof approve !== "function")
    problems.push(`policy.approve must be a function, not ${typeof approve}`);
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  const copy = frozenCopy(data) as Policy;
  return approve === undefined ? copy : Object.freeze({ ...copy, approve: approve.bind(policy) });
}

/** Plain data only: the format lets nothing else through. A key `__proto__` is a key like others. */
function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (typeof value !== "object" || value === null) return value;
  return Object.freeze(
    Object.fromEntries(
      Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => [key, frozenCopy(part)]),
    ),
  );
}
