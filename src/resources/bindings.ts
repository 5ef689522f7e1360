/** Makes the `Bindings` that a resolver receives from the values that a statement binds. */
import type { Bindings, Qual, SqlScalar } from "./resource.js";

/**
 * @param values column → its values, without duplicates and without NULL
 * @param quals predicates beyond equality
 */
export function createBindings(values: ReadonlyMap<string, readonly unknown[]>, quals: readonly Qual[] = []): Bindings {
  const eq = values as ReadonlyMap<string, SqlScalar[]>;
  const bindings: Bindings = {
    eq,
    one: ((column: string) => {
      const bound = values.get(column);
      return bound !== undefined && bound.length === 1 ? bound[0] : undefined;
    }) as Bindings["one"],
    all: ((column: string) => [...(values.get(column) ?? [])]) as Bindings["all"],
    has: (column) => values.has(column),
    quals,
  };
  return bindings;
}
