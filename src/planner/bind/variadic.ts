/** `f(a, VARIADIC array)`: the elements of the array become the repeated arguments, as many as there are at run time. */
import type { Callable, CallSite } from "../../functions/function.js";
import { elements } from "../../types/array-shape.js";
import type { Value } from "../../types/value.js";

/**
 * Makes a callable that takes the array as its last argument. The function is specialized for each number of elements
 * that occurs, because some look at the types of all their arguments. A NULL array gives NULL, except to `format`, which
 * takes it as none.
 */
export function spreadVariadic(name: string, resolve: (site: CallSite) => Callable): (site: CallSite) => Callable {
  return (site) => {
    const fixed = site.argTypes.slice(0, -1);
    const array = site.argTypes[site.argTypes.length - 1];
    const element = array.element ?? array;
    const byLength = new Map<number, (...args: Value[]) => Value>();
    return (...args: Value[]) => {
      const last = args[args.length - 1];
      if (last === null && name !== "format") return null;
      const items = elements((last ?? []) as readonly Value[], element);
      let callable = byLength.get(items.length);
      if (callable === undefined) {
        const argTypes = [...fixed, ...items.map(() => element)];
        callable = resolve({ ...site, argTypes }) as (...args: Value[]) => Value;
        byLength.set(items.length, callable);
      }
      return callable(...args.slice(0, -1), ...items);
    };
  };
}
