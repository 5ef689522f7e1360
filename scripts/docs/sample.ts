/** The tables that the page's examples are about, and how an example is run. */
import { SqlError } from "../../src/errors/sql-error.js";
import { MemoryBackend } from "../../src/sql.js";

export const sampleSql = `CREATE TABLE pr (id int PRIMARY KEY, title text, state text DEFAULT 'open', size int, labels text[], meta jsonb);
CREATE TABLE review (pr int, verdict text);
INSERT INTO pr VALUES (1, 'fix login', 'open', 3, '{bug,ui}', '{"a": 1}'), (2, 'add search', 'merged', 8, '{}', NULL);
INSERT INTO review VALUES (1, 'approve'), (2, 'reject')`;

/** Values of `$1` and `$2` by the number of parameters that a statement has. */
const parameters: readonly unknown[] = ["open", 2];

export interface Answer {
  readonly rows: unknown[][];
  readonly types: string[];
  readonly error?: SqlError;
}

/** Runs an example on tables of its own. */
export async function runExample(sql: string): Promise<Answer> {
  const backend = await MemoryBackend.create({ now: () => new Date("2024-05-01T12:00:00Z") });
  await backend.exec(sampleSql);
  try {
    const count = Math.max(0, ...[...sql.matchAll(/\$(\d)/g)].map((match) => Number(match[1])));
    const params = count === 1 ? [2] : parameters.slice(0, count);
    const { rows, fields } = await backend.query(sql, params, { rowMode: "array" });
    return { rows: rows as unknown[][], types: fields.map((field) => field.type) };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { rows: [], types: [], error };
  } finally {
    await backend.close();
  }
}
