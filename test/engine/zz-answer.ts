import { prepare } from "../../src/engine/run.js";
import { SqlError } from "../../src/errors/sql-error.js";
import { operationsOf } from "../../src/types/families.js";
import { bindSql, environmentOf, session } from "./harness.js";
export async function answerSql(sql: string): Promise<string> {
  try {
    const bound = bindSql(sql, []);
    const output = (bound as never as { output: { type: never; id: number }[] }).output;
    const result = await prepare(bound.plan, bound.output as never).run(environmentOf([]), { rows: "arrays" });
    const cols = (output as never as { type: never; column?: { type: never } }[]).map((c) => (c.column ?? c).type);
    return JSON.stringify(
      (result.rows as unknown[][]).map((row) =>
        row.map((v, i) => (v === null ? null : operationsOf(cols[i]).output(v, session))),
      ),
    );
  } catch (er) {
    return er instanceof SqlError ? `${er.code} ${er.message}` : String((er as Error).stack).slice(0, 500);
  }
}
