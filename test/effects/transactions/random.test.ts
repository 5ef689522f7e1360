/**
 * Random sequences of texts: transaction control, reads, writes and mistakes. Each answers as on a PostgreSQL (the engine's
 * own stored tables, where there is none to ask), and the same rows are committed in the end.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryPlace, ourPlace, postgresPlace, postgresPort } from "./world.js";

const name = fc.constantFrom("a", "b", "c");
const id = fc.integer({ min: 1, max: 5 });

// Writes that read their rows first: one by key alone counts its calls, whether the service has the row or not.
const write = fc.oneof(
  id.map((n) => `DELETE FROM t WHERE id = ${n} AND v <> ''`),
  fc.tuple(id, id).map(([n, m]) => `UPDATE t SET v = v || '${m}' WHERE id = ${n} AND v <> ''`),
  fc.tuple(id, id).map(([n, m]) => `UPDATE t SET v = '${m}' WHERE id > ${n}`),
  id.map((n) => `INSERT INTO t SELECT max(id) + 1, 'n${n}' FROM t HAVING count(*) > 0`),
  id.map((n) => `DELETE FROM t WHERE v LIKE '%${n}'`),
);
const read = fc.oneof(
  fc.constant("SELECT id, v FROM t ORDER BY id"),
  id.map((n) => `SELECT v FROM t WHERE id = ${n}`),
  fc.constant("EXPLAIN SELECT 1"),
);
const mistake = fc.constantFrom(
  ...["SELECT 1 / 0", "SELECT 1 / (id - id) FROM t", "SELECT nope FROM t", "SELEC 1", "INSERT INTO nowhere VALUES (1)"],
  ...["SELECT 'x' + 1 FROM t", "UPDATE t SET nope = 1 WHERE id = 1", "SELECT ("],
);
const single = fc.oneof(
  { weight: 4, arbitrary: write },
  { weight: 2, arbitrary: read },
  { weight: 1, arbitrary: mistake },
  {
    weight: 2,
    arbitrary: fc.constantFrom("BEGIN", "BEGIN", "COMMIT", "ROLLBACK", "COMMIT AND CHAIN", "ROLLBACK AND CHAIN"),
  },
  { weight: 2, arbitrary: name.map((n) => `SAVEPOINT ${n}`) },
  { weight: 2, arbitrary: name.map((n) => `ROLLBACK TO ${n}`) },
  { weight: 1, arbitrary: name.map((n) => `RELEASE ${n}`) },
);
// Savepoints of a text that is refused before it runs are not there afterwards, unlike PostgreSQL's: none are set in scripts.
const inScript = fc.oneof(
  { weight: 4, arbitrary: write },
  { weight: 2, arbitrary: read },
  { weight: 1, arbitrary: mistake },
  { weight: 1, arbitrary: name.map((n) => `ROLLBACK TO ${n}`) },
);
const script = fc
  .tuple(
    fc.constantFrom("BEGIN", "ROLLBACK; BEGIN"),
    fc.array(inScript, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", "; COMMIT", "; ROLLBACK", "; COMMIT AND CHAIN"),
  )
  .map(([begin, middle, end]) => `${begin}; ${middle.join("; ")}${end}`);
const texts = fc.array(fc.oneof({ weight: 5, arbitrary: single }, { weight: 1, arbitrary: script }), {
  minLength: 3,
  maxLength: 25,
});

const isCode = (answer: string) => /^(?!BEGIN)[0-9A-Z]{5}$/.test(answer);

test("random texts", async () => {
  const reference = () => (postgresPort === undefined ? memoryPlace() : postgresPlace(postgresPort));
  await fc.assert(
    fc.asyncProperty(texts, async (sent) => {
      const [ours, theirs] = await Promise.all([ourPlace(), reference()]);
      try {
        for (const sql of sent) {
          const [own, other] = [await ours.send(sql), await theirs.send(sql)];
          // What is wrong with a script's later statements is found before its earlier ones run into something.
          if (sql.includes(";") && isCode(own.answer) && isCode(other.answer)) continue;
          const hasRows = !sql.includes("EXPLAIN") && (postgresPort !== undefined || !sql.includes(";"));
          const shown = (outcome: typeof own) => ({
            sql,
            answer: outcome.answer,
            ...(hasRows && { rows: outcome.rows }),
            // An error carries no warnings of the statements before it.
            ...(postgresPort !== undefined && !isCode(outcome.answer) && { warnings: outcome.warnings }),
          });
          expect(shown(own)).toEqual(shown(other));
        }
        expect(await ours.committed()).toEqual(await theirs.committed());
      } finally {
        await Promise.all([ours.close(), theirs.close()]);
      }
    }),
    { numRuns: 60 },
  );
});
