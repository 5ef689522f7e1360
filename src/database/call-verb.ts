/** Calls the verb of an effect, or what undoes it. */
import { createBindings } from "../resources/bindings.js";
import { invokedBy } from "../resources/nested-statements.js";
import type { ResourceContext } from "../resources/resource.js";
import type { Effect } from "./effect.js";
import { ownCopy } from "./own-copy.js";

/** What a verb's call needs from the session. */
export interface VerbContext {
  readonly signal: AbortSignal;
  readonly actor?: string;
  /** For whatever resolvers want to remember during one `execute`. */
  readonly shared: Map<string, unknown>;
}

/** @returns what the verb answered. @throws what it throws */
export async function callVerb(effect: Effect, context: VerbContext): Promise<unknown> {
  const resourceContext: ResourceContext = {
    signal: context.signal,
    cache: context.shared,
    idempotencyKey: effect.idempotencyKey,
    ...(context.actor !== undefined && { actor: context.actor }),
    progress: () => undefined,
    missing: () => {
      throw new TypeError("missing() is for reads: a write happens as a whole or fails");
    },
  };
  return invokedBy(context.shared, context.signal, () => invoke(effect, resourceContext));
}

/** Each call gets arguments of its own: a verb may change what it is given, and the next attempt sends the same again. */
function invoke(effect: Effect, resourceContext: ResourceContext): unknown {
  const { resource } = effect.table;
  if (effect.compensates !== undefined) return resource.compensate?.[effect.op]?.(effect.compensates, resourceContext);
  switch (effect.op) {
    case "insert":
      return resource.insert?.(ownCopy([...(effect.decodedRows ?? [])]), resourceContext);
    case "update":
      return resource.update?.(ownCopy({ ...effect.decodedSet }), matchBindings(effect), resourceContext);
    case "delete":
      return resource.delete?.(matchBindings(effect), resourceContext);
  }
}

function matchBindings(effect: Effect) {
  return createBindings(
    new Map(Object.entries(effect.decodedMatch ?? {}).map(([column, value]) => [column, [ownCopy(value)]])),
  );
}
