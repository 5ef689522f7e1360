/** The errors of statements that wait for themselves: a resolver runs one in the session whose statement asked it for rows. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { countOf } from "../errors/words.js";
import { nestedRefusal } from "../resources/nested-statements.js";

const advice = "A resolver runs its statements in a session of its own: db.session().execute(…).";

/** @see statementBehind */
export function nestedStatement(): SqlError {
  return nestedRefusal(
    new SqlError(
      sqlstate.objectNotInPrerequisiteState,
      "a resolver can't run a statement in the session that is waiting for it",
      {
        detail:
          "Statements of a session run one after the other: this one would wait for the statement that called the resolver (or asks for an approval), and that for the resolver.",
        hint: advice,
      },
    ),
  );
}

/** The error of a statement that ran out of time while others of its session waited: one of them may be its own resolver's. */
export function timedOutBefore(waiting: number, error: unknown): unknown {
  const isTimeOut =
    error instanceof SqlError &&
    error.code === sqlstate.queryCanceled &&
    error.cause instanceof Error &&
    (error.cause.name === "TimeoutError" || isTimeOutError(error.cause));
  if (!isTimeOut || error.hint !== undefined) return error;
  const { code, message, detail, position, receipts } = error;
  return new SqlError(code, message, {
    ...(detail !== undefined && { detail }),
    hint: `${countOf(waiting, "other statement")} of the session waited for it. ${advice}`,
    ...(position !== undefined && { position }),
    ...(receipts !== undefined && { receipts }),
    cause: error.cause,
  });
}

/** The reason within an error that has been given more words. */
function isTimeOutError(error: Error): boolean {
  return error.cause instanceof Error && error.cause.name === "TimeoutError";
}
