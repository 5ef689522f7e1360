/** Checks what a resource declares of how its calls are to be made: a limit of nothing would never let a call start. */
import type { ResourceTable } from "./resource.js";

/** @param fail throws the error that names the resource */
export function checkCallOptions(resource: ResourceTable, fail: (problem: string) => never): void {
  const { retry, rateLimit } = resource;
  const above = (name: string, value: number | undefined, least: number) => {
    if (value !== undefined && !(typeof value === "number" && value >= least))
      fail(`${name} must be a number of at least ${least}, not ${JSON.stringify(value)}`);
  };
  above("concurrency", resource.concurrency, 1);
  above("timeoutMs", resource.timeoutMs, 1);
  above("idleTimeoutMs", resource.idleTimeoutMs, 1);
  above("ttlMs", resource.ttlMs, 0);
  above("maxPages", resource.maxPages, 1);
  above("retry.retries", retry?.retries, 0);
  above("retry.minDelayMs", retry?.minDelayMs, 0);
  above("retry.maxDelayMs", retry?.maxDelayMs, 0);
  above("rateLimit.burst", rateLimit?.burst, 1);
  const { perSecond } = rateLimit ?? {};
  if (rateLimit !== undefined && !(typeof perSecond === "number" && perSecond > 0))
    fail(`rateLimit.perSecond must be a number above 0, not ${JSON.stringify(perSecond)}`);
  checkWriteOptions(resource, fail);
  if (resource.ttlMs !== undefined && resource.volatility === "volatile")
    fail("a volatile answer is never kept: leave ttlMs out, or make the resource stable");
}

const writes = ["insert", "update", "delete"] as const;

/** What is said of a write has to speak of a verb that is there. */
function checkWriteOptions(resource: ResourceTable, fail: (problem: string) => never): void {
  const { idempotent, compensate } = resource;
  const check = (option: string, verb: string) => {
    const known = writes.find((name) => name === verb);
    if (known === undefined) fail(`${option}: ${JSON.stringify(verb)} is none of ${writes.join(", ")}`);
    else if (resource[known] === undefined) fail(`${option}: there is no ${verb}`);
  };
  if (idempotent !== undefined && !Array.isArray(idempotent)) fail("idempotent must be a list of verbs");
  for (const verb of idempotent ?? []) check("idempotent", verb);
  for (const [verb, undo] of Object.entries(compensate ?? {})) {
    check("compensate", verb);
    if (undo !== undefined && typeof undo !== "function") fail(`compensate.${verb} must be a function`);
  }
}
