import { readFileSync } from "node:fs";
import pg from "pg";
import { test } from "vitest";
import { answerSql } from "./zz-answer.js";

test("e2e", async () => {
  const client = new pg.Client();
  await client.connect();
  for (const sql of readFileSync("/tmp/e2e.sql", "utf8")
    .split("\n")
    .filter((l) => l.trim() && !l.startsWith("--"))) {
    let e: string, a: string;
    try {
      const r = await client.query({
        text: sql,
        rowMode: "array",
        types: { getTypeParser: () => (t: string) => t } as never,
      });
      e = JSON.stringify(r.rows);
    } catch (er) {
      e = `${(er as pg.DatabaseError).code} ${(er as Error).message}`;
    }
    a = await answerSql(sql);
    if (a !== e) console.log(sql, "\n   PG:", e.slice(0, 400), "\n   us:", a.slice(0, 400));
  }
  await client.end();
}, 60000);
