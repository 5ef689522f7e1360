/** Statements that the binder answers otherwise than PostgreSQL 15, with the reason. */

interface Difference {
  readonly reason: string;
  readonly ours: unknown;
}

export const knownDifferences: Readonly<Record<string, Difference>> = {
  "SELECT 1::point": {
    reason: "geometric types are not supported at all",
    ours: { error: { code: "0A000", message: 'type "point" is not supported', position: 11 } },
  },
  "SELECT (ROW(1, 2)).f1, (ROW(1, 'a')).f2": {
    reason: "PostgreSQL fails with an internal error on a field that was an untyped literal; here it is text",
    ours: {
      columns: [
        ["f1", "int4"],
        ["f2", "text"],
      ],
    },
  },
  "SELECT sum(age) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM person": {
    reason: "the parser points at the start of the frame, PostgreSQL at its end",
    ours: {
      error: { code: "42P20", message: "frame starting from current row cannot have preceding rows", position: 48 },
    },
  },
  "INSERT INTO adult VALUES (1, 'a', 3)": {
    reason: "views cannot be written",
    ours: { error: { code: "0A000", message: 'writing to view "adult" is not supported', position: 13 } },
  },
  "INSERT INTO person (id, name) VALUES (1, 'a') ON CONFLICT (name) DO UPDATE SET name = 'x'": {
    reason: "PostgreSQL finds this when it plans, which the recording does not do",
    ours: {
      error: {
        code: "42P10",
        message: "there is no unique or exclusion constraint matching the ON CONFLICT specification",
      },
    },
  },
  "MERGE INTO person p USING pet q ON p.id WHEN MATCHED THEN DELETE": {
    reason: "PostgreSQL 15 forgets to check that the condition of MERGE is one",
    ours: {
      error: { code: "42804", message: "argument of JOIN/ON must be type boolean, not type integer", position: 36 },
    },
  },
};
