/** Files of recorded answers: cases with what a PostgreSQL 15 server said, one JSON object a line. */
import { readFileSync } from "node:fs";

/** A call and the server's answer. `args` are pairs of type and text; `error` is `SQLSTATE message`. */
export interface Answer {
  readonly name: string;
  readonly args: readonly (readonly [type: string, text: string | null])[];
  readonly type?: string;
  readonly text?: string | null;
  readonly error?: string;
}

/** Reads a file of answers by its path from `test/`. */
export function readAnswers(path: string): Answer[] {
  return JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8")) as Answer[];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The call in SQL; a name `cast numeric(5,2)` is an explicit cast to that type. */
export function toSql(answer: Pick<Answer, "name" | "args">): string {
  const args = answer.args.map(([type, text]) => {
    const literal = text === null ? "NULL" : quote(text);
    return type === "unknown" ? literal : `${literal}::${type}`;
  });
  if (answer.name.startsWith("cast ")) return `(${args[0]})::${answer.name.slice(5)}`;
  if ("+-*/<>=~!@#%^&|`?".includes(answer.name[0])) {
    return args.length === 1 ? `${answer.name} (${args[0]})` : `(${args[0]}) ${answer.name} (${args[1]})`;
  }
  return `${answer.name}(${args.join(", ")})`;
}
