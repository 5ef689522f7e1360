/**
 * Records the volatility that a PostgreSQL 15 server gives to the functions, operators and casts of the library, into
 * `test/functions/data/volatility.json`: `npx tsx test/support/record-volatility.ts`, with the server in PGHOST, PGPORT, ….
 */
import { writeFileSync } from "node:fs";
import pg from "pg";
import { functionNames, operatorSymbols } from "../../src/functions/registry.js";
import { types } from "../../src/types/type.js";
import { askVolatilities } from "./volatility.js";

const client = new pg.Client();
await client.connect();
const found = await askVolatilities(client, {
  functions: [...functionNames()],
  symbols: [...operatorSymbols()],
  types: Object.values(types).map((type) => type.name),
});
await client.end();
writeFileSync(new URL("../functions/data/volatility.json", import.meta.url), `${JSON.stringify(found, null, 1)}\n`);
