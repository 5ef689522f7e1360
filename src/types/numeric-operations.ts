/** The entry of type numeric for `operationsOf`. */
import { SqlError } from "../errors/sql-error.js";
import {
  applyNumericModifier,
  type Numeric,
  numericCompare,
  numericKey,
  numericText,
  numericToHost,
  parseNumeric,
} from "./numeric.js";
import type { TypeOperations } from "./operations.js";

export const numericOperations: TypeOperations = {
  input: (text, typmod) => applyNumericModifier(parseNumeric(text), typmod),
  output: (value) => numericText(value as Numeric),
  compare: (a, b) => numericCompare(a as Numeric, b as Numeric),
  key: (value) => numericKey(value as Numeric),
  fromHost(value, typmod) {
    if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string") return undefined;
    try {
      return applyNumericModifier(parseNumeric(String(value)), typmod);
    } catch (error) {
      if (error instanceof SqlError) return undefined; // the caller says which value it was
      throw error;
    }
  },
  toHost: (value) => numericToHost(value as Numeric),
};
