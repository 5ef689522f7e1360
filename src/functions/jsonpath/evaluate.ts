/**
 * Evaluates SQL/JSON paths over jsonb items, after PostgreSQL 15's jsonpath_exec.c: lax and strict mode, automatic
 * wrapping and unwrapping of arrays, predicates of three values. Items are handed to a callback that can stop the search,
 * so that `exists` in lax mode does not look (or fail) further than its first hit.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import {
  elementAt,
  fieldOf,
  isObject,
  isScalar,
  type JsonItem,
  type JsonNumber,
  type JsonObject,
  keysOf,
  kindOf,
} from "../../types/json/item.js";
import { isPredicate, type JsonPath, type PathChain, type PathItem } from "../../types/json/jsonpath/ast.js";
import { asNumeric, compact } from "../../types/json/number.js";
import { checkDepth } from "../../types/json/parse.js";
import { Numeric, numericToNumber, numericTruncate } from "../../types/numeric.js";
import type { TypeContext } from "../../types/operations.js";
import { spendWork } from "../../types/work.js";
import { applyArithmetic, applySign } from "./arithmetic.js";
import { PathDatetime } from "./datetime.js";
import { PathFailure, pathFailure } from "./failure.js";
import { applyDatetime, applyMethod } from "./methods.js";
import type { ObjectBase } from "./object-id.js";
import { evaluatePredicate } from "./predicates.js";

/** What a step of a path costs, in units of work. */
const unitsOfStep = 8;

/** What a path works on. */
export type PathValue = JsonItem | PathDatetime;

/** Takes an item; true means that no more are wanted. */
export type Emit = (value: PathValue) => boolean;

/** One evaluation of a path: its variables, and where it stands. */
export class PathEvaluation {
  readonly lax: boolean;
  /** Missing fields and wrong kinds are passed over: lax mode, and everywhere below `.**`. */
  ignoreStructure: boolean;
  current: PathValue;
  /** The value that `.keyvalue()` numbers objects in. */
  base: ObjectBase;
  private readonly rootBase: ObjectBase;
  private readonly variableBase: ObjectBase;
  private nextBase = 2;
  /** Size of the array whose subscripts are evaluated: `last`. */
  private arraySize = -1;
  private depth = 0;
  /** The callback of a search that only asks whether there is an item. */
  private existence: Emit | undefined;

  constructor(
    readonly path: JsonPath,
    readonly root: JsonItem,
    readonly variables: JsonObject,
    readonly useZone: boolean,
    readonly context: TypeContext,
  ) {
    this.lax = path.lax;
    this.ignoreStructure = path.lax;
    this.current = root;
    this.rootBase = { root, number: 0 };
    this.variableBase = { root: variables, number: 1 };
    this.base = this.rootBase;
  }

  /** All items of the path, put into `found` one by one: a failure leaves those before it. @throws PathFailure */
  collectInto(found: PathValue[]): void {
    this.run(this.path.root, 0, this.root, this.lax, (item) => {
      found.push(item);
      return false;
    });
  }

  /** Whether the path has an item. Strict mode looks at all of them, since a failure anywhere counts. @throws PathFailure */
  exists(): boolean {
    return this.anyItem(this.path.root, this.root, false);
  }

  anyItem(chain: PathChain, value: PathValue, unwrapResult: boolean): boolean {
    if (!this.lax) return this.collect(chain, value, unwrapResult).length > 0;
    let found = false;
    const emit: Emit = () => {
      found = true;
      return true;
    };
    const before = this.existence;
    this.existence = emit;
    this.run(chain, 0, value, true, emit);
    this.existence = before;
    return found;
  }

  /** The items of an expression; arrays among them are replaced by their elements when `unwrapResult` is set, in lax mode. */
  collect(chain: PathChain, value: PathValue, unwrapResult: boolean): PathValue[] {
    const found: PathValue[] = [];
    this.run(chain, 0, value, this.lax, (item) => {
      if (unwrapResult && this.lax && Array.isArray(item)) {
        for (let i = 0; i < item.length; i++) found.push(elementAt(item, i));
      } else found.push(item);
      return false;
    });
    return found;
  }

  /** Applies the items of a chain from `at` on. `unwrap`: an array is gone through where a single item is expected. */
  run(chain: PathChain, at: number, value: PathValue, unwrap: boolean, emit: Emit): boolean {
    spendWork(unitsOfStep);
    if (at >= chain.length) return emit(value);
    checkDepth(++this.depth);
    const enough = this.step(chain, at, value, unwrap, emit);
    this.depth--;
    return enough;
  }

  private next(chain: PathChain, at: number, value: PathValue, emit: Emit): boolean {
    return this.run(chain, at + 1, value, this.lax, emit);
  }

  private step(chain: PathChain, at: number, value: PathValue, unwrap: boolean, emit: Emit): boolean {
    const item = chain[at];
    switch (item.kind) {
      case "root":
        return this.inBase(this.rootBase, () => this.next(chain, at, this.root, emit));
      case "current":
        return this.next(chain, at, this.current, emit);
      case "null":
        return this.next(chain, at, null, emit);
      case "string":
      case "number":
      case "boolean":
        return this.next(chain, at, item.value, emit);
      case "variable":
        return this.inBase(this.variableBase, () => this.next(chain, at, this.variable(item.value), emit));
      case "last":
        return this.next(chain, at, this.arraySize - 1, emit);
      case "key":
        return this.key(item.value, chain, at, value, unwrap, emit);
      case "any key":
        return this.anyKey(chain, at, value, unwrap, emit);
      case "any array":
        return this.anyArray(chain, at, value, emit);
      case "index":
        return this.index(item, chain, at, value, emit);
      case "any":
        return this.anyLevel(item.first, item.last, chain, at, value, emit);
      case "filter":
        if (unwrap && Array.isArray(value)) return this.unwrapTarget(chain, at, value, emit);
        if (this.nested(item.predicate, value) !== true) return false;
        return this.next(chain, at, value, emit);
      case "method":
        if (unwrap && Array.isArray(value) && item.name !== "type" && item.name !== "size")
          return this.unwrapTarget(chain, at, value, emit);
        return applyMethod(item.name, value, this, (result) => this.next(chain, at, result, emit));
      case "datetime":
        if (unwrap && Array.isArray(value)) return this.unwrapTarget(chain, at, value, emit);
        return this.next(chain, at, applyDatetime(value, item.template), emit);
      case "arithmetic": {
        const left = this.collect(item.left, value, true);
        const right = this.collect(item.right, value, true);
        return this.next(chain, at, applyArithmetic(item.operator, left, right), emit);
      }
      case "sign":
        for (const operand of this.collect(item.operand, value, true)) {
          // PostgreSQL passes over what is no number when only existence is asked for
          if (emit === this.existence && at === chain.length - 1 && !isNumber(operand)) continue;
          if (this.next(chain, at, applySign(item.operator, operand), emit)) return true;
        }
        return false;
      default: {
        const truth = evaluatePredicate(item, value, this);
        return this.next(chain, at, truth === undefined ? null : truth, emit);
      }
    }
  }

  /** A predicate with `@` standing for `value`. `undefined` is unknown. */
  private nested(predicate: PathChain, value: PathValue): boolean | undefined {
    const before = this.current;
    this.current = value;
    const truth = this.test(predicate, value);
    this.current = before;
    return truth;
  }

  /** A chain that is one predicate. */
  test(chain: PathChain, value: PathValue): boolean | undefined {
    const [item] = chain;
    if (chain.length !== 1 || !isPredicate(item))
      throw new SqlError(sqlstate.internalError, "boolean jsonpath item cannot have next item");
    return evaluatePredicate(item, value, this);
  }

  /** Does something while objects are numbered in another value. */
  inBase(base: ObjectBase, work: () => boolean): boolean {
    const before = this.base;
    this.base = base;
    const enough = work();
    this.base = before;
    return enough;
  }

  newBase(root: JsonItem): ObjectBase {
    return { root, number: this.nextBase++ };
  }

  private variable(name: string): JsonItem {
    const value = fieldOf(this.variables, name);
    if (value === undefined) {
      throw new SqlError(sqlstate.undefinedObject, `could not find jsonpath variable "${name}"`, {
        hint: `Pass it in the vars argument: '{"${name}": …}'.`,
      });
    }
    return value;
  }

  private unwrapTarget(chain: PathChain, at: number, array: readonly unknown[], emit: Emit): boolean {
    for (let i = 0; i < array.length; i++) if (this.run(chain, at, elementAt(array, i), false, emit)) return true;
    return false;
  }

  private key(name: string, chain: PathChain, at: number, value: PathValue, unwrap: boolean, emit: Emit): boolean {
    if (isPathObject(value)) {
      const field = fieldOf(value, name);
      if (field !== undefined) return this.next(chain, at, field, emit);
      if (this.ignoreStructure) return false;
      throw pathFailure(sqlstate.jsonMemberNotFound, `JSON object does not contain key "${name}"`);
    }
    if (unwrap && Array.isArray(value)) return this.unwrapTarget(chain, at, value, emit);
    if (this.ignoreStructure) return false;
    throw pathFailure(sqlstate.jsonMemberNotFound, "jsonpath member accessor can only be applied to an object");
  }

  private anyKey(chain: PathChain, at: number, value: PathValue, unwrap: boolean, emit: Emit): boolean {
    if (isPathObject(value)) {
      for (const key of keysOf(value)) if (this.next(chain, at, fieldOf(value, key) ?? null, emit)) return true;
      return false;
    }
    if (unwrap && Array.isArray(value)) return this.unwrapTarget(chain, at, value, emit);
    if (this.ignoreStructure) return false;
    throw pathFailure(
      sqlstate.jsonObjectNotFound,
      "jsonpath wildcard member accessor can only be applied to an object",
    );
  }

  private anyArray(chain: PathChain, at: number, value: PathValue, emit: Emit): boolean {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) if (this.next(chain, at, elementAt(value, i), emit)) return true;
      return false;
    }
    if (this.lax) return this.next(chain, at, value, emit);
    if (this.ignoreStructure) return false;
    throw pathFailure(sqlstate.jsonArrayNotFound, "jsonpath wildcard array accessor can only be applied to an array");
  }

  private index(
    item: PathItem & { kind: "index" },
    chain: PathChain,
    at: number,
    value: PathValue,
    emit: Emit,
  ): boolean {
    const array = Array.isArray(value) ? value : undefined;
    if (array === undefined && !this.lax) {
      if (this.ignoreStructure) return false;
      throw pathFailure(sqlstate.jsonArrayNotFound, "jsonpath array accessor can only be applied to an array");
    }
    const size = array === undefined ? 1 : array.length;
    const sizeBefore = this.arraySize;
    for (const subscript of item.subscripts) {
      this.arraySize = size;
      const from = this.subscript(subscript.from, value);
      const to = subscript.to === undefined ? from : this.subscript(subscript.to, value);
      this.arraySize = sizeBefore;
      if (!this.ignoreStructure && (from < 0 || from > to || to >= size))
        throw pathFailure(sqlstate.invalidJsonSubscript, "jsonpath array subscript is out of bounds");
      for (let i = Math.max(from, 0); i <= Math.min(to, size - 1); i++) {
        if (this.next(chain, at, array === undefined ? value : elementAt(array, i), emit)) return true;
      }
    }
    return false;
  }

  private subscript(chain: PathChain, value: PathValue): number {
    const found = this.collect(chain, value, false);
    if (found.length !== 1 || !isNumber(found[0])) {
      throw pathFailure(sqlstate.invalidJsonSubscript, "jsonpath array subscript is not a single numeric value");
    }
    const index = numericToNumber(numericTruncate(asNumeric(found[0]), 0));
    if (index < -2147483648 || index > 2147483647)
      throw pathFailure(sqlstate.invalidJsonSubscript, "jsonpath array subscript is out of integer range");
    return index;
  }

  private anyLevel(first: number, last: number, chain: PathChain, at: number, value: PathValue, emit: Emit): boolean {
    if (first === 0 && this.ignoringStructure(() => this.next(chain, at, value, emit))) return true;
    return !isPathScalar(value) && this.descend(chain, at, value, 1, first, last, emit);
  }

  private descend(
    chain: PathChain,
    at: number,
    value: PathValue,
    level: number,
    first: number,
    last: number,
    emit: Emit,
  ): boolean {
    if (level > last) return false;
    checkDepth(level);
    const leavesOnly = first === Number.POSITIVE_INFINITY;
    for (const part of partsOf(value)) {
      const wanted = level >= first || (leavesOnly && isPathScalar(part));
      if (wanted && this.ignoringStructure(() => this.next(chain, at, part, emit))) return true;
      if (level < last && !isPathScalar(part) && this.descend(chain, at, part, level + 1, first, last, emit))
        return true;
    }
    return false;
  }

  private ignoringStructure(work: () => boolean): boolean {
    const before = this.ignoreStructure;
    this.ignoreStructure = true;
    const enough = work();
    this.ignoreStructure = before;
    return enough;
  }

  /**
   * A part of a predicate; `undefined` when it fails in a way that can be silenced, which makes the predicate unknown.
   * The evaluation stands where it stood before.
   */
  quietly<T>(work: () => T): T | undefined {
    const { current, base, arraySize, depth, existence, ignoreStructure } = this;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof PathFailure)) throw error;
      Object.assign(this, { current, base, arraySize, depth, existence, ignoreStructure });
      return undefined;
    }
  }
}

/** Elements of an array, values of an object in the order of its keys. */
function* partsOf(value: PathValue): Generator<PathValue> {
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) yield elementAt(value, i);
  else if (isPathObject(value)) for (const key of keysOf(value)) yield fieldOf(value, key) ?? null;
}

export function isNumber(value: PathValue): value is JsonNumber {
  return typeof value === "number" || value instanceof Numeric;
}

export function isPathObject(value: PathValue): value is JsonObject {
  return !(value instanceof PathDatetime) && isObject(value);
}

function isPathScalar(value: PathValue): boolean {
  return value instanceof PathDatetime || isScalar(value);
}

/** Kind of an item, with dates and times as one of their own. */
export function pathKind(value: PathValue): ReturnType<typeof kindOf> | "datetime" {
  return value instanceof PathDatetime ? "datetime" : kindOf(value);
}

/** A numeric result in the form jsonb holds it. */
export function numberResult(value: Numeric): PathValue {
  return compact(value);
}
