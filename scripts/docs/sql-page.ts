/** The page `docs/sql.md`: everything in it comes from the code or from running it. */

import { listOf, operatorRows, scalarSections } from "./functions.js";
import { code, table } from "./markdown.js";
import { refusals } from "./refused.js";
import { runExample } from "./sample.js";
import { type Example, expressions, statements } from "./statements.js";
import { castTable, typeTable } from "./types.js";

export async function sqlPage(): Promise<string> {
  const parts = [
    "<!-- Written by `npm run docs`. Do not edit. -->",
    "# SQL",
    "The engine speaks PostgreSQL 15. What it takes, it answers as PostgreSQL would, with the C collation and UTF-8; what it does not take, it refuses with an error that names the feature. Writes and definitions depend on where a statement runs: the whole of this page holds for `MemoryBackend` of `glove-scratchpad/sql`; a `Database` over resources takes queries, `INSERT`, `UPDATE`, `DELETE`, `BEGIN` … `COMMIT` and `EXPLAIN`.",
    "## Statements",
    await exampleTable(Object.values(statements).flat()),
    "## Expressions",
    await exampleTable(Object.values(expressions).flat()),
    "## Types and values",
    "Integers are numbers where a double holds them exactly, else text; numerics are numbers where that loses nothing, else text. Times are ISO 8601 with up to six digits of a second. `x::text` gives PostgreSQL's own form of any value. Every type has arrays (`integer[]`), and `CREATE TYPE … AS ENUM` makes enums.",
    await typeTable(),
    "## Casts",
    "A literal in quotes takes whatever type is wanted. Every type can be cast to and from text types through its text form; arrays are cast element by element.",
    castTable(),
    "## Operators",
    "Precedence, from the loosest: `OR`, `AND`, `NOT`, `IS`, comparisons, `BETWEEN` `IN` `LIKE` `SIMILAR`, all other operators, `+ -`, `* / %`, `^`, `AT TIME ZONE`, `COLLATE`, unary `+ -`, `[]`, `::`, `.`.",
    table(["operator", "operands and result"], operatorRows()),
    "## Functions",
    scalarSections(),
    "## Aggregates",
    "All of them take `FILTER (WHERE …)`, `DISTINCT` and `ORDER BY` where PostgreSQL's do, and all but ordered-set ones can be used over windows.",
    listOf("aggregate"),
    "## Window functions",
    listOf("window"),
    "## Functions that give rows",
    listOf("set"),
    "## What is refused",
    "`0A000` stands for SQL that PostgreSQL has and this engine does not. The other codes are PostgreSQL's own, some of them with a hint that it does not have.",
    await refusalTable(),
  ];
  return `${parts.join("\n\n")}\n`;
}

async function exampleTable(examples: readonly Example[]): Promise<string> {
  const rows: string[][] = [];
  for (const { title, sql } of examples) {
    const { error } = await runExample(sql);
    if (error !== undefined)
      throw new Error(`the example of "${title}" fails: ${error.code} ${error.message} (${sql})`);
    rows.push([title, code(sql)]);
  }
  return table(["form", "example"], rows);
}

async function refusalTable(): Promise<string> {
  const rows: string[][] = [];
  for (const { what, sql } of refusals) {
    const { error } = await runExample(sql);
    if (error === undefined) throw new Error(`${sql} is not refused`);
    const { code: sqlstate, message, hint } = error;
    rows.push([what, code(sql), sqlstate, hint === undefined ? message : `${message}. ${hint}`]);
  }
  return table(["what", "example", "code", "words"], rows);
}
