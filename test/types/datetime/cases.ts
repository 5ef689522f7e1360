/** Runs one case of the recorded tables (`test/types/data`, `test/functions/data`) and gives what a server would show. */
import { SqlError } from "../../../src/errors/sql-error.js";
import type { AnyFunction, CallSite, Operator, SessionContext } from "../../../src/functions/function.js";
import { datetimeCasts } from "../../../src/types/datetime/casts.js";
import { dateOperations } from "../../../src/types/datetime/date.js";
import { intervalOperations } from "../../../src/types/datetime/interval.js";
import { intervalField, intervalTypmod } from "../../../src/types/datetime/interval-modifier.js";
import { timeOperations, timetzOperations } from "../../../src/types/datetime/time.js";
import { timestampOperations, timestamptzOperations } from "../../../src/types/datetime/timestamp.js";
import { float4Operations, float8Operations } from "../../../src/types/float.js";
import { int4Operations, int8Operations } from "../../../src/types/integer.js";
import { numericOperations } from "../../../src/types/numeric-operations.js";
import type { TypeOperations } from "../../../src/types/operations.js";
import { textOperations } from "../../../src/types/text.js";
import { type TypeName, typeNamed } from "../../../src/types/type.js";
import type { Value } from "../../../src/types/value.js";

/** A recorded case: an input text, a function, an operator or a cast, with the server's answer. */
export interface Case {
  zone?: string;
  input?: string;
  type?: string;
  function?: string;
  operator?: string;
  cast?: string;
  args?: [string, string | null][];
  result?: string | null;
  returns?: string;
  error?: string;
  message?: string;
  hint?: string;
}

const names: Record<string, TypeName> = {
  date: "date",
  time: "time",
  timetz: "timetz",
  timestamp: "timestamp",
  timestamptz: "timestamptz",
  interval: "interval",
  text: "text",
  int4: "int4",
  int8: "int8",
  float4: "float4",
  float8: "float8",
  numeric: "numeric",
  boolean: "bool",
};

const boolOperations: Pick<TypeOperations, "input" | "output"> = {
  input: (text) => text === "t",
  output: (value) => (value ? "true" : "false"),
};

const operations: Partial<Record<TypeName, Pick<TypeOperations, "input" | "output">>> = {
  date: dateOperations,
  time: timeOperations,
  timetz: timetzOperations,
  timestamp: timestampOperations,
  timestamptz: timestamptzOperations,
  interval: intervalOperations,
  text: textOperations,
  int4: int4Operations,
  int8: int8Operations,
  float4: float4Operations,
  float8: float8Operations,
  numeric: numericOperations,
  bool: boolOperations,
};

/** `timestamp(3)`, `interval day to second(2)`: the type and its modifier. */
function typeOf(text: string): { name: TypeName; typmod: number } {
  const [word, ...rest] = text.split("(")[0].split(" ");
  const name = names[word];
  const precision = text.includes("(") ? Number(text.split("(")[1].split(")")[0]) : undefined;
  if (name !== "interval") return { name, typmod: precision ?? -1 };
  const order = ["year", "month", "day", "hour", "minute", "second"] as const;
  const fields = rest.filter((part) => part !== "to") as (typeof order)[number][];
  if (fields.length === 0) return { name, typmod: intervalTypmod(undefined, precision) };
  const from = order.indexOf(fields[0]);
  const to = order.indexOf(fields[fields.length - 1]);
  const range = order.slice(from, to + 1).reduce((bits, field) => bits | intervalField[field], 0);
  return { name, typmod: intervalTypmod(range, precision) };
}

/** A session whose moment is fixed. */
export function sessionIn(timeZone: string): SessionContext {
  const now = 1_780_000_000_123_456;
  return {
    timeZone,
    nowMicroseconds: now,
    statementMicroseconds: now + 1,
    clockMicroseconds: () => now + 2,
    user: "postgres",
    database: "postgres",
    random: () => 0.5,
    setting: () => undefined,
    reserveBytes: () => undefined,
  };
}

function operationsFor(name: TypeName): Pick<TypeOperations, "input" | "output"> {
  const found = operations[name];
  if (found === undefined) throw new Error(`the cases know no type ${name}`);
  return found;
}

function callable(entry: AnyFunction | Operator, args: readonly TypeName[], session: SessionContext) {
  if (entry.kind !== "scalar" && entry.kind !== "operator") throw new Error(`${entry.name} is no scalar function`);
  if (entry.call !== undefined) return entry.call as (...values: Value[]) => Value;
  const site: CallSite = { argTypes: args.map(typeNamed), resultType: typeNamed(entry.returns), session };
  return entry.specialize?.(site) as (...values: Value[]) => Value;
}

/** What a case gives here, in the form in which the server's answer is recorded. */
export function answer(
  item: Case,
  functions: readonly AnyFunction[],
  operators: readonly Operator[],
): Pick<Case, "result" | "error" | "message" | "hint"> {
  try {
    return { result: run(item, functions, operators) };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { error: error.code, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
  }
}

function run(item: Case, functions: readonly AnyFunction[], operators: readonly Operator[]): string | null {
  const session = sessionIn(item.zone ?? "UTC");
  if (item.input !== undefined) {
    const { name, typmod } = typeOf(item.type ?? "");
    return operationsFor(name).output(operationsFor(name).input(item.input, typmod, session), session);
  }
  const args = item.args ?? [];
  const types = args.map(([type]) => typeOf(type));
  const values = args.map(([, text], i) =>
    text === null ? null : operationsFor(types[i].name).input(text, types[i].typmod, session),
  );
  const typeNames = types.map(({ name }) => name);
  let value: Value;
  let returns: TypeName;
  if (item.cast !== undefined) {
    const target = typeOf(item.cast).name;
    const entry = datetimeCasts.find((cast) => cast.source === typeNames[0] && cast.target === target);
    if (entry === undefined) throw new Error(`no cast ${typeNames[0]} to ${target}`);
    value = (entry.convert as unknown as (value: Value, typmod: number, context: SessionContext) => Value)(
      values[0],
      -1,
      session,
    );
    returns = target;
  } else {
    const entry = find(item, typeNames, functions, operators);
    returns = entry.returns as TypeName;
    const strict = !("strict" in entry) || entry.strict !== false;
    value = strict && values.includes(null) ? null : callable(entry, typeNames, session)(...values);
  }
  return value === null ? null : operationsFor(returns).output(value, session);
}

function find(
  item: Case,
  args: readonly TypeName[],
  functions: readonly AnyFunction[],
  operators: readonly Operator[],
): AnyFunction | Operator {
  const same = (types: readonly (TypeName | undefined)[]): boolean =>
    types.length === args.length && types.every((type, i) => type === args[i]);
  const found =
    item.operator === undefined
      ? functions.find((entry) => entry.name === item.function && same(entry.args))
      : operators.find(
          (entry) =>
            entry.name === item.operator && same(entry.left === undefined ? [entry.right] : [entry.left, entry.right]),
        );
  if (found === undefined) throw new Error(`no ${item.operator ?? item.function}(${args.join(", ")})`);
  return found;
}
