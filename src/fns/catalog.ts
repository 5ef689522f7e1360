/** A set of functions by name. */
import { closest } from "../errors/did-you-mean.js";
import { assertFnName, type ToolFn } from "./tool-fn.js";

/** Functions in the order they were registered; a name stands for one function. */
export class FnCatalog {
  private readonly fns = new Map<string, ToolFn>();

  constructor(fns: Iterable<ToolFn> = []) {
    this.registerAll(fns);
  }

  /** Adds a function. @throws Error when its name is taken or no identifier */
  register(fn: ToolFn): this {
    assertFnName(fn.name);
    if (this.fns.has(fn.name)) throw new Error(`function ${JSON.stringify(fn.name)} is already registered`);
    this.fns.set(fn.name, fn);
    return this;
  }

  /** Adds several functions, or none of them when one can't be added. */
  registerAll(fns: Iterable<ToolFn>): this {
    const added: string[] = [];
    try {
      for (const fn of fns) {
        this.register(fn);
        added.push(fn.name);
      }
    } catch (error) {
      for (const name of added) this.fns.delete(name);
      throw error;
    }
    return this;
  }

  /** The function of that name. */
  get(name: string): ToolFn | undefined {
    return this.fns.get(name);
  }

  /** Whether there is a function of that name. */
  has(name: string): boolean {
    return this.fns.has(name);
  }

  /** All functions, in the order they were registered. */
  list(): ToolFn[] {
    return [...this.fns.values()];
  }

  /** Their names, in the same order. */
  names(): string[] {
    return [...this.fns.keys()];
  }

  /** The function, or an error that names the one probably meant. */
  require(name: string): ToolFn {
    const fn = this.fns.get(name);
    if (fn !== undefined) return fn;
    const hint = closest(name, this.fns.keys());
    const meant = hint === undefined ? "" : `, perhaps you meant ${JSON.stringify(hint)}`;
    throw new Error(`there is no function ${JSON.stringify(name)}${meant}`);
  }
}
