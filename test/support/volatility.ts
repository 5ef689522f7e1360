/** The volatility that a PostgreSQL 15 server's catalogue gives to functions, operators and casts. */
import type pg from "pg";

/** Keys: `name(argument types)`, `left symbol right`, `source::target`; types by their names in pg_type. */
export interface Volatilities {
  readonly functions: Readonly<Record<string, string>>;
  readonly operators: Readonly<Record<string, string>>;
  /** Casts of pg_cast that call a function. */
  readonly casts: Readonly<Record<string, string>>;
  /** Input functions of types. */
  readonly input: Readonly<Record<string, string>>;
  /** Output functions of types. */
  readonly output: Readonly<Record<string, string>>;
}

const word = (column: string) => `CASE ${column} WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END`;

/** Only functions and symbols of the names given, and casts and types of the base types given. */
export async function askVolatilities(
  client: pg.Client,
  names: {
    readonly functions: readonly string[];
    readonly symbols: readonly string[];
    readonly types: readonly string[];
  },
): Promise<Volatilities> {
  const ask = async (text: string, values: readonly (readonly string[])[]) => {
    const { rows } = await client.query<{ key: string; volatility: string }>(text, [...values]);
    const sorted = rows.map(({ key, volatility }) => [key, volatility] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  };
  const io = (column: string) =>
    ask(
      `SELECT typname::text AS key, ${word("provolatile")} AS volatility FROM pg_type JOIN pg_proc p ON p.oid = ${column}
       WHERE typnamespace = 'pg_catalog'::regnamespace AND typname = ANY ($1)`,
      [names.types],
    );
  return {
    functions: await ask(
      `SELECT proname || '(' || coalesce((SELECT string_agg(t.typname, ', ' ORDER BY n)
           FROM unnest(proargtypes) WITH ORDINALITY u(o, n) JOIN pg_type t ON t.oid = o), '') || ')' AS key,
         ${word("provolatile")} AS volatility
       FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY ($1)`,
      [names.functions],
    ),
    operators: await ask(
      `SELECT concat_ws(' ', l.typname, oprname, r.typname) AS key, ${word("provolatile")} AS volatility
       FROM pg_operator LEFT JOIN pg_type l ON l.oid = oprleft JOIN pg_type r ON r.oid = oprright
         JOIN pg_proc p ON p.oid = oprcode
       WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprname = ANY ($1)`,
      [names.symbols],
    ),
    casts: await ask(
      `SELECT s.typname || '::' || t.typname AS key, ${word("provolatile")} AS volatility
       FROM pg_cast JOIN pg_type s ON s.oid = castsource JOIN pg_type t ON t.oid = casttarget
         JOIN pg_proc p ON p.oid = castfunc
       WHERE s.typname = ANY ($1) AND t.typname = ANY ($1) AND s.oid <> t.oid`,
      [names.types],
    ),
    input: await io("typinput"),
    output: await io("typoutput"),
  };
}
