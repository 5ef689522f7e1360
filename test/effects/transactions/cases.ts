/**
 * Texts sent one after the other, and what each answers: its command tag or its SQLSTATE. Every line is what PostgreSQL 15
 * answers to the same texts, unless `own` says that this program refuses what PostgreSQL takes.
 */
export interface Case {
  readonly name: string;
  readonly texts: readonly (readonly [sql: string, answer: string])[];
  /** Rows that are committed at the end. Default: those of the start. */
  readonly rows?: readonly { id: number; v: string | null }[];
  /** Why PostgreSQL answers otherwise. */
  readonly own?: string;
}

const one = { id: 1, v: "one" };
const two = { id: 2, v: "two" };
const three = { id: 3, v: "three" };
const insert3 = ["INSERT INTO t VALUES (3, 'three')", "INSERT 0 1"] as const;
const insert4 = ["INSERT INTO t VALUES (4, 'four')", "INSERT 0 1"] as const;
const begin = ["BEGIN", "BEGIN"] as const;
const commit = ["COMMIT", "COMMIT"] as const;
const rollback = ["ROLLBACK", "ROLLBACK"] as const;
const failing = ["SELECT 1 / (id - id) FROM t", "22012"] as const;

export const savepoints: readonly Case[] = [
  {
    name: "ROLLBACK TO drops what came after",
    texts: [begin, insert3, ["SAVEPOINT a", "SAVEPOINT"], insert4, ["ROLLBACK TO a", "ROLLBACK"], commit],
    rows: [one, two, three],
  },
  {
    name: "the same one can be gone back to again",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, insert3, ["ROLLBACK TO SAVEPOINT a", "ROLLBACK"] as const],
      ...[insert4, ["ROLLBACK WORK TO a", "ROLLBACK"] as const, insert3, commit],
    ],
    rows: [one, two, three],
  },
  {
    name: "RELEASE keeps what came after",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, insert3, ["RELEASE a", "RELEASE"] as const],
      ...[["ROLLBACK TO a", "3B001"] as const, ["COMMIT", "ROLLBACK"] as const],
    ],
  },
  {
    name: "RELEASE takes later ones along",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, ["SAVEPOINT b", "SAVEPOINT"] as const],
      ...[["RELEASE SAVEPOINT a", "RELEASE"] as const, ["ROLLBACK TO b", "3B001"] as const, rollback],
    ],
  },
  {
    name: "ROLLBACK TO an earlier one takes later ones along",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, insert3, ["SAVEPOINT b", "SAVEPOINT"] as const, insert4],
      ...[["ROLLBACK TO a", "ROLLBACK"] as const, ["ROLLBACK TO b", "3B001"] as const, rollback],
    ],
  },
  {
    name: "of two with one name the later one is meant, then the earlier",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, insert3, ["SAVEPOINT a", "SAVEPOINT"] as const, insert4],
      ...[["ROLLBACK TO a", "ROLLBACK"] as const, ["SELECT count(*) FROM t", "SELECT 1"] as const],
      ...[["RELEASE a", "RELEASE"] as const, ["ROLLBACK TO a", "ROLLBACK"] as const, commit],
    ],
  },
  {
    name: "names fold as other names do",
    texts: [
      ...[begin, ["SAVEPOINT Ab", "SAVEPOINT"] as const, insert3, ['ROLLBACK TO "ab"', "ROLLBACK"] as const],
      ...[['ROLLBACK TO "Ab"', "3B001"] as const, rollback],
    ],
  },
  {
    name: "a savepoint may be called savepoint",
    texts: [begin, ["SAVEPOINT savepoint", "SAVEPOINT"], insert3, ["ROLLBACK TO savepoint", "ROLLBACK"], commit],
  },
  {
    name: "prototype names are names like others",
    texts: [
      ...[begin, ["ROLLBACK TO __proto__", "3B001"] as const, rollback, begin],
      ...[["SAVEPOINT __proto__", "SAVEPOINT"] as const, insert3, ["SAVEPOINT constructor", "SAVEPOINT"] as const],
      ...[["ROLLBACK TO __proto__", "ROLLBACK"] as const, ["RELEASE constructor", "3B001"] as const, rollback],
    ],
  },
  {
    name: "ROLLBACK TO clears an error",
    texts: [
      ...[begin, insert3, ["SAVEPOINT a", "SAVEPOINT"] as const, insert4, failing, ["SELECT 1", "25P02"] as const],
      ...[["ROLLBACK TO a", "ROLLBACK"] as const, ["SELECT 1", "SELECT 1"] as const, commit],
    ],
    rows: [one, two, three],
  },
  {
    name: "an aborted transaction takes neither SAVEPOINT nor RELEASE",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, failing, ["SAVEPOINT b", "25P02"] as const],
      ...[["RELEASE a", "25P02"] as const, ["ROLLBACK TO b", "3B001"] as const, ["ROLLBACK TO a", "ROLLBACK"] as const],
      ...[insert3, commit],
    ],
    rows: [one, two, three],
  },
  {
    name: "an unknown savepoint aborts",
    texts: [
      begin,
      insert3,
      ["RELEASE a", "3B001"],
      ["SELECT 1", "25P02"],
      ["ROLLBACK TO a", "3B001"],
      ["END", "ROLLBACK"],
    ],
  },
  {
    name: "outside a transaction there are none",
    texts: [
      ["SAVEPOINT a", "25P01"],
      ["ROLLBACK TO a", "25P01"],
      ["RELEASE a", "25P01"],
      ["SELECT 1", "SELECT 1"],
    ],
  },
  {
    name: "in a script",
    texts: [
      [
        "BEGIN; INSERT INTO t VALUES (3, 'three'); SAVEPOINT a; DELETE FROM t WHERE id = 1; ROLLBACK TO a; UPDATE t SET v = upper(v) WHERE id = 3; COMMIT",
        "COMMIT",
      ],
    ],
    rows: [one, two, { id: 3, v: "THREE" }],
  },
  {
    name: "across texts",
    texts: [
      ["BEGIN; SAVEPOINT a; DELETE FROM t WHERE id = 1", "DELETE 1"],
      ["ROLLBACK TO a; INSERT INTO t VALUES (3, 'three'); SAVEPOINT a", "SAVEPOINT"],
      ["DELETE FROM t WHERE id > 0", "DELETE 3"],
      ["ROLLBACK TO a; COMMIT", "COMMIT"],
    ],
    rows: [one, two, three],
  },
  {
    name: "a transaction's savepoints end with it",
    texts: [begin, ["SAVEPOINT a", "SAVEPOINT"], commit, begin, ["ROLLBACK TO a", "3B001"], rollback],
  },
];

export const transactions: readonly Case[] = [
  {
    name: "the other words for the same",
    texts: [
      ...[["BEGIN WORK", "BEGIN"] as const, insert3, ["END TRANSACTION", "COMMIT"] as const],
      ...[["START TRANSACTION", "BEGIN"] as const, insert4, ["ABORT WORK", "ROLLBACK"] as const],
    ],
    rows: [one, two, three],
  },
  {
    name: "COMMIT AND CHAIN",
    texts: [begin, insert3, ["COMMIT AND CHAIN", "COMMIT"], insert4, rollback],
    rows: [one, two, three],
  },
  {
    name: "COMMIT AND NO CHAIN",
    texts: [begin, insert3, ["COMMIT AND NO CHAIN", "COMMIT"], ["SAVEPOINT a", "25P01"]],
    rows: [one, two, three],
  },
  {
    name: "ROLLBACK AND CHAIN",
    texts: [begin, insert3, ["ROLLBACK AND CHAIN", "ROLLBACK"], insert4, commit],
    rows: [one, two, { id: 4, v: "four" }],
  },
  {
    name: "AND CHAIN outside a transaction",
    texts: [
      ["COMMIT AND CHAIN", "25P01"],
      ["ROLLBACK AND CHAIN", "25P01"],
      ["SAVEPOINT a", "25P01"],
    ],
  },
  {
    name: "COMMIT AND CHAIN of an aborted one begins another",
    texts: [begin, insert3, failing, ["COMMIT AND CHAIN", "ROLLBACK"], insert4, commit],
    rows: [one, two, { id: 4, v: "four" }],
  },
  {
    name: "READ ONLY takes no write",
    texts: [
      ...[["BEGIN READ ONLY", "BEGIN"] as const, ["SELECT count(*) FROM t", "SELECT 1"] as const],
      ...[["INSERT INTO t VALUES (3, 'three')", "25006"] as const, ["SELECT 1", "25P02"] as const, rollback],
    ],
  },
  {
    name: "READ ONLY holds in WITH and in EXPLAIN ANALYZE",
    texts: [
      ...[["START TRANSACTION READ ONLY", "BEGIN"] as const, ["SAVEPOINT a", "SAVEPOINT"] as const],
      ...[
        ["WITH w AS (DELETE FROM t WHERE id = 1 RETURNING id) SELECT * FROM w", "25006"] as const,
        ["ROLLBACK TO a", "ROLLBACK"] as const,
      ],
      ...[
        ["EXPLAIN ANALYZE UPDATE t SET v = '' WHERE id = 1", "25006"] as const,
        ["ROLLBACK TO a", "ROLLBACK"] as const,
      ],
      ...[["EXPLAIN DELETE FROM t WHERE id = 1", "EXPLAIN"] as const, commit],
    ],
  },
  {
    name: "READ ONLY is looked at after names and types",
    texts: [["BEGIN READ ONLY", "BEGIN"], ["INSERT INTO nowhere VALUES (1)", "42P01"], rollback],
  },
  {
    name: "READ ONLY goes on in a chained one, and ends with it",
    texts: [
      ...[
        ["BEGIN READ ONLY", "BEGIN"] as const,
        ["COMMIT AND CHAIN", "COMMIT"] as const,
        ["DELETE FROM t WHERE id = 1", "25006"] as const,
      ],
      ...[
        ["ROLLBACK AND CHAIN", "ROLLBACK"] as const,
        ["DELETE FROM t WHERE id = 1", "25006"] as const,
        rollback,
        begin,
        insert3,
        commit,
      ],
    ],
    rows: [one, two, three],
  },
  {
    name: "BEGIN READ ONLY in a transaction makes it so until ROLLBACK TO",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, ["BEGIN READ ONLY", "BEGIN"] as const],
      ...[["DELETE FROM t WHERE id = 1", "25006"] as const, ["ROLLBACK TO a", "ROLLBACK"] as const, insert3, commit],
    ],
    rows: [one, two, three],
  },
  {
    name: "READ WRITE cannot be had after a query",
    texts: [
      ["BEGIN READ ONLY", "BEGIN"],
      ["SELECT count(*) FROM t", "SELECT 1"],
      ["BEGIN READ WRITE", "25001"],
      rollback,
    ],
  },
  {
    name: "of several modes the last counts",
    texts: [["BEGIN READ ONLY, READ WRITE", "BEGIN"], insert3, commit],
    rows: [one, two, three],
  },
  {
    name: "isolation levels that the services can keep",
    texts: [
      ...[["BEGIN ISOLATION LEVEL READ COMMITTED", "BEGIN"] as const, insert3, commit],
      ...[["BEGIN ISOLATION LEVEL READ UNCOMMITTED, NOT DEFERRABLE", "BEGIN"] as const, rollback],
    ],
    rows: [one, two, three],
  },
  {
    name: "isolation levels that they cannot",
    own: "a live service gives no snapshot",
    texts: [
      ["BEGIN ISOLATION LEVEL SERIALIZABLE", "0A000"],
      ["START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", "0A000"],
      ["SAVEPOINT a", "25P01"],
    ],
  },
  {
    name: "without one, COMMIT and ROLLBACK are warnings",
    texts: [commit, rollback, ["END", "COMMIT"], ["ABORT", "ROLLBACK"]],
  },
  { name: "BEGIN twice is a warning", texts: [begin, begin, insert3, commit], rows: [one, two, three] },
];

export const errors: readonly Case[] = [
  {
    name: "when it runs",
    texts: [begin, insert3, failing, ["SELECT 1", "25P02"], ["COMMIT", "ROLLBACK"], ["SELECT 1", "SELECT 1"]],
  },
  { name: "of a constant", texts: [begin, insert3, ["SELECT 1 / 0", "22012"], ["SELECT 1", "25P02"], rollback] },
  {
    name: "of a name",
    texts: [begin, insert3, ["SELECT nope FROM t", "42703"], ["SELECT id FROM t", "25P02"], ["COMMIT", "ROLLBACK"]],
  },
  {
    name: "of a table's name",
    texts: [begin, insert3, ["SELECT 1 FROM nowhere", "42P01"], ["INSERT INTO t VALUES (4, '')", "25P02"], rollback],
  },
  { name: "of syntax", texts: [begin, insert3, ["SELEC 1", "42601"], ["SELECT 1", "25P02"], ["COMMIT", "ROLLBACK"]] },
  { name: "of a type", texts: [begin, insert3, ["INSERT INTO t VALUES ('x', 'y')", "22P02"], ["COMMIT", "ROLLBACK"]] },
  {
    name: "syntax is read before the transaction is looked at",
    texts: [begin, failing, ["SELEC 1", "42601"], ["SELECT nope", "25P02"], rollback],
  },
  { name: "BEGIN in an aborted one", texts: [begin, failing, ["BEGIN", "25P02"], rollback] },
  { name: "EXPLAIN in an aborted one", texts: [begin, failing, ["EXPLAIN SELECT 1", "25P02"], rollback] },
  {
    name: "in the middle of a script: nothing of it is fired, and the transaction waits for ROLLBACK",
    texts: [
      ["BEGIN; INSERT INTO t VALUES (3, 'three'); SELECT 1 / (id - id) FROM t; COMMIT", "22012"],
      ["SELECT 1", "25P02"],
      ["COMMIT", "ROLLBACK"],
    ],
  },
  {
    name: "that is found before a script runs leaves the same",
    texts: [
      ["BEGIN; INSERT INTO t VALUES (3, 'three'); SELECT nope FROM t; COMMIT", "42703"],
      ["SELECT 1", "25P02"],
      ["COMMIT", "ROLLBACK"],
      ["SELECT count(*) FROM t", "SELECT 1"],
    ],
  },
  {
    name: "of syntax in a script: not even BEGIN was run",
    texts: [
      ["BEGIN; INSERT INTO t VALUES (3, 'three'); SELEC nope; COMMIT", "42601"],
      ["SELECT 1", "SELECT 1"],
      ["SAVEPOINT a", "25P01"],
    ],
  },
  {
    name: "of a savepoint's name in a script",
    texts: [
      ["BEGIN; INSERT INTO t VALUES (3, 'three'); ROLLBACK TO a; COMMIT", "3B001"],
      ["SELECT 1", "25P02"],
      rollback,
    ],
  },
  {
    name: "a script in an aborted one",
    texts: [begin, failing, ["SELECT 1; SELECT 2; ROLLBACK", "25P02"], ["SELECT 1", "25P02"], ["ROLLBACK", "ROLLBACK"]],
  },
  {
    name: "out of an aborted one and on, in one text",
    texts: [begin, insert4, failing, ["ROLLBACK; BEGIN; INSERT INTO t VALUES (3, 'three'); COMMIT", "COMMIT"]],
    rows: [one, two, three],
  },
  {
    name: "back to a savepoint and on, in one text",
    texts: [
      begin,
      ["SAVEPOINT a", "SAVEPOINT"],
      insert4,
      failing,
      ["ROLLBACK TO a; INSERT INTO t VALUES (3, 'three'); COMMIT", "COMMIT"],
    ],
    rows: [one, two, three],
  },
  {
    name: "savepoints of a text that was refused before it ran cannot be gone back to",
    own: "PostgreSQL has run the statements before the wrong one",
    texts: [
      ["BEGIN; SAVEPOINT a; INSERT INTO t VALUES (3, 'three'); SAVEPOINT b; SELECT nope", "42703"],
      ["ROLLBACK TO b", "3B001"],
      ["ROLLBACK TO a", "3B001"],
      ["COMMIT", "ROLLBACK"],
    ],
  },
  {
    name: "one of the same name that was set before is not meant instead",
    own: "PostgreSQL has run the statements before the wrong one",
    texts: [
      ...[begin, ["SAVEPOINT a", "SAVEPOINT"] as const, insert3, ["SAVEPOINT a; SELECT nope", "42703"] as const],
      ...[["ROLLBACK TO a", "3B001"] as const, rollback],
    ],
  },
  {
    name: "an earlier savepoint survives a refused text",
    texts: [
      ...[begin, insert3, ["SAVEPOINT a", "SAVEPOINT"] as const, ["SAVEPOINT b; SELECT nope", "42703"] as const],
      ...[["ROLLBACK TO a", "ROLLBACK"] as const, commit],
    ],
    rows: [one, two, three],
  },
  {
    name: "a refusal aborts too",
    own: "definitions are not allowed here",
    texts: [begin, insert3, ["DROP TABLE t", "42501"], ["SELECT 1", "25P02"], ["COMMIT", "ROLLBACK"]],
  },
  {
    name: "what this program does not know aborts too",
    own: "these run in PostgreSQL",
    texts: [begin, insert3, ["LOCK TABLE t", "0A000"], ["SELECT 1", "25P02"], ["COMMIT", "ROLLBACK"]],
  },
];
