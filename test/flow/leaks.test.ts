/**
 * Two worlds that differ in nothing but their secrets look the same to an agent, whatever it asks: results, errors, notices,
 * the audit, calls and writes are compared whole. Without the policy the same statements tell the worlds apart.
 */
import { describe, expect, test } from "vitest";
import type { RecordedCall } from "../support/recording.js";
import { type Attack, attacksOn, attacksOnStatistics, attacksWithUntrustedText } from "./attacks.js";
import { makeSalts, observe, piecesIn, type Salts, saltedWorld, samplePolicy } from "./salted-world.js";

const [one, other] = makeSalts();
const guess = (salt: string) => `N${salt.slice(0, 3)}`;
const attacks: readonly Attack[] = [
  ...attacksOn({ table: "emails", column: "body", guess: guess(one.apiKey) }),
  ...attacksOn({ table: "runbooks", column: "content", guess: guess(one.password) }),
  ...attacksOnStatistics(guess(one.taxNumber)),
];
const untrusted = attacksWithUntrustedText();

async function seenBy(salts: Salts, policy: typeof samplePolicy | undefined, statements: readonly string[]) {
  return observe(await saltedWorld(salts, policy), statements);
}

test("there are at least 120 statements", () => expect(attacks.length).toBeGreaterThanOrEqual(120));

describe("under the sample policy two worlds look the same", () => {
  test.each(attacks)("$name", async ({ statements }) => {
    const seen = await seenBy(one, samplePolicy, statements);
    expect(piecesIn(seen, one)).toEqual([]);
    expect(await seenBy(other, samplePolicy, statements)).toEqual(seen);
  });

  // What is written may hold the text: of that only what an agent or a stranger gets to see is compared.
  test.each(untrusted)("$name", async ({ statements }) => {
    const seen = await seenBy(one, samplePolicy, statements);
    const shown = { answer: seen.answer, audit: seen.audit };
    expect(piecesIn(shown, one)).toEqual([]);
    const { answer, audit } = await seenBy(other, samplePolicy, statements);
    expect({ answer, audit }).toEqual(shown);
    const outside = (seen.calls as RecordedCall[]).filter(({ table }) => table === "outbox" || table === "web");
    expect(outside).toEqual([]);
  });
});

describe("without a policy the worlds differ", () => {
  test.each([...attacks, ...untrusted].filter((attack) => attack.blind !== true))("$name", async ({ statements }) => {
    const seen = await seenBy(one, undefined, statements);
    expect(await seenBy(other, undefined, statements)).not.toEqual(seen);
  });
});

const questions: readonly string[] = [
  "SELECT id, sender, subject FROM emails ORDER BY id",
  "SELECT sender, count(*) AS emails FROM emails GROUP BY sender ORDER BY emails DESC, sender",
  "SELECT e.subject, n.title FROM emails e LEFT JOIN notes n ON n.id = e.id ORDER BY e.id",
  "SELECT title FROM runbooks WHERE team = 'platform' ORDER BY title",
  "SELECT team, count(*) FROM runbooks GROUP BY team HAVING count(*) > 1",
  "SELECT product, avg(rating) AS rating, max(rating) FROM feedback GROUP BY product ORDER BY rating DESC",
  "SELECT product, count(tax_number) AS with_number FROM feedback GROUP BY product ORDER BY product",
  "SELECT count(DISTINCT tax_number) FROM feedback",
  "WITH busy AS (SELECT author FROM pull_requests GROUP BY author) SELECT count(*) FROM busy",
  "SELECT title, author, rank() OVER (ORDER BY title) FROM pull_requests ORDER BY 3",
  "SELECT id FROM pull_requests WHERE body LIKE '%token%'",
  "SELECT id, subject FROM emails WHERE mentions_invoice(body) ORDER BY id",
  "INSERT INTO outbox (to_addr, subject, body) SELECT sender, 'Re: ' || subject, 'Thanks' FROM emails WHERE id = 2 RETURNING to_addr, subject",
  "UPDATE notes SET title = (SELECT max(subject) FROM emails) WHERE id = 1 RETURNING id, title",
  "SELECT r.title, f.rating FROM runbooks r CROSS JOIN LATERAL (SELECT rating FROM feedback WHERE feedback.id = r.id) f ORDER BY 1",
  "SELECT table_name FROM information_schema.tables ORDER BY 1",
];

test.each(questions)("a harmless question is answered in full: %s", async (sql) => {
  const free = await saltedWorld(one, undefined);
  const ruled = await saltedWorld(one, samplePolicy);
  const expected = await free.db.execute(sql);
  expect(expected.rows.length).toBeGreaterThan(0);
  const { rows, rowCount, command } = await ruled.db.execute(sql);
  expect({ rows, rowCount, command }).toEqual({
    rows: expected.rows,
    rowCount: expected.rowCount,
    command: expected.command,
  });
  expect(ruled.recorder.calls).toEqual(free.recorder.calls);
});
