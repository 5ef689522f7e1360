/** The plain shape of an aggregate: immutable, strict, one accumulator whatever its types. */
import type { TypeName } from "../../types/type.js";
import type { Accumulator, AggregateFunction } from "../function.js";

/** An aggregate without a way of its own to be called: rows with a NULL argument are skipped. @param description for the documentation */
export function simpleAggregate(
  name: string,
  args: readonly TypeName[],
  returns: TypeName,
  accumulator: Accumulator<unknown>,
  description?: string,
): AggregateFunction {
  return {
    kind: "aggregate",
    aggregateKind: "normal",
    name,
    args,
    returns,
    volatility: "immutable",
    strict: true,
    ...(description !== undefined && { description }),
    create: () => accumulator,
  };
}
