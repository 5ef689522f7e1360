/** Functions of sequences (PostgreSQL 15, 9.17). Numbers come from the session; where it has no sequences they are refused. */
import { SqlError, withPosition } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { TypeName } from "../types/type.js";
import type { ScalarFunction, SessionContext } from "./function.js";

type Int8 = number | bigint;

function sequenceFunction(
  name: string,
  args: readonly TypeName[],
  call: (session: SessionContext, ...args: never[]) => Int8,
): ScalarFunction {
  return {
    kind: "scalar",
    name,
    args,
    returns: "int8",
    volatility: "volatile",
    strict: true,
    specialize:
      (site) =>
      (...values: never[]) =>
        call(site.session, ...values),
  };
}

function noSequences(name: string): SqlError {
  return new SqlError(sqlstate.featureNotSupported, `function ${name}() is not supported`, {
    hint: "There are no sequences here; gen_random_uuid() makes unique values.",
  });
}

/** For statements of a session without sequences: refuses their functions before anything is called. @throws SqlError 0A000 */
export function refuseSequences({ name }: Pick<ScalarFunction, "name">, position: number): void {
  if (sequenceFunctions.some((entry) => entry.name === name)) throw withPosition(noSequences(name), position);
}

function nextval(session: SessionContext, sequence: string): Int8 {
  if (session.nextval === undefined) throw noSequences("nextval");
  return session.nextval(sequence);
}

function currval(session: SessionContext, sequence: string): Int8 {
  if (session.currval === undefined) throw noSequences("currval");
  const value = session.currval(sequence);
  if (value !== undefined) return value;
  throw new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `currval of sequence "${sequence}" is not yet defined in this session`,
  );
}

function lastval(session: SessionContext): Int8 {
  if (session.currval === undefined) throw noSequences("lastval");
  const value = session.currval();
  if (value !== undefined) return value;
  throw new SqlError(sqlstate.objectNotInPrerequisiteState, "lastval is not yet defined in this session");
}

function setval(session: SessionContext, sequence: string, value: Int8, called = true): Int8 {
  if (session.setval === undefined) throw noSequences("setval");
  session.setval(sequence, value, called);
  return value;
}

export const sequenceFunctions: readonly ScalarFunction[] = [
  sequenceFunction("nextval", ["text"], nextval),
  sequenceFunction("currval", ["text"], currval),
  sequenceFunction("lastval", [], lastval),
  sequenceFunction("setval", ["text", "int8"], setval),
  sequenceFunction("setval", ["text", "int8", "bool"], setval),
];
