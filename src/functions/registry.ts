/**
 * The library of functions and operators by name. Families are tables in files of their own; this file joins them and
 * indexes them once, on first use, so that importing it costs next to nothing.
 */
import type { AnyFunction, Operator } from "./function.js";

/** Every family of functions; a new family adds a line here. */
const functionFamilies: readonly (readonly AnyFunction[])[] = [];

/** Every family of operators. */
const operatorFamilies: readonly (readonly Operator[])[] = [];

let functionIndex: Map<string, AnyFunction[]> | undefined;
let operatorIndex: Map<string, Operator[]> | undefined;

/** All overloads of a function, an empty list when there is none of that name. */
export function functionsNamed(name: string): readonly AnyFunction[] {
  functionIndex ??= indexByName(functionFamilies);
  return functionIndex.get(name) ?? [];
}

/** All overloads of an operator symbol, prefix and infix. */
export function operatorsNamed(symbol: string): readonly Operator[] {
  operatorIndex ??= indexByName(operatorFamilies);
  return operatorIndex.get(symbol) ?? [];
}

/** Every function name, for "did you mean" and for the generated documentation. */
export function functionNames(): IterableIterator<string> {
  functionIndex ??= indexByName(functionFamilies);
  return functionIndex.keys();
}

/** Every operator symbol. */
export function operatorSymbols(): IterableIterator<string> {
  operatorIndex ??= indexByName(operatorFamilies);
  return operatorIndex.keys();
}

function indexByName<E extends { readonly name: string }>(families: readonly (readonly E[])[]): Map<string, E[]> {
  const index = new Map<string, E[]>();
  for (const family of families) {
    for (const entry of family) {
      const overloads = index.get(entry.name);
      if (overloads === undefined) index.set(entry.name, [entry]);
      else overloads.push(entry);
    }
  }
  return index;
}
