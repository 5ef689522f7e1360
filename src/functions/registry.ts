/**
 * The library of functions and operators by name. Families are tables in files of their own; this file joins them and
 * indexes them once, on first use, so that importing it costs next to nothing.
 */
import { collectingAggregates } from "./aggregates/collecting.js";
import { countingAggregates } from "./aggregates/counting.js";
import { extremeAggregates } from "./aggregates/extremes.js";
import { hypotheticalSetAggregates } from "./aggregates/hypothetical-set.js";
import { intervalAggregates } from "./aggregates/intervals.js";
import { jsonAggregates } from "./aggregates/json.js";
import { orderedSetAggregates } from "./aggregates/ordered-set.js";
import { regressionAggregates } from "./aggregates/regression.js";
import { statisticsAggregates } from "./aggregates/statistics.js";
import { sumAggregates } from "./aggregates/sums.js";
import { arithmeticOperators } from "./arithmetic.js";
import { arrayFunctions, arrayOperators } from "./arrays.js";
import { citextFunctions, citextSetFunctions } from "./citext.js";
import { comparisonFunctions, comparisonOperators } from "./comparison.js";
import { conversionFunctions } from "./datetime/conversions.js";
import { currentFunctions } from "./datetime/current.js";
import { extractFunctions } from "./datetime/extract.js";
import { makeFunctions } from "./datetime/make.js";
import { datetimeOperators } from "./datetime/operators.js";
import { periodFunctions } from "./datetime/periods.js";
import { truncateFunctions } from "./datetime/truncate.js";
import { enumFunctions } from "./enums.js";
import { formattingFunctions } from "./formatting/functions.js";
import { numberToChar } from "./formatting/number-to-char.js";
import type { AnyFunction, Operator } from "./function.js";
import { jsonConstructors } from "./json/construct.js";
import { jsonExpanders } from "./json/expand.js";
import { jsonExtractFunctions, jsonOperators } from "./json/operators.js";
import { jsonProcessors } from "./json/process.js";
import { jsonRecordFunctions } from "./json/records.js";
import { jsonPathFunctions, jsonPathOperators } from "./jsonpath/functions.js";
import { likeFunctions, likeMatchers } from "./like.js";
import { mathFunctions } from "./math.js";
import { missingOperators } from "./missing.js";
import { operatorFunctionsNamed } from "./operator-functions.js";
import { regexFunctions, regexSetFunctions } from "./regex/functions.js";
import { regexOperators } from "./regex/operators.js";
import { regexReplacing } from "./regex/replacing.js";
import { similarFunctions } from "./regex/similar.js";
import { sequenceFunctions } from "./sequences.js";
import { setFunctions } from "./sets.js";
import { basicStringOperators, basicStrings } from "./strings/basic.js";
import { binaryFunctions } from "./strings/binary.js";
import { concatenationFunctions, concatenationOperators } from "./strings/concatenation.js";
import { encodingFunctions } from "./strings/encodings.js";
import { formatFunctions } from "./strings/format.js";
import { hashFunctions } from "./strings/hashes.js";
import { quotingFunctions } from "./strings/quoting.js";
import { replacingFunctions } from "./strings/replacing.js";
import { substringFunctions } from "./strings/substrings.js";
import { transferEncodings } from "./strings/transfer-encodings.js";
import { unicodeFunctions } from "./strings/unicode.js";
import { systemFunctions } from "./system.js";
import { timeSeries } from "./time-series.js";
import { windowFunctions } from "./windows.js";

/** Every family of functions; a new family adds a line here. */
const functionFamilies: readonly (readonly AnyFunction[])[] = [
  arrayFunctions,
  jsonConstructors,
  jsonExtractFunctions,
  jsonProcessors,
  jsonExpanders,
  jsonRecordFunctions,
  jsonPathFunctions,
  mathFunctions,
  comparisonFunctions,
  enumFunctions,
  systemFunctions,
  sequenceFunctions,
  basicStrings,
  substringFunctions,
  replacingFunctions,
  concatenationFunctions,
  formatFunctions,
  quotingFunctions,
  unicodeFunctions,
  hashFunctions,
  encodingFunctions,
  transferEncodings,
  binaryFunctions,
  likeFunctions,
  regexFunctions,
  regexReplacing,
  similarFunctions,
  regexSetFunctions,
  citextFunctions,
  citextSetFunctions,
  countingAggregates,
  sumAggregates,
  intervalAggregates,
  extremeAggregates,
  collectingAggregates,
  jsonAggregates,
  statisticsAggregates,
  regressionAggregates,
  orderedSetAggregates,
  hypotheticalSetAggregates,
  windowFunctions,
  setFunctions,
  timeSeries,
  extractFunctions,
  truncateFunctions,
  makeFunctions,
  periodFunctions,
  currentFunctions,
  conversionFunctions,
  formattingFunctions,
  numberToChar,
];

/** Every family of operators. */
const operatorFamilies: readonly (readonly Operator[])[] = [
  arrayOperators,
  jsonOperators,
  jsonPathOperators,
  missingOperators,
  comparisonOperators,
  arithmeticOperators,
  concatenationOperators,
  basicStringOperators,
  likeMatchers,
  regexOperators,
  datetimeOperators,
];

let functionIndex: Map<string, AnyFunction[]> | undefined;
let operatorIndex: Map<string, Operator[]> | undefined;

/** All overloads of a function, an empty list when there is none of that name. */
export function functionsNamed(name: string): readonly AnyFunction[] {
  functionIndex ??= indexByName(functionFamilies);
  return functionIndex.get(name) ?? operatorFunctionsNamed(name, operatorsNamed);
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
